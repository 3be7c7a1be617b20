export interface Room {
  /** How many may be inside at once. */
  places: number
  /**
   * How many of those may have come in lately: most are done by then, and until then they share the processors. One
   * more may be of an account that has nobody inside.
   */
  young: number
  /** How many may wait in line. */
  queue: number
}

/** A place inside, to be left once. */
export interface Place {
  /** Nobody else of its account was inside. */
  isOnly: boolean
  /** What it came for is done: it only clears away, and counts no more for its account. */
  done: () => void
  leave: () => void
}

interface Waiting {
  account: string
  comeIn: (place: Place) => void
}

interface Inside {
  /** Null: it only clears away. */
  account: string | null
  /** Ends the time in which it counts as come in lately. */
  aging: NodeJS.Timeout
  isYoung: boolean
}

/** How long one counts as come in lately, ms. */
const YOUNG_MS = 250

/**
 * Lets a bounded number in at once, and a bounded number wait in line. Next is the account that has fewest inside, of
 * those the one that came in longest ago: however many of one account wait, another's does not stand behind them.
 */
export class Turnstile {
  readonly #room: Room
  readonly #waiting: Waiting[] = []
  readonly #inside = new Set<Inside>()
  /** The accounts that came in since somebody waits, the last one last. */
  #lately: string[] = []

  constructor(room: Room) {
    this.#room = room
  }

  get inside(): number {
    return this.#inside.size
  }

  /** True when the next one would find no place, not even in line. */
  get isFull(): boolean {
    return this.#inside.size + this.#waiting.length >= this.#room.places + this.#room.queue
  }

  /** Waits for a place; null when the signal came first. */
  async enter(account: string, signal: AbortSignal): Promise<Place | null> {
    if (signal.aborted) return null
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(waiting), 1)
        resolve(null)
      }
      const waiting: Waiting = {
        account,
        comeIn(place) {
          signal.removeEventListener('abort', giveUp)
          resolve(place)
        },
      }
      this.#waiting.push(waiting)
      signal.addEventListener('abort', giveUp, { once: true })
      this.#letIn()
    })
  }

  #letIn(): void {
    for (let next = this.#next(); next && this.#hasPlaceFor(next.account); next = this.#next()) {
      this.#waiting.splice(this.#waiting.indexOf(next), 1)
      this.#lately = [...this.#lately.filter((account) => account !== next.account), next.account]
      next.comeIn(this.#enter(next.account))
    }
    if (this.#waiting.length === 0) this.#lately = []
  }

  #next(): Waiting | undefined {
    const rank = ({ account }: Waiting): [number, number] => [
      this.#count(account),
      this.#lately.indexOf(account),
    ]
    const ranked = this.#waiting.map((each) => ({ each, rank: rank(each) }))
    ranked.sort(({ rank: [some, lately] }, { rank: [others, later] }) => some - others || lately - later)
    return ranked[0]?.each
  }

  #count(account: string): number {
    return [...this.#inside].filter((each) => each.account === account).length
  }

  #hasPlaceFor(account: string): boolean {
    const { places, young } = this.#room
    const youngOnes = [...this.#inside].filter(({ isYoung }) => isYoung).length
    return this.#inside.size < places && youngOnes < young + (this.#count(account) === 0 ? 1 : 0)
  }

  #enter(account: string): Place {
    const isOnly = this.#count(account) === 0
    const one: Inside = {
      account,
      isYoung: true,
      aging: setTimeout(() => {
        one.isYoung = false
        this.#letIn()
      }, YOUNG_MS),
    }
    this.#inside.add(one)
    return {
      isOnly,
      done: () => void (one.account = null),
      leave: () => {
        clearTimeout(one.aging)
        if (this.#inside.delete(one)) this.#letIn()
      },
    }
  }
}
