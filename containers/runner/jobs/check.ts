import { Refusal } from '../refusal.ts'
import type { JobFile, JobInput, JobLimits, JobRequest } from '../wire.ts'

const MAX_ARGUMENT_BYTES = 131_071
const ID = /^[A-Za-z0-9:_-]{1,200}$/
const VARIABLE = /^[A-Za-z_][A-Za-z0-9_]*$/
export const HASH = /^[0-9a-f]{64}$/

/** The least and the most of each limit. */
const RANGES: Record<keyof JobLimits, [number, number]> = {
  wall_ms: [1, 3_700_000],
  memory_mb: [16, 65_536],
  disk_mb: [1, 65_536],
  processes: [1, 4096],
  stdout_bytes: [0, 16 * 2 ** 20],
  stderr_bytes: [0, 2 ** 20],
}

/** The body of `POST /jobs` as a request; throws a `Refusal` that names the field which is wrong. */
export function checkRequest(body: unknown): JobRequest {
  const { id, account, boot, argv, stdin, env, bundle, inputs, outputs, limits } = record(body, 'the body')
  if (typeof id !== 'string' || !ID.test(id)) wrong('id', 'must be 1 to 200 of A-Z a-z 0-9 : _ -')
  if (typeof account !== 'string') wrong('account', 'must be a text')
  if (typeof boot !== 'string') wrong('boot', 'must be the boot from /health')
  if (stdin !== null && typeof stdin !== 'string') wrong('stdin', 'must be a text or null')
  if (bundle !== null && !(typeof bundle === 'string' && HASH.test(bundle)))
    wrong('bundle', 'must be a sha256 or null')
  return {
    id,
    account,
    boot,
    argv: checkArgv(argv),
    stdin,
    env: checkEnv(env),
    bundle,
    inputs: entries(inputs, 'inputs').map(checkInput),
    outputs: entries(outputs, 'outputs').map(checkOutput),
    limits: checkLimits(limits),
  }
}

function checkArgv(argv: unknown): string[] {
  if (!Array.isArray(argv) || argv.length === 0) wrong('argv', 'must be a list that starts with a program')
  return argv.map((value: unknown, index) => {
    const isText = typeof value === 'string' && !value.includes('\0')
    if (!isText) wrong(`argv[${index}]`, 'must be a text without NUL')
    if (Buffer.byteLength(value) > MAX_ARGUMENT_BYTES)
      wrong(`argv[${index}]`, `is over ${MAX_ARGUMENT_BYTES} bytes`)
    if (index === 0 && value === '') wrong('argv[0]', 'must name a program')
    return value
  })
}

function checkEnv(env: unknown): Record<string, string> {
  const checked: Record<string, string> = {}
  for (const [name, value] of Object.entries(record(env, 'env'))) {
    const isPlain = VARIABLE.test(name) && typeof value === 'string' && !value.includes('\0')
    if (!isPlain) wrong('env', 'must hold plain names with texts without NUL')
    if (Buffer.byteLength(value) > MAX_ARGUMENT_BYTES)
      wrong(`env.${name}`, `is over ${MAX_ARGUMENT_BYTES} bytes`)
    checked[name] = value
  }
  return checked
}

function checkLimits(limits: unknown): JobLimits {
  const given = record(limits, 'limits')
  const read = (name: keyof JobLimits): number => {
    const [least, most] = RANGES[name]
    const value = given[name]
    const fits = typeof value === 'number' && Number.isInteger(value) && value >= least && value <= most
    return fits ? value : wrong(`limits.${name}`, `must be a whole number from ${least} to ${most}`)
  }
  return {
    wall_ms: read('wall_ms'),
    memory_mb: read('memory_mb'),
    disk_mb: read('disk_mb'),
    processes: read('processes'),
    stdout_bytes: read('stdout_bytes'),
    stderr_bytes: read('stderr_bytes'),
  }
}

const MOST_FILES = 1_000

function entries(value: unknown, name: string): unknown[] {
  if (value === undefined) return []
  if (!Array.isArray(value) || value.length > MOST_FILES)
    wrong(name, `must be a list of at most ${MOST_FILES}`)
  return value
}

function checkInput(value: unknown): JobInput {
  const { sha256, name } = record(value, 'inputs[]')
  if (typeof sha256 !== 'string' || !HASH.test(sha256)) wrong('inputs[].sha256', 'must be a sha256')
  if (typeof name !== 'string' || !isSegment(name)) wrong('inputs[].name', 'must be one segment of a path')
  return { sha256, name }
}

function checkOutput(value: unknown): JobFile {
  const { name, path, media_type } = record(value, 'outputs[]')
  if (typeof name !== 'string' || !/^[A-Za-z][A-Za-z0-9_-]{0,62}$/.test(name))
    wrong('outputs[].name', 'must be a letter and up to 62 letters, digits, _ or -')
  const [root, work, ...below] = typeof path === 'string' ? path.split('/') : []
  const isBelow = root === '' && work === 'work' && below.length > 0 && below.every(isSegment)
  if (typeof path !== 'string' || !isBelow) wrong('outputs[].path', 'must be below /work/')
  if (typeof media_type !== 'string') wrong('outputs[].media_type', 'must be a text')
  return { name, path, media_type }
}

function isSegment(name: string): boolean {
  const bytes = Buffer.byteLength(name)
  return bytes > 0 && bytes <= 255 && name !== '.' && name !== '..' && !/[/\0]/.test(name)
}

function record(value: unknown, name: string): Record<string, unknown> {
  if (typeof value !== 'object' || value === null || Array.isArray(value)) wrong(name, 'must be an object')
  return value as Record<string, unknown>
}

function wrong(field: string, why: string): never {
  throw new Refusal(400, 'bad_request', `${field} ${why}.`)
}
