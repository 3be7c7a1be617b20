/**
 * What a whole `run_tool` costs over MCP, against the plain MCP server that a person would write instead:
 * `node test/bench/run.ts` prints one line of JSON. Ours is the program of `npm start` (signed in, sealed, recorded),
 * theirs starts an unsealed `python3` a call. Both are measured in turns by one client, and figures are ratios ours to
 * theirs of the same turn, since a machine's speed changes more than they do. BENCH_ROUNDS (8) is the number of turns
 * of eight calls, BENCH_SECONDS (2) how long each of three turns runs for each number of callers. DIY_SERVER is the
 * other server's program; without it nothing is measured.
 */
import { spawn, type ChildProcess } from 'node:child_process'
import { once } from 'node:events'
import { existsSync, mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { freePort } from '../support/ports.ts'
import { startWorkshop } from '../support/workshop.ts'
import { cpuMs, median, percentile, rate, round, spread, timed } from './measure.ts'
import { McpAddress } from './mcp.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const DIY_SERVER = process.env['DIY_SERVER'] ?? resolve(ROOT, '../shared/bench/diy-server/server.mjs')
const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 8)
const SECONDS = Number(process.env['BENCH_SECONDS'] ?? 2)
const CALLS = 8
const RATE_ROUNDS = 3
const TEXT = 'the quick brown fox jumps'

/** More calls than an account may make in a minute. */
const RAISED = { LIMIT_CALLS_A_MINUTE: '1000000' }

/** One side of the comparison: a call is one whole run, and its answer was looked at. */
interface Side {
  /** The process that all others of this side come from. */
  pid: number
  call: () => Promise<void>
  stop: () => Promise<void>
}

async function startOurs(): Promise<Side> {
  const data = mkdtempSync(join(tmpdir(), 'bench-run-'))
  const workshop = await startWorkshop({ data, env: RAISED })
  const address = new McpAddress(`http://127.0.0.1:${workshop.port}/mcp`, workshop.local.token)
  let keys = 0
  return {
    pid: workshop.local.pid,
    async call() {
      keys += 1
      const args = { tool_id: 'tool:count-words', input: { text: TEXT }, request_key: `bench-${keys}` }
      const { state, output } = await address.call('run_tool', args)
      assertWords(output, state)
    },
    async stop() {
      address.close()
      await workshop.stop()
      rmSync(data, { recursive: true, force: true })
    },
  }
}

async function startTheirs(): Promise<Side> {
  const port = await freePort()
  const env = { PYTHON: '/usr/bin/python3', ...process.env, PORT: String(port) }
  const child = spawn(process.execPath, [DIY_SERVER], {
    cwd: ROOT,
    env,
    stdio: ['ignore', 'pipe', 'inherit'],
  })
  await once(child.stdout, 'data')
  const address = new McpAddress(`http://127.0.0.1:${port}/`)
  return {
    pid: child.pid ?? 0,
    async call() {
      assertWords(await address.call('count_words', { text: TEXT }), 'completed')
    },
    async stop() {
      address.close()
      await end(child)
    },
  }
}

function assertWords(output: unknown, state: unknown): void {
  if (state === 'completed' && (output as { words?: number }).words === 5) return
  throw new Error(`A run answered ${JSON.stringify(output)} in the state ${String(state)}`)
}

async function end(child: ChildProcess): Promise<void> {
  const exit = once(child, 'exit')
  child.kill()
  await exit
}

/** One call at a time: ours, theirs, ours, … */
async function latency(ours: Side, theirs: Side) {
  const rounds = []
  const before = { ours: cpuMs(ours.pid), theirs: cpuMs(theirs.pid) }
  for (let i = 0; i < ROUNDS; i += 1) {
    const times: { ours: number[]; theirs: number[] } = { ours: [], theirs: [] }
    for (let call = 0; call < CALLS; call += 1) {
      times.ours.push(await timed(ours.call))
      times.theirs.push(await timed(theirs.call))
    }
    rounds.push(times)
  }
  const all = { ours: rounds.flatMap((each) => each.ours), theirs: rounds.flatMap((each) => each.theirs) }
  const cpu = { ours: cpuMs(ours.pid) - before.ours, theirs: cpuMs(theirs.pid) - before.theirs }
  return {
    p50: spread(rounds.map((each) => median(each.ours) / median(each.theirs))),
    p95: { ratio: round(percentile(all.ours, 0.95) / percentile(all.theirs, 0.95)) },
    ours_ms: { p50: round(median(all.ours)), p95: round(percentile(all.ours, 0.95)) },
    theirs_ms: { p50: round(median(all.theirs)), p95: round(percentile(all.theirs, 0.95)) },
    cpu: {
      ratio: round(cpu.ours / cpu.theirs),
      ours_ms: round(cpu.ours / all.ours.length),
      theirs_ms: round(cpu.theirs / all.theirs.length),
    },
  }
}

/** Runs a second with so many callers: ours, theirs, ours, … */
async function throughput(ours: Side, theirs: Side, callers: number) {
  const rates: { ours: number; theirs: number }[] = []
  for (let i = 0; i < RATE_ROUNDS; i += 1) {
    rates.push({
      ours: await rate(callers, SECONDS * 1_000, ours.call),
      theirs: await rate(callers, SECONDS * 1_000, theirs.call),
    })
  }
  return {
    ...spread(rates.map((each) => each.ours / each.theirs)),
    ours_per_second: round(median(rates.map((each) => each.ours))),
    theirs_per_second: round(median(rates.map((each) => each.theirs))),
  }
}

async function main(): Promise<void> {
  if (!existsSync(DIY_SERVER)) {
    console.log(JSON.stringify({ skipped: `there is no ${DIY_SERVER} to compare with` }))
    return
  }
  const ours = await startOurs()
  const theirs = await startTheirs()
  try {
    for (let i = 0; i < CALLS; i += 1) await Promise.all([ours.call(), theirs.call()])
    const times = await latency(ours, theirs)
    const runs_a_second: Record<string, unknown> = {}
    for (const callers of [1, 4, 16]) {
      runs_a_second[`at_once_${callers}`] = await throughput(ours, theirs, callers)
    }
    console.log(
      JSON.stringify({ ratios: 'ours / theirs', raised_limits: RAISED, latency: times, runs_a_second }),
    )
  } finally {
    await Promise.all([ours.stop(), theirs.stop()])
  }
}

await main()
