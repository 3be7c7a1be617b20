import type { BundleEntry } from '../bundles.ts'
import type { JobRequest } from '../wire.ts'

/** What waits in a sandbox: nothing yet (`any`: whatever the job names is started then), or an interpreter. */
export type Kind = 'any' | 'python' | 'node'

export const KINDS: Kind[] = ['any', 'python', 'node']

/** The command that process 1 of a sandbox starts before it has a job. */
export const WAITING: Record<Kind, string[]> = {
  any: [],
  python: ['env', 'PYTHONPATH=/opt/boot/python', 'python3', 'main.py'],
  node: ['node', '-r', '/opt/boot/node/wait.cjs', '/opt/entry/main'],
}

/** Variables that an interpreter, or what it is built on, reads when it starts. */
const READ_AT_START = /^(PYTHON|NODE|LD_|LC_|LANG|TZ|HOME|PATH|TMPDIR|MALLOC_|GLIBC_|OPENSSL_|SSL_|UV_)/

/** Files that Python looks for when it starts. */
const LOOKED_FOR_AT_START = new Set(['.local', 'pyvenv.cfg'])

/** More than this could not have been given to a program by hand. */
const MAX_ARGUMENTS_BYTES = 1_000_000

/** The kind of sandbox in which a job runs as it would by hand. */
export function kindOf(job: Pick<JobRequest, 'argv' | 'env'>, entries: BundleEntry[]): Kind {
  const [program, entry = '', ...rest] = job.argv
  const isFile = entries.some(({ path, data }) => path === entry && data !== null)
  const isPlain = isFile && !Object.keys(job.env).some((name) => READ_AT_START.test(name)) && !isTooLong(rest)
  if (!isPlain) return 'any'
  if (program === 'node' && /\.[cm]?[jt]s$/.test(entry)) return 'node'
  if (program !== 'python3' || entry !== 'main.py') return 'any'
  return entries.some(({ path }) => LOOKED_FOR_AT_START.has(topName(path))) ? 'any' : 'python'
}

/** Whether a file of the bundle would have been imported in place of a module that is loaded already. */
export function shadows(entries: BundleEntry[], loaded: ReadonlySet<string>): boolean {
  return entries.some(({ path }) => loaded.has(topName(path).replace(/\..*$/, '')))
}

function isTooLong(argv: string[]): boolean {
  return argv.reduce((total, argument) => total + argument.length, 0) > MAX_ARGUMENTS_BYTES
}

function topName(path: string): string {
  return path.split('/', 1)[0] ?? ''
}
