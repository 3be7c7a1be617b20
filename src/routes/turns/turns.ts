/** The right to be worked on. */
export interface Turn {
  /** Passing it on twice does no harm. */
  pass: () => void
  /** Lets callers who have no turn, and had none since they came, have one beside it. */
  lend: () => void
  /** Has a call of another go first, if this caller has more of them waiting and the other has had no turn yet. */
  yield: () => Promise<void>
}

export interface Rules {
  /** Calls that are worked on at once. */
  places: number
  /** Calls of one caller that may wait. */
  line: number
  /** How long a turn lasts at most: whoever has not passed it on by then waits for something, or is gone. */
  longestMs: number
  now: () => number
  sleep: (ms: number) => Promise<void>
}

/** A turn of now: whose, since when, and when it ends by itself. */
interface Held {
  caller: string
  begunAt: number
  endsAt: number
  isLent: boolean
}

/** A call that waits. */
interface Waiting {
  /** Its turn, once it has come. */
  held?: Held
  come: (held: Held) => void
  /** Has it choose the next one, itself or another. */
  stir: () => void
}

/** How long a place stays empty, so that calls which came meanwhile are heard before the next one is chosen. */
const PAUSE_MS = 1

/** How long after its turn a caller is about: it may come back any moment. */
const ABOUT_MS = 1_000

/** Calls of one caller that may wait and are no burst yet: apps make some at once. */
const FEW = 4

/** How much longer than its turn the caller of a burst rests, while somebody is about who makes none. */
const REST_TIMES = 5

/**
 * Whose call is worked on next: of the callers that wait the one with the fewest turns now; of those one that has had
 * none since it came; else the one whose last is longest ago. However many calls one makes at once, another's stands
 * behind those alone that are worked on already; and what its calls set going has time to end before the next one.
 */
export class Turns {
  readonly #rules: Rules
  /** Calls that wait, by callers, in the order in which these came or had their last turn. */
  readonly #waiting = new Map<string, { calls: Waiting[]; hadTurn: boolean }>()
  readonly #held = new Set<Held>()
  /** When callers had their last turn, of those that are about. */
  readonly #about = new Map<string, number>()
  /** Until when callers rest. */
  readonly #resting = new Map<string, number>()

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /** Waits for a turn; null when too many calls of this caller wait already. */
  async take(caller: string): Promise<Turn | null> {
    const { calls = [] } = this.#waiting.get(caller) ?? {}
    if (calls.length >= this.#rules.line) return null
    let held = await this.#wait(caller, 'last')
    let isOver = false
    const pass = () => {
      isOver = true
      if (!this.#held.delete(held)) return
      this.#rest(held)
      this.#stir()
    }
    return {
      pass,
      lend: () => {
        held.isLent = true
        this.#stir()
      },
      yield: async () => {
        if (isOver || !this.#waiting.has(caller)) return
        await this.#rules.sleep(PAUSE_MS)
        if ([...this.#waiting].every(([other, { hadTurn }]) => other === caller || hadTurn)) return
        this.#held.delete(held)
        held = await this.#wait(caller, 'first')
        if (isOver) pass()
      },
    }
  }

  /** Waits as the last of its caller's calls, or before those that had no turn yet. */
  async #wait(caller: string, place: 'first' | 'last'): Promise<Held> {
    const { sleep } = this.#rules
    const called = Promise.withResolvers<Held>()
    const call: Waiting = { come: called.resolve, stir: () => undefined }
    const { calls, hadTurn } = this.#waiting.get(caller) ?? { calls: [], hadTurn: false }
    const line = place === 'first' ? [call, ...calls] : [...calls, call]
    this.#waiting.set(caller, { calls: line, hadTurn: hadTurn || place === 'first' })
    this.#callNext()
    // Most calls find a place: they wait for nothing and need no clock.
    if (call.held) return call.held
    for (;;) {
      const stirred = new Promise<void>((resolve) => (call.stir = resolve)).then(() => sleep(PAUSE_MS))
      // Whoever holds a turn, or was stirred, may be gone without a word: each who waits looks for itself.
      const held = await Promise.race([called.promise, stirred, sleep(this.#patience(caller, call))])
      if (held) return held
      this.#callNext()
    }
  }

  /** Has the caller of a burst rest after its turn, unless all who are about make one too. */
  #rest({ caller, begunAt }: Held): void {
    const { now: clock, longestMs } = this.#rules
    const now = clock()
    for (const [other, at] of this.#about) if (at < now - ABOUT_MS) this.#about.delete(other)
    const isBurst = (one: string) => (this.#waiting.get(one)?.calls.length ?? 0) > FEW
    if (!isBurst(caller) || [...this.#about.keys()].every(isBurst)) return
    this.#resting.set(caller, now + Math.min(REST_TIMES * (now - begunAt), longestMs))
  }

  /**
   * How long a call sleeps until it looks for itself. The first one of a caller that rests: until that is over. Those
   * behind others look the more seldom the more there are: it is only for when all of these are gone without a word.
   */
  #patience(caller: string, call: Waiting): number {
    const { longestMs, now } = this.#rules
    const before = this.#waiting.get(caller)?.calls.indexOf(call) ?? 0
    const until = this.#resting.get(caller)
    if (before === 0 && until !== undefined) return Math.min(longestMs, Math.max(until - now(), PAUSE_MS))
    return longestMs * (1 + before / 4)
  }

  #callNext(): void {
    const now = this.#rules.now()
    for (const held of this.#held) if (held.endsAt <= now) this.#held.delete(held)
    for (const [caller, until] of this.#resting) if (until <= now) this.#resting.delete(caller)
    for (let caller = this.#first(); caller !== undefined; caller = this.#first()) {
      const [next, ...calls] = this.#waiting.get(caller)?.calls ?? []
      this.#waiting.delete(caller)
      if (calls.length > 0) this.#waiting.set(caller, { calls, hadTurn: true })
      if (!next) continue
      next.held = { caller, begunAt: now, endsAt: now + this.#rules.longestMs, isLent: false }
      this.#about.set(caller, now)
      this.#held.add(next.held)
      next.come(next.held)
    }
  }

  /** Not the one who passes a turn on chooses the next: its call is over, and with it all that it might wait for. */
  #stir(): void {
    const [first] = this.#waiting.values()
    first?.calls[0]?.stir()
  }

  #first(): string | undefined {
    const turns = new Map<string, number>()
    for (const { caller } of this.#held) turns.set(caller, (turns.get(caller) ?? 0) + 1)
    const rank = ([caller, { hadTurn }]: [string, { hadTurn: boolean }]) =>
      (turns.get(caller) ?? 0) * 2 + (hadTurn ? 1 : 0)
    const { places } = this.#rules
    const isFree = this.#held.size < places
    const isLent = [...this.#held].filter((held) => !held.isLent).length < places
    const ready = [...this.#waiting].filter(([caller, { hadTurn }]) => {
      if (this.#resting.has(caller)) return false
      return isFree || (isLent && !hadTurn && !turns.has(caller))
    })
    return ready.sort((one, other) => rank(one) - rank(other))[0]?.[0]
  }
}
