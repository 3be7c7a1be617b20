import { execFile, spawn } from 'node:child_process'
import type { ChildProcess } from 'node:child_process'
import { createWriteStream } from 'node:fs'
import { mkdtemp, readFile, rm } from 'node:fs/promises'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { promisify } from 'node:util'

const command = promisify(execFile)
const MAX_OUTPUT_BYTES = 64 * 2 ** 20

/** A Docker Engine: the machine's own, or one that was started here and goes with `close`. */
export class Engine {
  readonly #cli: string
  readonly #host: string | null
  readonly #own: OwnEngine | null

  constructor(cli: string, own: OwnEngine | null = null) {
    this.#cli = cli
    this.#host = own?.host ?? null
    this.#own = own
  }

  /** Runs `docker …` and answers what it printed; rejects when it fails. */
  async docker(args: string[], input?: string): Promise<string> {
    const env = this.#host === null ? process.env : { ...process.env, DOCKER_HOST: this.#host }
    const run = command(this.#cli, args, { env, maxBuffer: MAX_OUTPUT_BYTES })
    run.child.stdin?.end(input)
    return (await run).stdout.trim()
  }

  async has(image: string): Promise<boolean> {
    return succeeds(this.docker(['image', 'inspect', image]))
  }

  async close(): Promise<void> {
    await this.#own?.close()
  }
}

/** An engine that answers, else one that is started here, else why there is none. */
export async function findEngine(): Promise<Engine | string> {
  const clis = await programs('docker')
  if (clis.length === 0) return 'there is no docker program.'
  for (const cli of clis) {
    const engine = new Engine(cli)
    if (await succeeds(engine.docker(['version']))) return engine
  }
  if (process.getuid?.() !== 0) return 'no Docker Engine answers, and without root none can be started.'
  if ((await programs('dockerd')).length === 0)
    return 'no Docker Engine answers, and there is no dockerd program.'
  const own = await OwnEngine.start()
  for (const cli of clis) {
    const engine = new Engine(cli, own)
    if (await until(async () => succeeds(engine.docker(['version'])), 30_000)) return engine
  }
  const said = await own.close()
  return `a Docker Engine was started and never answered. It said: ${said.slice(-500)}`
}

/** A `dockerd` with everything in one folder: without a network of its own, so that it leaves the machine's alone. */
class OwnEngine {
  readonly host: string
  readonly #folder: string
  readonly #daemon: ChildProcess

  private constructor(folder: string, daemon: ChildProcess) {
    this.host = socketOf(folder)
    this.#folder = folder
    this.#daemon = daemon
  }

  static async start(): Promise<OwnEngine> {
    const folder = await mkdtemp(join(tmpdir(), 'engine-'))
    const args = [
      ['--host', socketOf(folder), '--pidfile', join(folder, 'pid')],
      ['--data-root', join(folder, 'data'), '--exec-root', join(folder, 'exec')],
      ['--iptables=false', '--bridge=none'],
    ]
    const daemon = spawn('dockerd', args.flat(), { stdio: ['ignore', 'ignore', 'pipe'] })
    daemon.stderr.pipe(createWriteStream(join(folder, 'log')))
    return new OwnEngine(folder, daemon)
  }

  /** Ends it, clears its folder away and answers what it had to say. */
  async close(): Promise<string> {
    this.#daemon.kill('SIGTERM')
    const isOver = () => Promise.resolve(this.#daemon.exitCode !== null || this.#daemon.signalCode !== null)
    if (!(await until(isOver, 20_000))) this.#daemon.kill('SIGKILL')
    const said = await readFile(join(this.#folder, 'log'), 'utf8').catch(() => '')
    const mounts = (await readFile('/proc/self/mountinfo', 'utf8'))
      .split('\n')
      .map((line) => line.split(' ')[4])
    for (const point of mounts.toReversed())
      if (point?.startsWith(`${this.#folder}/`)) await succeeds(command('umount', ['-l', point]))
    await rm(this.#folder, { recursive: true, force: true })
    return said
  }
}

function socketOf(folder: string): string {
  return `unix://${folder}/docker.sock`
}

/** Where programs of this name are, in the order of the PATH. */
export async function programs(name: string): Promise<string[]> {
  const { stdout } = await command('which', ['-a', name]).catch(() => ({ stdout: '' }))
  return stdout.split('\n').filter(Boolean)
}

async function succeeds(action: Promise<unknown>): Promise<boolean> {
  return action.then(
    () => true,
    () => false,
  )
}

async function until(isDone: () => Promise<boolean>, patienceMs: number): Promise<boolean> {
  for (const end = Date.now() + patienceMs; Date.now() < end; await sleep(200))
    if (await isDone()) return true
  return false
}
