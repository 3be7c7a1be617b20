import { distinctStems, stems } from './words.ts'

/** Most distinct words of a job that are looked for. */
const JOB_WORDS = 64
/** Most parts of a job that are looked for by themselves. */
const CLAUSES = 6

/** Where one job ends and the next begins. */
const BETWEEN =
  /(?<=[.?!;])\s+|(?<=[。？！；])|\n+|,?\s+(?:and then|then|after that|afterwards|finally|also|additionally|furthermore|moreover|lastly|next|as well as)\b,?\s*/iu

/** A job as it is looked for: distinct word stems of the whole, of each clause, and which stems follow one another. */
export interface JobQuery {
  whole: string[]
  /** Empty when the job is one clause. */
  clauses: string[][]
  pairs: ReadonlySet<string>
}

/** A job of several sentences is several jobs, each of which some tool may do. */
export function jobQuery(job: string): JobQuery {
  const clauses = job
    .split(BETWEEN)
    .map((part) => distinctStems(part, JOB_WORDS))
    .filter((part) => part.length >= 2)
  const distinct = [...new Map(clauses.map((part) => [part.join(' '), part])).values()]
  const all = stems(job, JOB_WORDS * 2)
  return {
    whole: distinctStems(job, JOB_WORDS),
    clauses: distinct.length > 1 ? distinct.slice(0, CLAUSES) : [],
    pairs: new Set(all.slice(1).map((stem, i) => pairOf(all[i] ?? '', stem))),
  }
}

/** Two stems of which one follows the other. */
export const pairOf = (first: string, second: string): string => `${first} ${second}`

/** Any of these stems, as an FTS5 expression in which everything is quoted. */
export const anyOf = (list: string[]): string => list.map((stem) => `"${stem}"`).join(' OR ')
