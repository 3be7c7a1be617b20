import type { Descriptor } from '../descriptor/descriptor.ts'
import { searchText } from './text.ts'
import { stems, words } from './words.ts'

/** Most words of a job that are looked for. */
const JOB_WORDS = 64
/** A tool that shares a smaller part of the job's words does not do the job. */
export const FITS_FROM = 0.34

/** The job as an FTS5 expression: any of its words, each quoted; null when it has none. */
export function matchExpression(job: string): string | null {
  const distinct = [...new Set(words(job, JOB_WORDS))]
  return distinct.length === 0 ? null : distinct.map((word) => `"${word}"`).join(' OR ')
}

export interface Ranked<T> {
  tool: T
  /** Part of the job's words that the tool shares, 0 to 1; 1 for an exact name. */
  score: number
  matchedOn: string
}

/** A tool whose sample failed stands behind every other one that fits. */
export interface Rankable {
  toolId: string
  descriptor: Descriptor
  sampleState: string
}

/** Tools of exactly the job's name, and tools that share words with it, best first. */
export interface Hits<T> {
  named: T[]
  found: T[]
}

/**
 * Orders candidates that come best first by words: exact names before all, then by how much of the job they share,
 * those whose sample failed last. Keeps the given order among equals.
 */
export function rank<T extends Rankable>(
  job: string,
  handle: string,
  { named, found }: Hits<T>,
): Ranked<T>[] {
  const wanted = stems(job, JOB_WORDS)
  const names = new Set(named.map(({ toolId }) => toolId))
  const exact = named.map((tool) => ({ tool, score: 1, matchedOn: 'exact name' }))
  const others = found
    .filter(({ toolId }) => !names.has(toolId))
    .map((tool) => ({ tool, score: shared(wanted, tool.descriptor, handle), matchedOn: 'words of the job' }))
    .sort((a, b) => Number(hasFailed(a.tool)) - Number(hasFailed(b.tool)) || b.score - a.score)
  return [...exact, ...others]
}

const hasFailed = ({ sampleState }: Rankable): boolean => sampleState === 'failed'

function shared(wanted: Set<string>, descriptor: Descriptor, handle: string): number {
  if (wanted.size === 0) return 0
  const text = searchText(descriptor, handle)
  const has = stems(`${text.name} ${text.descr} ${text.params}`, 300)
  const hits = [...wanted].filter((stem) => has.has(stem)).length
  return Math.round((hits / wanted.size) * 100) / 100
}
