import { spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createHash, randomUUID } from 'node:crypto'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { createInterface } from 'node:readline'
import { packTar } from 'modern-tar'
import type { JobEnd, JobRequest, JobState } from '../../containers/runner/wire.ts'

const SECRET = 'the-secret-of-the-test'
const isNewEnough = Number(process.versions.node.split('.')[0]) >= 24
export const NODE = isNewEnough ? process.execPath : join(process.cwd(), 'node_modules/node/bin/node')

export const LIMITS = {
  wall_ms: 10_000,
  memory_mb: 256,
  disk_mb: 32,
  processes: 64,
  stdout_bytes: 100_000,
  stderr_bytes: 4096,
}

/** How a job's sandbox comes to be: it stood ready, or it is made for the job. */
export const MODES = [
  { mode: 'ready', env: { RUNNER_POOL: '1' } },
  { mode: 'made for the job', env: { RUNNER_POOL: '0' } },
]

/** Everything of a job that a test may leave out. */
export type Wanted = Partial<Omit<JobRequest, 'limits'>> & { limits?: Partial<JobRequest['limits']> }

export interface Answer {
  status: number
  body: Record<string, unknown> & { error?: { code: string; message: string } }
}

/** The real program, started like the image starts it. */
export class Runner {
  readonly url: string
  readonly boot: string
  readonly data: string
  readonly child: ChildProcess
  readonly headers = { authorization: `Bearer ${SECRET}` }

  private constructor(child: ChildProcess, data: string, ready: { listening: number; boot: string }) {
    this.child = child
    this.data = data
    this.url = `http://127.0.0.1:${ready.listening}`
    this.boot = ready.boot
  }

  static async start(env: Record<string, string> = {}, uid?: number): Promise<Runner> {
    const data = env['RUNNER_DATA'] ?? mkdtempSync(join(tmpdir(), 'runner-test-'))
    const child = spawn(NODE, ['containers/runner/server.ts'], {
      env: { ...process.env, RUNNER_SECRET: SECRET, RUNNER_DATA: data, RUNNER_EXIT_WITH_STDIN: '1', ...env },
      stdio: ['pipe', 'pipe', 'inherit'],
      ...(uid === undefined ? {} : { uid }),
    })
    const [line] = (await once(createInterface({ input: child.stdout }), 'line')) as [string]
    return new Runner(child, data, JSON.parse(line) as { listening: number; boot: string })
  }

  /** Sends one request and answers status and body. */
  async call(method: string, path: string, body?: unknown): Promise<Answer> {
    return ask(this.url + path, { method, body, secret: SECRET })
  }

  request(wanted: Wanted): JobRequest {
    return {
      id: randomUUID(),
      account: 'one',
      boot: this.boot,
      argv: ['true'],
      stdin: null,
      env: {},
      bundle: null,
      ...wanted,
      limits: { ...LIMITS, ...wanted.limits },
    }
  }

  /** Waits until the runner has all the sandboxes ready that it is to have. */
  async untilReady(count: number): Promise<void> {
    const isReady = async () => (await this.call('GET', '/health')).body['ready'] === count
    if (!(await until(isReady, 10_000))) throw new Error(`There never were ${count} sandboxes ready.`)
  }

  /** Runs one job to its end. */
  async run(wanted: Wanted): Promise<JobEnd> {
    const { status, body } = await this.call('POST', '/jobs?wait_ms=25000', this.request(wanted))
    const state = body as unknown as JobState
    if (status !== 200 || state.state !== 'ended') throw new Error(`${status} ${JSON.stringify(body)}`)
    return state.end
  }

  /** Runs a program whose files are given by their path below /work. */
  async runFiles(files: Record<string, string>, wanted: Wanted): Promise<JobEnd> {
    return this.run({ ...wanted, bundle: await this.putFiles(files) })
  }

  async putFiles(files: Record<string, string>): Promise<string> {
    const entries = Object.entries(files).map(([path, body]) => ({
      header: {
        name: `work/${path}`,
        mtime: new Date(0),
        size: Buffer.byteLength(body),
        mode: body.startsWith('#!') ? 0o755 : 0o644,
      },
      body,
    }))
    return this.putTar(await packTar(entries))
  }

  async putTar(tar: Uint8Array): Promise<string> {
    const hash = sha256(tar)
    const { status, body } = await this.call('PUT', `/bundles/${hash}`, tar)
    if (status !== 204) throw new Error(`${status} ${JSON.stringify(body)}`)
    return hash
  }

  /** Ends the program and answers its exit code, or the signal that ended it. */
  async stop(signal: NodeJS.Signals = 'SIGTERM'): Promise<number | string> {
    if (this.child.exitCode === null && this.child.signalCode === null) {
      this.child.kill(signal)
      await once(this.child, 'exit')
    }
    if (signal !== 'SIGKILL') rmSync(this.data, { recursive: true, force: true })
    return this.child.exitCode ?? this.child.signalCode!
  }
}

/** One request with a secret of its own. */
export async function ask(
  url: string,
  how: { method: string; body?: unknown; secret: string },
): Promise<Answer> {
  const { method, body, secret } = how
  const response = await fetch(url, {
    method,
    headers: { authorization: `Bearer ${secret}` },
    body: body instanceof Uint8Array ? (body as BodyInit) : body === undefined ? null : JSON.stringify(body),
  })
  const text = await response.text()
  return { status: response.status, body: text ? (JSON.parse(text) as Answer['body']) : {} }
}

export function sha256(bytes: Uint8Array | string): string {
  return createHash('sha256').update(bytes).digest('hex')
}

/** Numbers of all processes of this machine whose command line holds `text`. */
export function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text)
    } catch {
      return false
    }
  })
}

/** Waits until `isDone`, at most `patienceMs`; answers whether it came true. */
export async function until(isDone: () => boolean | Promise<boolean>, patienceMs: number): Promise<boolean> {
  const end = performance.now() + patienceMs
  while (performance.now() < end) {
    if (await isDone()) return true
    await new Promise((resolve) => setTimeout(resolve, 20))
  }
  return false
}
