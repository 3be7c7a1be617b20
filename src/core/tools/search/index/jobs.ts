import { stems } from '../words.ts'

/** Jobs that are kept of a tool, and words of all of them together. */
const JOBS = 20
const WORDS = 400
/** Characters of one job that are read: a long one must not crowd out the others. */
const JOB_CHARS = 400

/** A job that was reported met, as the person who ran the tool wrote it. */
export interface MetJob {
  reporter: string
  job: string
}

/**
 * What the index holds of the jobs that a tool is known to have done: the first 20 given, no job twice and one a
 * reporter, so that nobody alone decides for what a tool is found. Only reports that carry weight belong here.
 */
export function jobsText(met: MetJob[]): string {
  const reporters = new Set<string>()
  const jobs = new Map<string, string>()
  for (const { reporter, job } of met) {
    const read = job.slice(0, JOB_CHARS)
    const words = stems(read, WORDS).join(' ')
    if (jobs.size === JOBS || words === '' || reporters.has(reporter) || jobs.has(words)) continue
    reporters.add(reporter)
    jobs.set(words, read)
  }
  return stems([...jobs.values()].join('\n'), WORDS).join(' ')
}
