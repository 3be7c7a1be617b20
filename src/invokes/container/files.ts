import type { JobEnd, JobInput } from '../../../containers/runner/wire.ts'
import { fileIdentities, mapFiles } from '../../core/tools/descriptor/descriptor.ts'
import type { End, Failure, Job, MadeFile } from '../invoke.ts'

const hexOf = (identity: string): string => identity.replace(/^1f:/, '')

/** What a file is called in the machine when nobody knows better. */
const NAMELESS = 'file'

/** The files that a job reads, each once. */
export function inputsOf({ descriptor, input, fileNames }: Job): JobInput[] {
  const identities = new Set(fileIdentities(descriptor, input).map(({ identity }) => identity))
  return [...identities].map((identity) => ({
    sha256: hexOf(identity),
    name: fileNames?.get(identity) ?? NAMELESS,
  }))
}

/** The input as the script gets it: each file as the path where it lies. */
export function localInput(job: Job): Record<string, unknown> {
  const names = new Map(inputsOf(job).map(({ sha256, name }) => [sha256, name]))
  return mapFiles(job.descriptor, job.input, (identity) => {
    const sha256 = hexOf(String(identity))
    return `/inputs/${sha256}/${names.get(sha256) ?? NAMELESS}`
  })
}

type JobOutput = NonNullable<JobEnd['outputs']>[number]

/** Why a run that ended well has failed all the same: the first output that is no plain file. Null when all are. */
export function outputFailure({ outputs = [] }: JobEnd): Failure | null {
  for (const output of outputs) {
    if ('fault' in output) return faultOf(output)
  }
  return null
}

const WORDS = {
  missing: 'was not made: there is no file',
  folder: 'is a folder',
  link: 'is a symbolic link or lies below one',
  special: 'is no plain file',
  too_large: 'is larger than 5 GB',
  not_kept: 'could not be taken out of the machine',
} as const

function faultOf({ name, path, fault }: Extract<JobOutput, { fault: string }>): Failure {
  const where = fault === 'missing' ? ` ${path}` : ` at ${path}`
  return {
    reason: fault === 'not_kept' ? 'result_lost' : 'output_invalid',
    message: `The output "${name}" ${WORDS[fault]}${where}.`,
    hint:
      fault === 'not_kept'
        ? 'Run the tool again with a new request_key.'
        : 'Let the script write a plain file there before it ends.',
    ...(fault === 'not_kept' && { isRetryable: true }),
  }
}

/** The files that a run made, as its end tells of them. */
export const madeBy = ({ outputs = [] }: JobEnd): MadeFile[] =>
  outputs.flatMap((output) => ('fault' in output ? [] : [output]))

/** The end of a job one of whose files is no longer there for it. */
export const goneInput = (identity: string): End => ({
  reason: 'never_started',
  message: `The run never started, because the bytes of ${identity} are gone.`,
  hint: 'Write the file again, then run the tool with a new request_key.',
})
