import { setTimeout as sleep } from 'node:timers/promises'
import type { Fault } from '../../src/core/problem.ts'
import type { Descriptor } from '../../src/core/tools/descriptor/descriptor.ts'
import type { End, Handle, Host, Invoke, Job, Step } from '../../src/invokes/invoke.ts'

/** The work of a job, in a few lines of a test. It may go on until the signal says that it was stopped. */
export type Work = (job: Job, stopped: AbortSignal) => End | Promise<End>

/** `deaf`: what is sent arrives, but no answer comes back. */
export type Network = 'up' | 'down' | 'deaf'

interface Begun {
  end: Promise<End>
  hasEnded: boolean
  stop: AbortController
}

const failed = (reason: 'machine_lost' | 'result_lost'): Step => ({
  kind: 'ended',
  end: { reason, message: `the fake place: ${reason}`, isRetryable: true },
})
const SILENT: Step = { kind: 'silent', message: 'the fake place gave no answer' }

/**
 * A fake: a place in memory that keeps the contract of `Invoke`, for suites that need a place but no machine. A test
 * says what the work is, and may cut the network, restart the place or let it forget results.
 */
export class FakePlace {
  network: Network = 'up'
  /** How many jobs it was asked to begin, the refused ones too. */
  sent = 0
  /** How often work really began. */
  runs = 0
  /** Happens once, between the recording of a handle and the sending of its job. */
  beforeSend: (() => void | Promise<void>) | null = null
  /** What it says against descriptors and inputs. */
  faults: (descriptor: Descriptor) => Fault[] = () => []
  inputFaults: (input: Record<string, unknown>) => Fault[] = () => []
  readonly #work: Work
  readonly #forgotten = new Set<string>()
  #jobs = new Map<string, Begun>()
  #boot = 1

  constructor(work: Work) {
    this.#work = work
  }

  readonly invoke: Invoke = {
    check: (descriptor) => this.faults(descriptor),
    checkInput: (_, input) => this.inputFaults(input),
    start: (job, host) => this.#start(job, host),
    poll: (handle, host) => this.#ask(() => this.#state(handle, host)),
    stop: (handle) => this.#stop(handle),
  }

  /** Everything that ran is gone, and what it would have answered. */
  restart(): void {
    for (const { stop } of this.#jobs.values()) stop.abort()
    this.#jobs = new Map()
    this.#boot += 1
  }

  /** Only that the job has run is still known. */
  forget(id: string): void {
    this.#forgotten.add(id)
  }

  async #start(job: Job, host: Host): Promise<Step> {
    if (!job.handle && this.network === 'down') {
      return { kind: 'not_started', message: 'the fake place does not answer' }
    }
    const handle = job.handle ?? { id: job.id, boot: this.#boot }
    if (!host.recordHandle(handle)) return { kind: 'silent', message: 'another drives this task' }
    const hook = this.beforeSend
    this.beforeSend = null
    await hook?.()
    return this.#ask(() => this.#begin(job, handle, host))
  }

  #begin(job: Job, handle: Handle, host: Host): Step | Promise<Step> {
    this.sent += 1
    if (handle.boot !== this.#boot) {
      return job.handle
        ? failed('machine_lost')
        : { kind: 'not_started', message: 'the fake place was restarted' }
    }
    if (!this.#jobs.has(job.id)) this.#jobs.set(job.id, this.#run(job))
    return this.#state(handle, host)
  }

  #run(job: Job): Begun {
    this.runs += 1
    const stop = new AbortController()
    const begun: Begun = { hasEnded: false, stop, end: Promise.resolve(this.#work(job, stop.signal)) }
    begun.end = begun.end.finally(() => (begun.hasEnded = true))
    return begun
  }

  async #state(handle: Handle, host: Host): Promise<Step> {
    const job = this.#jobs.get(String(handle.id))
    if (!job) {
      if (handle.boot !== this.#boot) return failed('machine_lost')
      return { kind: 'not_started', message: 'the fake place has no such job' }
    }
    await Promise.race([job.end, sleep(host.sliceMs, undefined, { ref: false })])
    if (!job.hasEnded) return { kind: 'running', handle, isStarted: true }
    return this.#forgotten.has(String(handle.id))
      ? failed('result_lost')
      : { kind: 'ended', end: await job.end }
  }

  async #stop(handle: Handle): Promise<void> {
    if (this.network === 'down') throw new Error('the fake place could not be told to stop')
    const job = this.#jobs.get(String(handle.id))
    job?.stop.abort()
    await job?.end
    if (this.network === 'deaf') throw new Error('the fake place may have been told to stop')
  }

  async #ask(order: () => Step | Promise<Step>): Promise<Step> {
    if (this.network === 'down') return SILENT
    const step = await order()
    return this.network === 'deaf' ? SILENT : step
  }
}
