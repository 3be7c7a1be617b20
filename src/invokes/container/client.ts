import type { Health, JobRequest, JobState } from '../../../containers/runner/wire.ts'
import type { RunLimits } from '../../core/tools/descriptor/descriptor.ts'
import type { Handle, Host } from '../invoke.ts'

/** Speaks to the machine of one account: a program on loopback, or the deployed container. */
export interface Runner {
  fetch(accountId: string, path: string, init?: RequestInit): Promise<Response>
}

/** Where a job was sent, and what its end is told by. */
export interface Sent extends Required<RunLimits> {
  boot: string
  accountId: string
  id: string
  /** How its output is read. */
  stdout: 'json' | 'text'
}

/** A handle is what `start` made of a `Sent`. */
export const readHandle = (handle: Handle): Sent => handle as unknown as Sent

/** Most runs end within it: they need one request. Of others it is known early that they have started. */
const FIRST_LOOK_MS = 2_000
/** How much longer than asked an answer may take before the machine counts as silent. */
const GRACE_MS = 10_000
/** A file of 5 GB on its way to or from a machine. */
const FILE_MS = 900_000
/** A deployed machine may have to be started first. */
const START_MS = 30_000

export type Answer =
  | { kind: 'state'; state: JobState }
  /** What the runner would not do, and the boot that said so. */
  | { kind: 'refusal'; status: number; code: string; message: string; boot: string }

/**
 * The runner's side of the wire for one account. Every call throws when the runner gives no answer: a status of
 * something between here and there says nothing of the job.
 */
export class RunnerClient {
  readonly #runner: Runner
  readonly #accountId: string

  constructor(runner: Runner, accountId: string) {
    this.#runner = runner
    this.#accountId = accountId
  }

  /** The boot of the machine that answers now: only a machine that is there is sent a job. */
  async findBoot(): Promise<string> {
    const response = await this.#fetch('/health', { signal: AbortSignal.timeout(START_MS) })
    const { boot } = await response.json<Partial<Health>>().catch((): Partial<Health> => ({}))
    if (boot) return boot
    throw new Error(response.ok ? 'it takes another secret' : `it answered with status ${response.status}`)
  }

  post(job: JobRequest, host: Host): Promise<Answer> {
    const waitMs = Math.min(host.sliceMs, FIRST_LOOK_MS)
    return this.#job(`/jobs?wait_ms=${waitMs}`, {
      method: 'POST',
      body: JSON.stringify(job),
      signal: AbortSignal.timeout(waitMs + GRACE_MS),
    })
  }

  get(id: string, host: Host): Promise<Answer> {
    return this.#job(`/jobs/${id}?wait_ms=${host.sliceMs}`, {
      signal: AbortSignal.timeout(host.sliceMs + GRACE_MS),
    })
  }

  stop(id: string): Promise<Answer> {
    return this.#job(`/jobs/${id}`, { method: 'DELETE', signal: AbortSignal.timeout(GRACE_MS) })
  }

  async sendBundle(hash: string, host: Host): Promise<void> {
    const { body } = await host.code(hash)
    const response = await this.#fetch(`/bundles/${hash}`, {
      method: 'PUT',
      body,
      signal: AbortSignal.timeout(START_MS),
    })
    if (!response.ok) throw new Error(`the machine refused the code with status ${response.status}`)
  }

  /** Whether the machine has a file already. */
  async hasInput(sha256: string): Promise<boolean> {
    const how = { method: 'HEAD', signal: AbortSignal.timeout(START_MS) }
    const { status } = await this.#fetch(`/inputs/${sha256}`, how)
    if (status === 204 || status === 404) return status === 204
    throw new Error(`it answered with status ${status}`)
  }

  async sendInput(sha256: string, { body, size }: { body: ReadableStream; size: number }): Promise<void> {
    const response = await this.#fetch(`/inputs/${sha256}`, {
      method: 'PUT',
      body: body.pipeThrough(new FixedLengthStream(size)),
      signal: AbortSignal.timeout(FILE_MS),
    })
    if (!response.ok) throw new Error(`the machine refused it with status ${response.status}`)
  }

  /** The bytes of a file that an ended job made. */
  async output(id: string, name: string): Promise<ReadableStream<Uint8Array>> {
    const how = { signal: AbortSignal.timeout(FILE_MS) }
    const response = await this.#fetch(`/jobs/${id}/outputs/${name}`, how)
    if (response.ok && response.body) return response.body
    throw new Error(`the machine gives it no more (status ${response.status})`)
  }

  async #job(path: string, init: RequestInit): Promise<Answer> {
    const response = await this.#fetch(path, init)
    if (response.ok) return { kind: 'state', state: await response.json() }
    const body = await response
      .json<{ error?: { code?: string; message?: string }; boot?: string }>()
      .catch(() => null)
    const message = body?.error?.message ?? `it answered with status ${response.status}`
    if (!body?.boot) throw new Error(message)
    const code = body.error?.code ?? ''
    return { kind: 'refusal', status: response.status, code, message, boot: body.boot }
  }

  #fetch(path: string, init: RequestInit): Promise<Response> {
    return this.#runner.fetch(this.#accountId, path, init)
  }
}
