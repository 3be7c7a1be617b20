import { createHash } from 'node:crypto'
import { mkdtempSync } from 'node:fs'
import { availableParallelism, tmpdir, totalmem } from 'node:os'
import { join, resolve } from 'node:path'
import type { Seal } from './sandbox/machine.ts'

/** What the environment says about this runner, read once at the start. */
export interface Settings {
  /** The bearer secret of every request. */
  secret: string
  host: string
  /** 0: any free port. */
  port: number
  /** Absolute path of the folder for bundles, and for the process number of the runner that uses it. */
  data: string
  /** Eight hex digits of the data folder's name: keeps two runners of one machine apart. */
  key: string
  /** Jobs that may run at once. */
  jobs: number
  /** Jobs of those that may have started within the last moments. */
  young: number
  /** Jobs that may wait for a place. */
  queue: number
  /** Sandboxes of each kind kept ready. */
  pool: number
  /** The only kind of sandbox to use, or null: the tightest one that this machine has. */
  seal: Seal | null
  /** Limit with control groups where there are any. */
  cgroups: boolean
  /** Bytes of bundles kept on disk. */
  bundleBytes: number
  /** Bytes of inputs kept on disk, and of outputs. */
  inputBytes: number
  outputBytes: number
  /** Stop when stdin ends: the program that started this one is gone. */
  exitWithStdin: boolean
}

/** Throws an `Error` that names the variable which is missing or malformed. */
export function readSettings(env: NodeJS.ProcessEnv): Settings {
  const secret = env['RUNNER_SECRET']
  if (!secret) throw new Error('RUNNER_SECRET is not set: the secret that callers must send.')
  const data = resolve(env['RUNNER_DATA'] || mkdtempSync(join(tmpdir(), 'runner-')))
  const megabytes = Math.min(process.constrainedMemory() || Infinity, totalmem()) / 2 ** 20
  const jobs = whole(env, 'RUNNER_JOBS', Math.max(2, Math.min(16, Math.floor(megabytes / 256))))
  return {
    secret,
    host: env['RUNNER_HOST'] || '127.0.0.1',
    port: whole(env, 'RUNNER_PORT', 0),
    data,
    key: createHash('sha256').update(data).digest('hex').slice(0, 8),
    jobs,
    young: whole(env, 'RUNNER_YOUNG', Math.max(2, availableParallelism())),
    queue: whole(env, 'RUNNER_QUEUE', 2 * jobs),
    pool: whole(env, 'RUNNER_POOL', Math.max(1, Math.min(4, Math.floor(megabytes / 1024)))),
    seal: readSeal(env['RUNNER_SANDBOX']),
    cgroups: env['RUNNER_CGROUPS'] !== '0',
    bundleBytes: whole(env, 'RUNNER_BUNDLE_MB', 1024) * 2 ** 20,
    inputBytes: whole(env, 'RUNNER_INPUT_MB', 5120) * 2 ** 20,
    outputBytes: whole(env, 'RUNNER_OUTPUT_MB', 4096) * 2 ** 20,
    exitWithStdin: env['RUNNER_EXIT_WITH_STDIN'] === '1',
  }
}

function readSeal(text: string | undefined): Seal | null {
  if (!text) return null
  if (text !== 'bubblewrap' && text !== 'landlock')
    throw new Error(`RUNNER_SANDBOX must be bubblewrap or landlock, it is "${text}".`)
  return text
}

function whole(env: NodeJS.ProcessEnv, name: string, otherwise: number): number {
  const text = env[name]
  if (!text) return otherwise
  if (!/^\d{1,9}$/.test(text)) throw new Error(`${name} must be a whole number, it is "${text}".`)
  return Number(text)
}
