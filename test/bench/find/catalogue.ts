/** A catalogue filled with the tools of a folder, by the text chain and the statements that saving and publishing use. */
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'
import { openDb, runBatch, type Db } from '../../../src/db/client.ts'
import { indexJobs, indexNewest, indexPublished } from '../../../src/core/tools/search/index/store.ts'
import { jobsText } from '../../../src/core/tools/search/index/jobs.ts'
import { searchTextOf } from '../../../src/core/tools/search/text.ts'
import { LIMITS } from '../../../src/core/limits.ts'
import { sql } from 'drizzle-orm'
import { CountingD1 } from '../sqlite.ts'

export interface BenchTool {
  id: string
  name: string
  description: string
  group?: string
  category?: string
  params?: string[]
}

export interface BenchQuery {
  id: string
  query: string
  gold: string[]
}

export interface BenchSet {
  name: string
  tools: BenchTool[]
  queries: BenchQuery[]
}

const lines = <T>(path: string): T[] =>
  readFileSync(path, 'utf8')
    .split('\n')
    .filter(Boolean)
    .map((line) => JSON.parse(line) as T)

export const readSet = (folder: string): BenchSet => ({
  name: folder.split('/').findLast(Boolean) ?? folder,
  tools: lines(join(folder, 'tools.jsonl')),
  queries: lines(join(folder, 'queries.jsonl')),
})

/** An empty catalogue of the shape that the migrations give it, on Node's own SQLite. */
export function emptyCatalogue(): Db {
  const folder = new URL('../../../migrations/', import.meta.url).pathname
  const files = readdirSync(folder).filter((name) => name.endsWith('.sql'))
  const schema = files.toSorted().map((name) => readFileSync(join(folder, name), 'utf8'))
  return openDb(new CountingD1(schema.join(';\n')).binding)
}

/** `published`: each tool by a maker of its own. `own`: all of them private tools of the account that searches. */
export type Seen = 'published' | 'own'

export const SEARCHER = { accountId: 'acc_searcher', now: Date.UTC(2026, 10, 30) }

/** What the catalogue knows a tool of the folder by. */
export interface Known {
  toolId: string
  label: string
}

const makerOf = (place: number): string => `acc_maker${place}`

/** Puts tools into the catalogue; their rows are numbered from 1 in the order given. */
export async function fillCatalogue(db: Db, tools: BenchTool[], seen: Seen = 'published'): Promise<Known[]> {
  const known = tools.map(({ name }, i) => ({
    toolId: seen === 'own' ? `tool:t${i + 1}` : `tool:maker${i + 1}/t${i + 1}`,
    label: name.slice(0, LIMITS.labelChars),
  }))
  for (const [i, tool] of tools.entries()) {
    const id = i + 1
    const accountId = seen === 'own' ? SEARCHER.accountId : makerOf(id)
    const text = searchTextOf({
      name: tool.name,
      provider: `${(tool.group ?? '').slice(0, 200)} ${tool.category ?? ''}`,
      descr: tool.description,
      params: (tool.params ?? []).join(' '),
    })
    const indexed = { text, placements: ['placement:deployed-container'] }
    const row = `tool_${id}`
    const published = seen === 'own' ? null : id
    await runBatch(db, [
      ...(seen === 'own'
        ? []
        : [sql`insert into account (id, handle, created_at) values (${accountId}, ${`maker${id}`}, 0)`]),
      sql`insert into tool (id, account_id, slug, slug_key, last_version, created_at, updated_at, published_version_id)
        values (${row}, ${accountId}, ${`t${id}`}, ${`t${id}`}, 1, 0, 0, ${published})`,
      sql`insert into tool_version (id, tool_id, number, hash, label, descriptor, sample_state, created_at, promise)
        values (${id}, ${row}, 1, ${row}, ${known[i]?.label ?? ''}, '{}', 'passed', 0, ${row})`,
      ...(seen === 'own' ? indexNewest(accountId, sql`t.id = ${row}`, indexed) : indexPublished(id, indexed)),
    ])
  }
  return known
}

/** Lets tools have done jobs before, each told by a person of its own. */
export async function addJobs(db: Db, jobs: Map<number, string[]>): Promise<void> {
  for (const [id, done] of jobs) {
    const text = jobsText(done.map((job, i) => ({ reporter: `acc_${i}`, job })))
    await runBatch(db, indexJobs({ versionId: id, accountId: makerOf(id) }, text))
  }
}
