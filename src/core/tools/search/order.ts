import type { Evidence } from './outcome.ts'
import { spread, type Part } from './spread.ts'
import type { SearchText } from './text.ts'

/** A candidate with all that its place depends on. */
export interface Placed extends Part {
  id: number
  /** Account of the maker. */
  maker: string
  isOwn: boolean
  text: SearchText
  evidence: Evidence
  relevance: number
}

/** The first places, in which no maker stands more than twice and a tool without history gets its try. */
export const FIRST = 5
const A_MAKER = 2
/** A tool with fewer runs has no history yet. */
const FEW_RUNS = 10
/** How near to the best match it must come to be tried. */
const NEAR_BEST = 0.8
/** Texts that share so much of their words are one tool twice. */
const TWINS = 0.9
/** Candidates that are compared with one another. */
const COMPARED = 40

/**
 * Candidates in the order in which a caller sees them. Own tools are left out of the rules against crowding: nobody
 * crowds out himself, and every tool of an account must be there to be found by it.
 */
export function order<T extends Placed>(candidates: T[]): T[] {
  const sorted = candidates.toSorted(
    (a, b) =>
      Number(a.hasFailed) - Number(b.hasFailed) ||
      b.score - a.score ||
      b.relevance - a.relevance ||
      a.id - b.id,
  )
  return tryNew(limitMakers(spread(withoutTwins(sorted), FIRST)))
}

/** Of tools with nearly the same text, the one that more people reported of, at the better place of the two. */
function withoutTwins<T extends Placed>(sorted: T[]): T[] {
  const kept: { one: T; words: Set<string> }[] = []
  for (const one of sorted.slice(0, COMPARED)) {
    const words = new Set(`${one.text.name} ${one.text.descr} ${one.text.params}`.split(' '))
    const twin = kept.find((other) => areTwins(other, { one, words }))
    if (!twin) kept.push({ one, words })
    else if (weightOf(one) > weightOf(twin.one)) Object.assign(twin, { one, words })
  }
  return [...kept.map(({ one }) => one), ...sorted.slice(COMPARED)]
}

const weightOf = ({ evidence }: Placed): number => evidence.met_weight - evidence.failed_weight

type Read = { one: Placed; words: Set<string> }

function areTwins(a: Read, b: Read): boolean {
  if (a.one.isOwn || b.one.isOwn || a.one.hasFailed !== b.one.hasFailed) return false
  const [small, large] = a.words.size < b.words.size ? [a.words, b.words] : [b.words, a.words]
  if (small.size < TWINS * large.size) return false
  const shared = [...small].filter((word) => large.has(word)).length
  return shared >= TWINS * (small.size + large.size - shared)
}

function limitMakers<T extends Placed>(sorted: T[]): T[] {
  const first: T[] = []
  const later: T[] = []
  const places = new Map<string, number>()
  for (const one of sorted) {
    const taken = places.get(one.maker) ?? 0
    if (first.length < FIRST && (one.isOwn || taken < A_MAKER)) {
      places.set(one.maker, taken + 1)
      first.push(one)
    } else later.push(one)
  }
  return [...first, ...later]
}

/** The last of the first places goes to a good match without history when none stands there. */
function tryNew<T extends Placed>(sorted: T[]): T[] {
  const isNew = ({ evidence, relevance, hasFailed }: Placed) =>
    evidence.runs < FEW_RUNS && relevance >= NEAR_BEST && !hasFailed
  if (sorted.slice(0, FIRST).some(isNew)) return sorted
  const found = sorted.slice(FIRST).find(isNew)
  if (!found) return sorted
  const others = sorted.filter((one) => one !== found)
  return [...others.slice(0, FIRST - 1), found, ...others.slice(FIRST - 1)]
}
