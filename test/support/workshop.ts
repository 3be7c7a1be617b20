import { spawn, type ChildProcess } from 'node:child_process'
import { readFileSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { order } from '../../src/local/accounts.ts'
import { freePort } from './ports.ts'

const ROOT = resolve(import.meta.dirname, '../..')

/** A running start: what it says of itself, and how to end it. */
export interface Workshop {
  data: string
  port: number
  url: string
  mcpUrl: string
  /** What `local.json` holds. */
  local: { url: string; mcp_url: string; token: string; handle: string; pid: number }
  /** All it printed until it was ready. */
  printed: string
  /** All it printed until now. */
  text(): string
  child: ChildProcess
  /** Waits until it printed this, in all. */
  says(pattern: RegExp): Promise<void>
  stop(signal?: NodeJS.Signals): Promise<number | null>
}

/** `env`: variables beside the machine's own, `LIMIT_TOOLS` for example. The starter set is left out. */
interface Start {
  data: string
  port?: number
  env?: Record<string, string>
}

/** Runs the program of `npm start` on a folder and waits until its main job was done, or its address printed. */
export async function startWorkshop({ data, port, env = {} }: Start): Promise<Workshop> {
  const taken = port ?? (await freePort())
  const { child, output } = run({ data, port: taken, env })
  const ended = new Promise<number | null>((done) => child.once('exit', (code) => done(code)))
  await Promise.race([output.has(/^Ready\./m), ended])
  if (child.exitCode !== null) throw new Error(`the start ended with ${child.exitCode}: ${output.text()}`)
  const local: Workshop['local'] = JSON.parse(readFileSync(join(data, 'local.json'), 'utf8'))
  return {
    data,
    port: taken,
    url: local.url,
    mcpUrl: local.mcp_url,
    local,
    printed: output.text(),
    child,
    text: output.text,
    says: output.has,
    stop(signal = 'SIGTERM') {
      child.kill(signal)
      return ended
    },
  }
}

/** Runs the program to its end: for starts that must fail. */
export async function startAndFail(where: {
  data: string
  port: number
}): Promise<{ code: number; said: string }> {
  const { child, output } = run({ ...where, env: {} })
  const code = await new Promise<number>((done) => child.once('exit', (exit) => done(exit ?? -1)))
  return { code, said: output.text() }
}

/** A further account, or a further token of one, as `npm run account` and `npm run token` make them. */
export async function newAccount(data: string, handle: string): Promise<{ handle: string; token: string }> {
  return JSON.parse(await order(data, '/accounts', handle))
}

export async function newToken(data: string, handle: string): Promise<{ handle: string; token: string }> {
  return JSON.parse(await order(data, '/tokens', handle))
}

function run({ data, port, env: more }: Required<Start>) {
  const env = { ...process.env, WORKSHOP_STARTER: 'off', ...more, WORKSHOP_DATA: data, PORT: String(port) }
  const child = spawn(process.execPath, ['src/local/start.ts'], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'pipe'],
  })
  let text = ''
  const waiting: { pattern: RegExp; done: () => void }[] = []
  for (const stream of [child.stdout, child.stderr]) {
    stream.setEncoding('utf8').on('data', (piece: string) => {
      text += piece
      for (const { pattern, done } of waiting) if (pattern.test(text)) done()
    })
  }
  const has = (pattern: RegExp) =>
    new Promise<void>((done) => (pattern.test(text) ? done() : waiting.push({ pattern, done })))
  return { child, output: { text: () => text, has } }
}
