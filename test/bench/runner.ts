/**
 * How fast the runner is, against the same scripts started by hand in the same minute: `node test/bench/runner.ts`
 * prints one line of JSON. Times are taken in turns (hand, bubblewrap, waiting, ready, made, hand, …) and given as
 * ratios of medians, since a machine's speed changes more than they do. BENCH_ROUNDS (25) is the number of turns,
 * BENCH_RUNS (5,000) how many runs the runner's own memory is watched over, BENCH_SECONDS (5) how long each number of
 * callers runs.
 */
import { spawn } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, readFileSync, readdirSync, writeFileSync } from 'node:fs'
import { Agent, request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import type { JobRequest } from '../../containers/runner/wire.ts'
import { NODE, Runner } from '../containers/runner.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 25)
const RUNS = Number(process.env['BENCH_RUNS'] ?? 5000)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 5)
const POOL = 4

const FILES = {
  'main.py': 'import json, sys\nprint(json.dumps({"arguments": sys.argv[1:]}))\n',
  'main.js': 'console.log(JSON.stringify({ arguments: process.argv.slice(2) }))\n',
}
const USUAL = { wall_ms: 30_000, memory_mb: 1024, disk_mb: 1024, processes: 64 }
/** By hand, and the argv of a run: one that a waiting interpreter takes, one that it does not. */
const LANGUAGES = {
  python: {
    hand: ['/usr/bin/python3', 'main.py', 'x'],
    waiting: ['python3', 'main.py', 'x'],
    ready: ['python3', './main.py', 'x'],
  },
  node: {
    hand: [NODE, 'main.js', 'x'],
    waiting: ['node', 'main.js', 'x'],
    ready: ['node', './main.js', 'x'],
  },
}
const agent = new Agent({ keepAlive: true })

async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

async function byHand([program = '', ...args]: string[], cwd: string): Promise<void> {
  const child = spawn(program, args, {
    cwd,
    env: { ...process.env, LANG: 'C.UTF-8' },
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  child.stdout.resume()
  const [code] = (await once(child, 'close')) as [number]
  if (code !== 0) throw new Error(`${program} ended with ${code}`)
}

function underBubblewrap(argv: string[], cwd: string): string[] {
  const system = [
    '--ro-bind',
    '/usr',
    '/usr',
    '--symlink',
    'usr/lib',
    '/lib',
    '--symlink',
    'usr/lib64',
    '/lib64',
  ]
  const own = [
    '--ro-bind',
    NODE,
    NODE,
    '--bind',
    cwd,
    '/box',
    '--proc',
    '/proc',
    '--dev',
    '/dev',
    '--tmpfs',
    '/tmp',
  ]
  return [
    '/usr/bin/bwrap',
    '--unshare-all',
    '--die-with-parent',
    ...system,
    ...own,
    '--chdir',
    '/box',
    ...argv,
  ]
}

/** One run over a connection that is kept; fetch alone would take longer than a run. */
async function run(runner: Runner, argv: string[], bundle: string): Promise<void> {
  const job: JobRequest = runner.request({ argv, bundle, limits: USUAL })
  const sent = request(`${runner.url}/jobs?wait_ms=25000`, { method: 'POST', agent, headers: runner.headers })
  sent.end(JSON.stringify(job))
  const [response] = (await once(sent, 'response')) as [AsyncIterable<Buffer>]
  const pieces: Buffer[] = []
  for await (const piece of response) pieces.push(piece)
  const answer = Buffer.concat(pieces).toString()
  if (!answer.includes('"exit_code":0')) throw new Error(`A run failed: ${answer}`)
}

async function compare(
  runners: { pooled: Runner; bare: Runner },
  bundle: string,
): Promise<Record<string, unknown>> {
  const { pooled, bare } = runners
  const folder = mkdtempSync(join(tmpdir(), 'bench-'))
  for (const [name, text] of Object.entries(FILES)) writeFileSync(join(folder, name), text)
  const result: Record<string, unknown> = {}
  for (const [language, { hand, waiting, ready }] of Object.entries(LANGUAGES)) {
    const ways: Record<string, () => Promise<void>> = {
      hand: () => byHand(hand, folder),
      bubblewrap: () => byHand(underBubblewrap(hand, folder), folder),
      waiting: () => run(pooled, waiting, bundle),
      ready: () => run(pooled, ready, bundle),
      made: () => run(bare, waiting, bundle),
    }
    const times: Record<string, number[]> = {}
    for (let round = 0; round < ROUNDS; round++) {
      await pooled.untilReady(3 * POOL)
      for (const [way, action] of Object.entries(ways)) {
        ;(times[way] ??= []).push(await timed(action))
        await sleep(60)
      }
    }
    result[language] = summarize(times)
  }
  return result
}

function summarize(times: Record<string, number[]>): Record<string, number> {
  const hand = median(times['hand'] ?? [])
  const ratios = Object.entries(times).map(([way, all]) => [
    way,
    way === 'hand' ? 1 : round(median(all) / hand),
  ])
  return { hand_ms: round(hand), ...(Object.fromEntries(ratios.slice(1)) as Record<string, number>) }
}

async function throughput(runner: Runner, bundle: string): Promise<Record<string, number>> {
  const result: Record<string, number> = {}
  for (const callers of [1, 4, 16]) {
    const end = performance.now() + SECONDS * 1000
    let runs = 0
    const call = async (): Promise<void> => {
      while (performance.now() < end) {
        await run(runner, LANGUAGES.python.waiting, bundle)
        runs++
      }
    }
    const took = await timed(() => Promise.all(Array.from({ length: callers }, call)))
    result[`at_once_${callers}`] = round((runs * 1000) / took)
  }
  return result
}

/** Megabytes of each waiting sandbox's processes, what they share counted in parts. */
async function memoryOfReady(runner: Runner): Promise<Record<string, number>> {
  await runner.untilReady(3 * POOL)
  const marks = { any: /init\.pl\0$/, python: /init\.pl\0env\0/, node: /init\.pl\0node\0/ }
  const result: Record<string, number> = {}
  for (const [kind, mark] of Object.entries(marks)) {
    const sandboxes = childrenOf(runner.child.pid ?? 0).filter((pid) =>
      mark.test(readFileSync(`/proc/${pid}/cmdline`, 'latin1')),
    )
    const sum = sandboxes.reduce((total, pid) => total + treeKilobytes(pid), 0)
    result[kind] = round(sum / sandboxes.length / 1024)
  }
  return result
}

function treeKilobytes(pid: number): number {
  const own = Number(/^Pss:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1])
  return childrenOf(pid).reduce((total, child) => total + treeKilobytes(child), own)
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}

async function memoryOverRuns(runner: Runner, bundle: string): Promise<Record<string, number>> {
  const megabytes: number[] = []
  for (let step = 0; step <= 5; step++) {
    megabytes.push(residentMegabytes(runner))
    if (step < 5) await runMany(runner, { bundle, count: Math.ceil(RUNS / 5) })
  }
  return {
    runs: RUNS,
    ...Object.fromEntries(megabytes.map((value, step) => [`mb_at_${step * 20}_percent`, value])),
  }
}

async function runMany(runner: Runner, { bundle, count }: { bundle: string; count: number }): Promise<void> {
  let left = count
  const call = async (): Promise<void> => {
    while (left-- > 0) await run(runner, LANGUAGES.python.waiting, bundle)
  }
  await Promise.all([call(), call(), call(), call()])
}

function residentMegabytes(runner: Runner): number {
  const status = readFileSync(`/proc/${runner.child.pid}/status`, 'utf8')
  return round(Number(/^VmRSS:\s+(\d+)/m.exec(status)?.[1]) / 1024)
}

function median(values: number[]): number {
  return values.toSorted((one, other) => one - other)[values.length >> 1] ?? NaN
}

function round(value: number): number {
  return Math.round(value * 100) / 100
}

const pooled = await Runner.start({ RUNNER_POOL: String(POOL) })
const bare = await Runner.start({ RUNNER_POOL: '0' })
const bundle = await pooled.putFiles(FILES)
await bare.putFiles(FILES)
const times = await compare({ pooled, bare }, bundle)
const ready_mb = await memoryOfReady(pooled)
const runs_a_second = await throughput(pooled, bundle)
const runner_memory = await memoryOverRuns(pooled, bundle)
console.log(JSON.stringify({ times, ready_mb, runs_a_second, runner_memory }))
agent.destroy()
await Promise.all([pooled.stop(), bare.stop()])
