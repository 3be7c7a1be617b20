/** The right to be worked on. */
export interface Turn {
  /** Passing it on twice does no harm. */
  pass: () => void
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

/** A turn of now: whose, and when it ends by itself. */
interface Held {
  caller: string
  endsAt: number
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

/**
 * Whose call is worked on next: of the callers that wait the one with the fewest turns now; of those one that has had
 * none since it came; else the one whose last is longest ago. However many calls one makes at once, another's stands
 * behind those alone that are worked on already.
 */
export class Turns {
  readonly #rules: Rules
  /** Calls that wait, by callers, in the order in which these came or had their last turn. */
  readonly #waiting = new Map<string, { calls: Waiting[]; hadTurn: boolean }>()
  readonly #held = new Set<Held>()

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
      if (this.#held.delete(held)) this.#stir()
    }
    return {
      pass,
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
    const { longestMs, sleep } = this.#rules
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
      const held = await Promise.race([called.promise, stirred, sleep(longestMs)])
      if (held) return held
      this.#callNext()
    }
  }

  #callNext(): void {
    const now = this.#rules.now()
    for (const held of this.#held) if (held.endsAt <= now) this.#held.delete(held)
    while (this.#held.size < this.#rules.places) {
      const caller = this.#first()
      if (caller === undefined) return
      const [next, ...calls] = this.#waiting.get(caller)?.calls ?? []
      this.#waiting.delete(caller)
      if (calls.length > 0) this.#waiting.set(caller, { calls, hadTurn: true })
      if (!next) continue
      next.held = { caller, endsAt: now + this.#rules.longestMs }
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
    return [...this.#waiting].sort((one, other) => rank(one) - rank(other))[0]?.[0]
  }
}
