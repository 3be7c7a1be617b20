import { writeFile } from 'node:fs/promises'
import type { BundleEntry } from '../bundles.ts'
import { fitPlace } from '../sandbox/place.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import { fillWork, linkEntry } from './work.ts'
import type { JobEnd, JobRequest } from '../wire.ts'
import { Head, Tail } from './capture.ts'
import { describeEnd, notStarted } from './end.ts'
import type { Cut } from './end.ts'
import { encodeJob } from './header.ts'

/** How often the memory of a run is looked at, ms. */
const WATCH_MS = 50

export interface Orders {
  request: JobRequest
  entries: BundleEntry[]
  /** Aborts when the run is to be stopped. */
  stop: AbortSignal
  /** Called when the program is about to start: from here on it may have effects. */
  onStart: () => void
}

/**
 * Gives a ready sandbox its job and follows it to its end. After `exited` and `signalled` other processes of the
 * sandbox may live for some ms more; after every other end they are gone. Never rejects.
 */
export async function runJob(sandbox: Sandbox, orders: Orders): Promise<JobEnd> {
  const { entries, stop } = orders
  const request = sandbox.translate(orders.request)
  try {
    await fitPlace(sandbox.place, request.limits)
    await fillWork(sandbox.place.slot, entries)
    if (sandbox.kind === 'node') linkEntry(sandbox.place.slot, request.argv[1] ?? '')
    if (request.stdin !== null) await writeFile(sandbox.place.slot.stdin, request.stdin)
  } catch (error) {
    return notStarted(`The files could not be put in place: ${String(error)}`)
  }
  if (stop.aborted) return notStarted('It was stopped before it started.')
  return new Run(sandbox, { ...orders, request }).follow()
}

class Run {
  readonly #sandbox: Sandbox
  readonly #orders: Orders
  readonly #stdout: Head
  readonly #stderr: Tail
  #cut: Cut | null = null

  constructor(sandbox: Sandbox, orders: Orders) {
    const { limits } = orders.request
    this.#sandbox = sandbox
    this.#orders = orders
    this.#stdout = new Head(limits.stdout_bytes)
    this.#stderr = new Tail(limits.stderr_bytes)
  }

  async follow(): Promise<JobEnd> {
    const { report, pipes, place } = this.#sandbox
    const { request, stop } = this.#orders
    const startedAt = performance.now()
    this.#begin()
    const wall = setTimeout(() => this.#cutOff('timed_out'), request.limits.wall_ms)
    const watch = setInterval(() => this.#watchMemory(), WATCH_MS)
    const onStop = (): void => this.#cutOff('stopped')
    stop.addEventListener('abort', onStop)
    const told = await report
    const tookMs = Math.round(performance.now() - startedAt)
    clearTimeout(wall)
    clearInterval(watch)
    stop.removeEventListener('abort', onStop)
    pipes.stdout.drain()
    pipes.stderr.drain()
    if (this.#cut) await this.#sandbox.end()
    return describeEnd({
      request,
      told,
      cut: this.#cut,
      place,
      stdout: this.#stdout.bytes(),
      stderr: this.#stderr,
      tookMs,
    })
  }

  #begin(): void {
    const { pipes } = this.#sandbox
    const { request, onStart } = this.#orders
    this.#stdout.onOver = () => this.#cutOff('output_too_large')
    pipes.stdout.take = (bytes) => this.#stdout.add(bytes)
    pipes.stderr.take = (bytes) => this.#stderr.add(bytes)
    onStart()
    this.#sandbox.begin(encodeJob(request))
  }

  /** The first reason holds. */
  #cutOff(reason: Cut): void {
    this.#cut ??= reason
    void this.#sandbox.end()
  }

  #watchMemory(): void {
    const { cgroup } = this.#sandbox.place
    const mostBytes = this.#orders.request.limits.memory_mb * 2 ** 20
    const isOut = (cgroup?.outOfMemoryKills() ?? 0) > 0 || this.#sandbox.allocatedBytes() > mostBytes
    if (isOut) this.#cutOff('out_of_memory')
  }
}
