import type { Db } from '../../../db/client.ts'
import { fuse } from './fuse.ts'
import { jobQuery } from './query.ts'
import { rank, type Ranked } from './rank.ts'
import { readCandidates, searchCatalogue, type Searcher } from './store.ts'

/** The tools that an account may use for a job, best first, at most about 150. Two round trips to the catalogue. */
export async function searchTools(
  db: Db,
  searcher: Searcher,
  { job, placement }: { job: string; placement?: string },
): Promise<Ranked[]> {
  const query = jobQuery(job)
  const { named, halves, corpus } = await searchCatalogue(db, searcher, { job, query, placement })
  const ids = new Set([...named.map(({ id }) => id), ...fuse(halves)])
  const rows = await readCandidates(db, searcher, { ids: [...ids], placement })
  return rank(query, { corpus, named, rows })
}
