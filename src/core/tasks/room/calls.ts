import type { Quotas } from '../../limits.ts'
import { isOver, minuteEnd, standingOf, type Standing } from '../../quotas/quota.ts'

/**
 * Counts the calls of one account in each minute of UTC. In memory alone, so that a call which only reads writes
 * nothing: an object that begins anew has forgotten at most the minute that it was in.
 */
export class Calls {
  readonly #quotas: Quotas
  #minuteEnd = 0
  #made = 0

  constructor(quotas: Quotas) {
    this.#quotas = quotas
  }

  /** Counts one call; what it would go past is returned, and then it does not count. */
  count(now: number): Standing | null {
    const standing = this.standing(now)
    if (isOver(standing)) return standing
    this.#made += 1
    return null
  }

  standing(now: number): Standing {
    const resetsAt = minuteEnd(now)
    if (resetsAt !== this.#minuteEnd) this.#made = 0
    this.#minuteEnd = resetsAt
    return standingOf(this.#quotas, 'calls_a_minute', { used: this.#made, resetsAt })
  }
}
