import type { JobEnd } from '../../../containers/runner/wire.ts'
import type { RunLimits } from '../../core/tools/descriptor/descriptor.ts'
import type { End, Failure, RawResult } from '../invoke.ts'

/** The machine is gone, and with it whatever the run had still to do. */
export const LOST: Failure = {
  reason: 'machine_lost',
  message: 'The machine was stopped while it had the run, so the run may have done part of its work.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

/** The end record of the runner in the words of a task. */
export function toEnd(end: JobEnd, limits: Required<RunLimits>): End {
  if (end.outcome === 'exited' && end.exit_code === 0) {
    return end.stdout_utf8 ? { reason: 'done', raw: rawResult(end) } : notUtf8(end)
  }
  return { ...failure(end, limits), raw: rawResult(end) }
}

function rawResult(end: JobEnd): RawResult {
  return {
    stdout: end.stdout,
    stderr: end.stderr,
    exit_code: end.exit_code,
    ...(end.outcome !== 'not_started' && { took_ms: end.took_ms }),
  }
}

const notUtf8 = (end: JobEnd): Failure => ({
  reason: 'output_invalid',
  message: 'What the script printed is not UTF-8 text.',
  hint: 'Print text; write bytes to a file instead.',
  raw: rawResult(end),
})

function failure(end: JobEnd, limits: Required<RunLimits>): Failure {
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
        message: `The script was stopped at its time limit of ${limits.seconds} s, with everything it had started.`,
        hint: 'Give it less to do, or save the tool with a higher limits.seconds (up to 3,600).',
      }
    case 'out_of_memory':
      return {
        reason: 'out_of_memory',
        message: `The script was stopped at its memory limit of ${limits.memory_mb} MB.`,
        hint: 'Let it hold less at once, or save the tool with a higher limits.memory_mb (up to 4,096).',
      }
    case 'output_too_large':
      return {
        reason: 'output_too_large',
        message: 'The script was stopped because it printed more than 1 MB to stdout.',
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

const readStderr = (end: JobEnd): string =>
  end.stderr === ''
    ? 'It wrote nothing to stderr; let it say there what went wrong.'
    : 'What it wrote to stderr is in `stderr`.'
