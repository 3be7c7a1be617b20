/** The right to be worked on. Passing it on twice does no harm. */
export interface Turn {
  pass: () => void
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

/** A call that waits. */
interface Waiting {
  come: (turn: Turn) => void
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
  /** The turns of now: whose, and when each ends by itself. */
  readonly #held = new Map<Turn, { caller: string; endsAt: number }>()

  constructor(rules: Rules) {
    this.#rules = rules
  }

  /** Waits for a turn; null when too many calls of this caller wait already. */
  async take(caller: string): Promise<Turn | null> {
    const { line, longestMs, sleep } = this.#rules
    const { calls, hadTurn } = this.#waiting.get(caller) ?? { calls: [], hadTurn: false }
    if (calls.length >= line) return null
    const called = Promise.withResolvers<Turn>()
    const call: Waiting = { come: called.resolve, stir: () => undefined }
    this.#waiting.set(caller, { calls: [...calls, call], hadTurn })
    for (;;) {
      this.#callNext()
      const stirred = new Promise<void>((resolve) => (call.stir = resolve)).then(() => sleep(PAUSE_MS))
      // Whoever holds a turn, or was stirred, may be gone without a word: each who waits looks for itself.
      const turn = await Promise.race([called.promise, stirred, sleep(longestMs)])
      if (turn) return turn
    }
  }

  #callNext(): void {
    const now = this.#rules.now()
    for (const [turn, { endsAt }] of this.#held) if (endsAt <= now) this.#held.delete(turn)
    while (this.#held.size < this.#rules.places) {
      const caller = this.#first()
      if (caller === undefined) return
      const [next, ...calls] = this.#waiting.get(caller)?.calls ?? []
      this.#waiting.delete(caller)
      if (calls.length > 0) this.#waiting.set(caller, { calls, hadTurn: true })
      next?.come(this.#hold(caller, now))
    }
  }

  #hold(caller: string, now: number): Turn {
    const turn = {
      pass: () => {
        if (this.#held.delete(turn)) this.#stir()
      },
    }
    this.#held.set(turn, { caller, endsAt: now + this.#rules.longestMs })
    return turn
  }

  /** Not the one who passes a turn on chooses the next: its call is over, and with it all that it might wait for. */
  #stir(): void {
    const [first] = this.#waiting.values()
    first?.calls[0]?.stir()
  }

  #first(): string | undefined {
    const turns = new Map<string, number>()
    for (const { caller } of this.#held.values()) turns.set(caller, (turns.get(caller) ?? 0) + 1)
    const rank = ([caller, { hadTurn }]: [string, { hadTurn: boolean }]) =>
      (turns.get(caller) ?? 0) * 2 + (hadTurn ? 1 : 0)
    return [...this.#waiting].sort((one, other) => rank(one) - rank(other))[0]?.[0]
  }
}
