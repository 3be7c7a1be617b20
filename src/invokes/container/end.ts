import type { JobEnd } from '../../../containers/runner/wire.ts'
import { LIMITS } from '../../core/limits.ts'
import { lastLine } from '../../core/strict-json.ts'
import type { End, Failure, RawResult } from '../invoke.ts'
import type { Sent } from './client.ts'
import { madeBy, outputFailure } from './files.ts'

/** The machine is gone, and with it whatever the run had still to do. */
export const LOST: Failure = {
  reason: 'machine_lost',
  message: 'The machine was stopped while it had the run, so the run may have done part of its work.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

/** What stands for a byte that is no UTF-8. */
const REPLACED = '\uFFFD'
/** Longest piece of a script's own words in a message of ours. */
const SHOWN_CHARS = 200

/** The end record of the runner in the words of a task. */
export function toEnd(end: JobEnd, sent: Sent): End {
  if (end.outcome === 'exited' && end.exit_code === 0) {
    const fault = isResultUtf8(end, sent) ? outputFailure(end) : notUtf8()
    if (fault) return { ...fault, raw: rawResult(end) }
    const made = madeBy(end)
    return { reason: 'done', raw: { ...rawResult(end), ...(made.length > 0 && { made }) } }
  }
  return { ...failure(end, sent), raw: rawResult(end) }
}

/** Of a script that prints JSON only its last line is the result: malformed bytes before it spoil nothing. */
function isResultUtf8({ stdout, stdout_utf8 }: JobEnd, sent: Sent): boolean {
  if (stdout_utf8) return true
  return sent.stdout === 'json' && !(lastLine(stdout) ?? '').includes(REPLACED)
}

function rawResult(end: JobEnd): RawResult {
  return {
    stdout: end.stdout,
    stderr: keptStderr(end),
    exit_code: end.exit_code,
    ...(end.outcome !== 'not_started' && { took_ms: end.took_ms }),
  }
}

/** The tail that the runner kept, with a note where it is not all. */
function keptStderr({ stderr, stderr_bytes }: JobEnd): string {
  if (stderr_bytes <= LIMITS.stderrKept) return stderr
  return `[cut: the last ${LIMITS.stderrKept} of ${stderr_bytes} bytes]\n${stderr}`
}

const notUtf8 = (): Failure => ({
  reason: 'output_invalid',
  message: 'What the script printed is not UTF-8 text.',
  hint: 'Print text; write bytes to a file instead.',
})

function failure(end: JobEnd, { seconds, memory_mb }: Sent): Failure {
  switch (end.outcome) {
    case 'exited':
      return {
        reason: 'tool_failed',
        message: `The script ended with exit code ${end.exit_code}.`,
        hint: end.message ?? readStderr(end),
      }
    case 'signalled':
      return {
        reason: 'tool_failed',
        message: `The script was ended by the signal ${end.signal}, which did not come from a limit.`,
        hint: end.message ?? readStderr(end),
      }
    case 'timed_out':
      return {
        reason: 'timed_out',
        message: `The script was stopped at its time limit of ${seconds} s, with everything it had started.`,
        hint: withNote(
          end,
          'Give it less to do, or save the tool with a higher limits.seconds (up to 3,600).',
        ),
      }
    case 'out_of_memory':
      return {
        reason: 'out_of_memory',
        message: `The script was stopped at its memory limit of ${memory_mb} MB.`,
        hint: 'Let it hold less at once, or save the tool with a higher limits.memory_mb (up to 4,096).',
      }
    case 'output_too_large':
      return {
        reason: 'output_too_large',
        message: 'The script was stopped because its output passed 1 MB of stdout.',
        hint: 'Print only the result.',
      }
    case 'stopped':
      // A cancelled task has ended before its run is stopped: whoever still listens did not ask for this.
      return LOST
    case 'not_started':
      return {
        reason: 'never_started',
        message: `The script never started${end.message ? `: ${end.message}` : ''}.`,
        hint: 'Run the tool again with a new request_key.',
        isRetryable: true,
      }
  }
}

/** What the runner noticed beside the limit that ended the run. */
const withNote = ({ message }: JobEnd, hint: string): string => (message ? `${message} ${hint}` : hint)

function readStderr({ stderr }: JobEnd): string {
  const line = lastLine(stderr)?.trim()
  if (line === undefined) return 'It wrote nothing to stderr; let it say there what went wrong.'
  const cut = line.length > SHOWN_CHARS ? `${line.slice(0, SHOWN_CHARS).toWellFormed()}…` : line
  return `The last line of its stderr: ${JSON.stringify(cut)}. All that was kept is in \`stderr\`.`
}
