/** Lets a bounded number in at once, and a bounded number wait in line. */
export class Turnstile {
  readonly #places: number
  readonly #queue: number
  readonly #waiting: (() => void)[] = []
  #inside = 0

  constructor(places: number, queue: number) {
    this.#places = places
    this.#queue = queue
  }

  get inside(): number {
    return this.#inside
  }

  /** True when the next one would find no place, not even in line. */
  get isFull(): boolean {
    return this.#inside >= this.#places && this.#waiting.length >= this.#queue
  }

  /** Waits for a place; false when the signal came first. Every true is followed by one `leave`. */
  async enter(signal: AbortSignal): Promise<boolean> {
    if (signal.aborted) return false
    if (this.#inside < this.#places) {
      this.#inside++
      return true
    }
    return new Promise((resolve) => {
      const giveUp = (): void => {
        this.#waiting.splice(this.#waiting.indexOf(comeIn), 1)
        resolve(false)
      }
      const comeIn = (): void => {
        signal.removeEventListener('abort', giveUp)
        resolve(true)
      }
      this.#waiting.push(comeIn)
      signal.addEventListener('abort', giveUp, { once: true })
    })
  }

  /** Hands the place on to the first in line. */
  leave(): void {
    const next = this.#waiting.shift()
    if (next) next()
    else this.#inside--
  }
}
