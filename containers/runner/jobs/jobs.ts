import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { BundleEntry, Bundles } from '../bundles.ts'
import type { Inputs } from '../files/inputs.ts'
import type { Outputs } from '../files/outputs.ts'
import { Refusal } from '../refusal.ts'
import type { Pool } from '../sandbox/pool.ts'
import type { Sandbox } from '../sandbox/sandbox.ts'
import type { JobEnd, JobRequest, JobState } from '../wire.ts'
import { collect } from './collect.ts'
import { lost, notStarted } from './end.ts'
import { Ends } from './ends.ts'
import { runJob } from './run.ts'
import type { Turnstile } from './turnstile.ts'

/** A job that is not cleared away yet. */
interface Job {
  request: JobRequest
  state: 'preparing' | 'running'
  entries: Promise<BundleEntry[]>
  /** Lets its inputs be dropped. */
  letGo: () => void
  stop: AbortController
  end: PromiseWithResolvers<JobEnd>
  /** Resolves when no process of it is left. */
  gone: Promise<void>
}

export interface JobsParts {
  boot: string
  pool: Pool
  bundles: Bundles
  inputs: Inputs
  outputs: Outputs
  turnstile: Turnstile
}

/** All jobs of this boot. An id is run at most once, whatever is asked. */
export class Jobs {
  readonly #parts: JobsParts
  readonly #live = new Map<string, Job>()
  readonly #ends = new Ends()
  #isClosed = false

  constructor(parts: JobsParts) {
    this.#parts = parts
  }

  get running(): number {
    return this.#parts.turnstile.inside
  }

  /** Starts a job unless its id is known. Decides at once, so that of two calls for one id only the first starts it. */
  start(request: JobRequest): void {
    const { boot, bundles, inputs, turnstile } = this.#parts
    if (request.boot !== boot)
      throw new Refusal(412, 'other_boot', 'The runner was restarted; nothing was started.')
    if (this.#live.has(request.id) || this.#ends.knows(request.id)) return
    const isMissing = request.bundle !== null && !bundles.has(request.bundle)
    if (isMissing)
      throw new Refusal(409, 'bundle_missing', 'PUT the bundle and ask again; nothing was started.')
    if (turnstile.isFull || this.#isClosed)
      throw new Refusal(503, 'busy', 'There is no room for another job now; nothing was started.')
    const letGo = inputs.hold((request.inputs ?? []).map(({ sha256 }) => sha256))
    if (!letGo) throw new Refusal(409, 'input_missing', 'PUT the inputs and ask again; nothing was started.')
    const job: Job = {
      request,
      state: 'preparing',
      entries: request.bundle === null ? Promise.resolve([]) : bundles.entries(request.bundle),
      letGo,
      stop: new AbortController(),
      end: Promise.withResolvers(),
      gone: Promise.resolve(),
    }
    this.#live.set(request.id, job)
    // Awaited when its turn comes: until then a failure is nobody's.
    job.entries.catch(() => undefined)
    job.gone = this.#perform(job).finally(() => {
      letGo()
      this.#live.delete(request.id)
    })
  }

  /** The state of a job, at once when it has ended, else after at most `waitMs`. */
  async wait(id: string, waitMs: number): Promise<JobState> {
    const job = this.#live.get(id)
    if (job && waitMs > 0 && !this.#ends.get(id)) {
      const timer = new AbortController()
      await Promise.race([
        job.end.promise,
        sleep(waitMs, undefined, { signal: timer.signal }).catch(() => undefined),
      ])
      timer.abort()
    }
    return this.#state(id)
  }

  /** Stops a job; resolves when its whole process tree is gone. Safe twice. One still on its way will not start. */
  async stop(id: string): Promise<JobState> {
    const job = this.#live.get(id)
    if (!job && !this.#ends.knows(id)) this.#ends.keep(id, notStarted('It was stopped before it came.'))
    job?.stop.abort()
    await job?.gone
    await this.#parts.outputs.drop(id)
    return this.#state(id)
  }

  /** Takes no more jobs and stops those that are there. */
  async close(): Promise<void> {
    this.#isClosed = true
    await Promise.all([...this.#live.keys()].map((id) => this.stop(id)))
  }

  #state(id: string): JobState {
    const { boot } = this.#parts
    const end = this.#ends.get(id)
    if (end) return { id, boot, state: 'ended', end }
    const job = this.#live.get(id)
    if (job) return { id, boot, state: job.state }
    if (this.#ends.knows(id))
      throw new Refusal(410, 'forgotten_job', 'The job ended and its end was dropped.')
    throw new Refusal(404, 'unknown_job', 'No such job in this boot.')
  }

  async #perform(job: Job): Promise<void> {
    const { turnstile, pool } = this.#parts
    const place = await turnstile.enter(job.request.account, job.stop.signal)
    if (!place) return this.#end(job, notStarted('It was stopped before it started.'))
    try {
      const entries = await job.entries
      const sandbox = await pool.take({ ...job.request, mayTakeLast: place.isOnly }, entries)
      if (place.isOnly) sandbox.goFirst()
      void job.end.promise.then(place.done)
      await this.#runIn(sandbox, job, entries)
    } catch (error) {
      this.#end(
        job,
        job.state === 'preparing'
          ? notStarted(`Its sandbox could not be made: ${words(error)}`)
          : lost(words(error)),
      )
    } finally {
      place.leave()
    }
  }

  async #runIn(sandbox: Sandbox, job: Job, entries: BundleEntry[]): Promise<void> {
    const onStart = (): void => void (job.state = 'running')
    try {
      const end = await runJob(sandbox, { request: job.request, entries, stop: job.stop.signal, onStart })
      this.#end(job, await this.#withOutputs(sandbox, job.request, end))
    } finally {
      await sandbox.dispose()
    }
  }

  /** What a program that exited with 0 made is taken once no process of its sandbox is left. */
  async #withOutputs(sandbox: Sandbox, request: JobRequest, end: JobEnd): Promise<JobEnd> {
    if (end.exit_code !== 0 || !request.outputs?.length) return end
    await sandbox.end()
    const work = join(sandbox.place.slot.disk, 'work')
    return { ...end, outputs: await collect(work, request, this.#parts.outputs) }
  }

  /** The first end holds. */
  #end(job: Job, end: JobEnd): void {
    if (this.#ends.knows(job.request.id)) return
    this.#ends.keep(job.request.id, end)
    job.end.resolve(end)
  }
}

function words(error: unknown): string {
  return error instanceof Error ? error.message : String(error)
}
