import type { End, Failure, Handle, Host, Job, Step } from './invoke.ts'

/** The longest that `start` waits before it tells that a call is running. */
const FIRST_LOOK_MS = 2_000
/** What the ends that are kept may hold, in characters; beyond it the oldest are forgotten. */
const KEPT_CHARS = 24 * 1024 * 1024
/** How long an end is kept for whoever asks again, and how long it is known that a call was made. */
const KEPT_MS = 60_000
const KNOWN_MS = 3_600_000

interface Call {
  at: number
  /** Null while it is under way. */
  end: End | null
  size: number
  done: Promise<void>
  stop: AbortController
}

/** The work of a job: it ends early, by itself, once the signal says that it was stopped. Rejects for a defect alone. */
export type Work = (stopped: AbortSignal) => Promise<End>

/**
 * The place of jobs that are calls made by this very process: to a web address, to a model. It keeps the contract of
 * `Invoke` for them. A call that was under way when the process ended may have arrived, so it is never made again.
 */
export class Calls {
  readonly #calls = new Map<string, Call>()
  #boot: string | undefined

  /** Records the handle, then begins the work, unless it began under this id already. */
  async start(job: Job, host: Host, work: Work): Promise<Step> {
    // Randomness is not to be had where this object is made.
    this.#boot ??= crypto.randomUUID()
    const handle = job.handle ?? { id: job.id, boot: this.#boot, at: host.now() }
    if (handle.boot !== this.#boot) return ended(LOST)
    if (!host.recordHandle(handle)) return { kind: 'silent', message: 'another drives this task' }
    if (!this.#calls.has(job.id)) {
      if (this.#isForgotten(handle, host)) return ended(FORGOTTEN)
      this.#calls.set(job.id, this.#begin(host, work))
    }
    return this.#wait(handle, { ...host, sliceMs: Math.min(host.sliceMs, FIRST_LOOK_MS) })
  }

  async poll(handle: Handle, host: Host): Promise<Step> {
    if (handle.boot !== this.#boot) return ended(LOST)
    return this.#wait(handle, host)
  }

  async stop(handle: Handle): Promise<void> {
    const call = this.#calls.get(String(handle.id))
    call?.stop.abort()
    await call?.done
  }

  #begin(host: Host, work: Work): Call {
    const stop = new AbortController()
    const call: Call = { at: host.now(), end: null, size: 0, stop, done: Promise.resolve() }
    call.done = this.#make(call, host, work)
    return call
  }

  async #make(call: Call, host: Host, work: Work): Promise<void> {
    try {
      call.end = await work(call.stop.signal)
    } catch (error) {
      const what = error instanceof Error ? error.name : typeof error
      call.end = { ...BROKEN, message: `${BROKEN.message} (${what})` }
    }
    call.size = JSON.stringify(call.end).length
    this.#tidy(host.now())
  }

  async #wait(handle: Handle, host: Host): Promise<Step> {
    const call = this.#calls.get(String(handle.id))
    if (!call) {
      return this.#isForgotten(handle, host)
        ? ended(FORGOTTEN)
        : { kind: 'not_started', message: 'the call was not made' }
    }
    const slice = Promise.withResolvers<void>()
    const timer = setTimeout(slice.resolve, host.sliceMs)
    await Promise.race([call.done, slice.promise])
    clearTimeout(timer)
    return call.end ? ended(call.end) : { kind: 'running', handle, isStarted: true }
  }

  /** Lets go of ends that nobody will ask for, then of what is known of old calls. */
  #tidy(now: number): void {
    const all = [...this.#calls].filter(([, { end }]) => end !== null)
    let held = all.reduce((sum, [, { size }]) => sum + size, 0)
    for (const [id, call] of all) {
      if (call.at < now - KNOWN_MS) this.#calls.delete(id)
      if (held <= KEPT_CHARS && call.at >= now - KEPT_MS) continue
      held -= call.size
      Object.assign(call, { end: FORGOTTEN, size: 0 })
    }
  }

  #isForgotten({ at }: Handle, host: Host): boolean {
    return Number(at) < host.now() - KNOWN_MS
  }
}

const LOST: Failure = {
  reason: 'machine_lost',
  message: 'The server was restarted while the call was under way, so it may have arrived.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

const FORGOTTEN: Failure = {
  reason: 'result_lost',
  message: 'The call was made, but its answer was not fetched in time and is gone.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

const BROKEN: Failure = {
  reason: 'result_lost',
  message: 'The call broke on our side, so it may have arrived.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

const ended = (end: End): Step => ({ kind: 'ended', end })
