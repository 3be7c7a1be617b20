import type { End, Step } from '../../../invokes/invoke.ts'

/** How long a task waits for a machine that refuses or does not answer before it ends without having run. */
const START_PATIENCE_MS = 45_000
/** How long a machine that has the work may be silent before it counts as lost. */
const SILENCE_PATIENCE_MS = 45_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** Counts how long the place has refused or been silent, and says when that is enough. */
export class Patience {
  readonly #now: () => number
  #since: number | null = null
  #pauses = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get pauseMs(): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS)
  }

  hear(answer: Exclude<Step, { kind: 'ended' }>): End | null {
    if (answer.kind === 'running') {
      this.#since = null
      this.#pauses = 0
      return null
    }
    this.#since ??= this.#now()
    this.#pauses += 1
    const waitedMs = this.#now() - this.#since
    if (answer.kind === 'not_started' && waitedMs >= START_PATIENCE_MS) {
      return {
        reason: 'never_started',
        message: `The run never started, so it changed nothing: ${answer.message}.`,
        hint: 'Run the tool again later, with a new request_key.',
        isRetryable: true,
      }
    }
    if (answer.kind === 'silent' && waitedMs >= SILENCE_PATIENCE_MS) {
      return {
        reason: 'machine_lost',
        message: `The machine that had the run stopped answering: ${answer.message}. The run may have done part of its work.`,
        hint: 'Run the tool again with a new request_key.',
        isRetryable: true,
      }
    }
    return null
  }
}
