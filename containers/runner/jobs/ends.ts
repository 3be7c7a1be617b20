import type { JobEnd } from '../wire.ts'

const KEEP_MS = 600_000
const KEEP_BYTES = 64 * 2 ** 20
/** Ids remembered after their end was dropped: about 50 MB of memory at most. */
const KEEP_IDS = 500_000
/** What an end weighs beside its two texts. */
const OWN_BYTES = 1000

interface Kept {
  end: JobEnd
  at: number
  bytes: number
}

/** The ends of jobs: whole for ten minutes while space lasts, then only their ids. */
export class Ends {
  /** Oldest first. */
  readonly #kept = new Map<string, Kept>()
  readonly #ids = new Set<string>()
  #bytes = 0

  keep(id: string, end: JobEnd): void {
    const bytes = OWN_BYTES + 2 * (end.stdout.length + end.stderr.length)
    this.#kept.set(id, { end, at: performance.now(), bytes })
    this.#bytes += bytes
    this.#ids.add(id)
    this.#forget()
  }

  get(id: string): JobEnd | undefined {
    return this.#kept.get(id)?.end
  }

  /** True also for an id whose end was dropped. */
  knows(id: string): boolean {
    return this.#ids.has(id)
  }

  #forget(): void {
    const now = performance.now()
    for (const [id, { at, bytes }] of this.#kept) {
      const isLast = this.#kept.size === 1
      if (isLast || (now - at < KEEP_MS && this.#bytes <= KEEP_BYTES)) break
      this.#kept.delete(id)
      this.#bytes -= bytes
    }
    for (const id of this.#ids) {
      if (this.#ids.size <= KEEP_IDS) break
      this.#ids.delete(id)
    }
  }
}
