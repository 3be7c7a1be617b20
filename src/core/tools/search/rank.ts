import { FIRST, order } from './order.ts'
import { outcome, usualShare } from './outcome.ts'
import type { JobQuery } from './query.ts'
import { matchTexts, type Corpus, type Match } from './score.ts'
import type { CandidateRow, Named } from './store.ts'
import type { Column } from './text.ts'

/** A candidate in its place, and why it stands there. */
export interface Ranked extends CandidateRow {
  /** How much of the job the tool does by its words, 0 to 1; 1 for an exact name. */
  score: number
  matchedOn: string
  fits: boolean
}

/**
 * From where on a match does the job: so much of it is covered, and so like it is the text, together. Measured with jobs
 * of one public set asked of the tools of another, the mean of four sets: four in five jobs that are refused have no
 * tool, three in five that have none are refused, one in five that have one is, though two in five of two of the sets.
 */
const FITS_FROM = 0.4
const fits = ({ coverage, likeness }: Match): boolean => coverage + likeness >= FITS_FROM

/** Whether none of the first candidates does the job. */
export const nothingFits = (ranked: Ranked[]): boolean => !ranked.slice(0, FIRST).some((one) => one.fits)

/** How the part of a tool that matched is called. */
const MATCHED: Record<Column, string> = {
  name: 'its name',
  provider: 'its maker',
  descr: 'its job',
  params: 'its inputs',
  jobs: 'jobs it did',
}

/**
 * Orders what the catalogue found for a job: exact id, exact label, then by how well each text matches and what people
 * reported of it, under the rules of `order`.
 */
export function rank(
  query: JobQuery,
  { corpus, named, rows }: { corpus: Corpus; named: Named[]; rows: CandidateRow[] },
): Ranked[] {
  const matches = matchTexts(
    query,
    corpus,
    rows.map(({ text }) => text),
  )
  const usual = usualShare(rows.map(({ evidence }) => evidence))
  const best = Math.max(...matches.map(({ relevance, coverage }) => (relevance === 1 ? coverage : 0)), 0)
  const placed = rows.flatMap((row, i) => {
    const match = matches[i]
    if (!match) return []
    const { relevance, parts } = match
    return [{ ...row, match, relevance, parts, score: relevance + outcome(row.evidence, usual) }]
  })
  const places = new Map(named.map(({ id, place }) => [id, place]))
  const exact = placed
    .filter(({ id }) => places.has(id))
    .sort((a, b) => (places.get(a.id) ?? 0) - (places.get(b.id) ?? 0) || b.score - a.score || a.id - b.id)
    .map((row) => ({
      ...row,
      score: 1,
      fits: true,
      matchedOn: (places.get(row.id) ?? 0) < 2 ? 'exact id' : 'exact label',
    }))
  const others = order(placed.filter(({ id }) => !places.has(id))).map(({ match, parts: _, ...row }) => ({
    ...row,
    score: Math.round(match.relevance * best * 100) / 100,
    matchedOn: MATCHED[match.column],
    fits: fits(match),
  }))
  return [...exact, ...others]
}
