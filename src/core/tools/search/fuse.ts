/** One answer of the index: a version and how well it matches, by the index's own measure. */
export interface Hit {
  id: number
  score: number
}

/** What the index found for the whole job and for each of its clauses, best first, in one of its halves. */
export interface Found {
  whole: Hit[]
  clauses: Hit[][]
}

/** Candidates that are read and ranked again. */
export const CANDIDATES = 150
/** What the best clause adds to the whole job: measured on four public sets, .3 to .5 are alike. */
const CLAUSE_SHARE = 0.4

/**
 * The best candidates of what the index found. Each list is divided by its best score, so that halves of the index
 * whose scores do not compare, and clauses of different length, weigh the same.
 */
export function fuse(halves: Found[]): number[] {
  const scores = new Map<number, number>()
  for (const { whole, clauses } of halves) {
    const best = new Map<number, number>()
    for (const { id, score } of clauses.flatMap(normalised)) best.set(id, Math.max(best.get(id) ?? 0, score))
    const half = new Map<number, number>()
    for (const { id, score } of normalised(whole)) half.set(id, (1 - CLAUSE_SHARE) * score)
    for (const [id, score] of best) half.set(id, (half.get(id) ?? 0) + CLAUSE_SHARE * score)
    for (const [id, score] of half) scores.set(id, Math.max(scores.get(id) ?? 0, score))
  }
  return [...scores]
    .sort(([a, x], [b, y]) => y - x || a - b)
    .slice(0, CANDIDATES)
    .map(([id]) => id)
}

function normalised(hits: Hit[]): Hit[] {
  const best = Math.max(...hits.map(({ score }) => score), Number.MIN_VALUE)
  return hits.map(({ id, score }) => ({ id, score: score / best }))
}
