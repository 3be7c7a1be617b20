import { setTimeout as sleep } from 'node:timers/promises'
import type { BundleEntry } from '../bundles.ts'
import type { JobRequest } from '../wire.ts'
import { KINDS, kindOf, shadows } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { Machine } from './machine.ts'
import { Sandbox } from './sandbox.ts'

/** How long after a sandbox was given away another is made, ms. */
const PAUSE_MS = 50

/** How long to leave a machine alone on which no sandbox could be made, ms. */
const REST_MS = 5000

type Wanted = Pick<JobRequest, 'argv' | 'env' | 'inputs'> & { mayTakeLast: boolean }

/** Keeps some sandboxes of each kind ready. Each is given away once; others are made in their place, one at a time. */
export class Pool {
  readonly #machine: Machine
  readonly #size: number
  readonly #ready: Record<Kind, Sandbox[]> = { any: [], python: [], node: [] }
  #filling: Promise<void> | null = null
  #soon: NodeJS.Timeout | undefined
  #isClosed = false

  /** `size`: sandboxes of each kind; 0 keeps none. */
  constructor(machine: Machine, size: number) {
    this.#machine = machine
    this.#size = size
  }

  /** Sandboxes that wait for a job. */
  get ready(): number {
    return KINDS.reduce((total, kind) => total + this.#ready[kind].length, 0)
  }

  /**
   * A sandbox for this job alone: a ready one that fits, else a new one. The last ready one of a kind is for who
   * `mayTakeLast`. Rejects when none can be made.
   */
  async take(job: Wanted, entries: BundleEntry[]): Promise<Sandbox> {
    // A sandbox that stands ready cannot be given files from outside any more.
    if (job.inputs?.length) return Sandbox.start(this.#machine, 'any', job.inputs)
    const kind = kindOf(job, entries)
    const left = job.mayTakeLast ? 0 : 1
    const sandbox = this.#takeReady(kind, { entries, left }) ?? this.#takeReady('any', { entries, left })
    this.#fillSoon()
    return sandbox ?? Sandbox.start(this.#machine, 'any')
  }

  /** Makes what is missing, in the background. */
  fill(): void {
    this.#filling ??= this.#fill().finally(() => (this.#filling = null))
  }

  async close(): Promise<void> {
    this.#isClosed = true
    clearTimeout(this.#soon)
    await this.#filling
    await Promise.all(
      KINDS.flatMap((kind) => this.#ready[kind].splice(0)).map((sandbox) => sandbox.dispose()),
    )
  }

  #takeReady(kind: Kind, { entries, left }: { entries: BundleEntry[]; left: number }): Sandbox | undefined {
    const ready = this.#ready[kind]
    const [first] = ready
    return first && ready.length > left && !shadows(entries, first.loaded) ? ready.shift() : undefined
  }

  /** Leaves a short job the machine to itself. */
  #fillSoon(): void {
    this.#soon ??= setTimeout(() => {
      this.#soon = undefined
      this.fill()
    }, PAUSE_MS)
  }

  async #fill(): Promise<void> {
    for (let kind = this.#missing(); kind; kind = this.#missing()) {
      try {
        this.#add(await Sandbox.start(this.#machine, kind))
      } catch (error) {
        console.error(`No ${kind} sandbox could be made ready: ${String(error)}`)
        await sleep(REST_MS, undefined, { ref: false })
      }
    }
  }

  #missing(): Kind | undefined {
    if (this.#isClosed) return undefined
    return KINDS.filter((kind) => this.#ready[kind].length < this.#size).sort(
      (one, other) => this.#ready[one].length - this.#ready[other].length,
    )[0]
  }

  #add(sandbox: Sandbox): void {
    this.#ready[sandbox.kind].push(sandbox)
    void this.#replaceWhenGone(sandbox)
  }

  /** A sandbox that ends while it waits is cleared away; one that was given away is its taker's. */
  async #replaceWhenGone(sandbox: Sandbox): Promise<void> {
    await sandbox.gone
    const ready = this.#ready[sandbox.kind]
    if (!ready.includes(sandbox)) return
    ready.splice(ready.indexOf(sandbox), 1)
    await sandbox.dispose()
    this.fill()
  }
}
