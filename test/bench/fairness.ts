/**
 * What one account's burst costs another: `node test/bench/fairness.ts` prints one line of JSON. A quiet account runs a
 * small tool again and again, one run at a time; in every other stretch a noisy one calls `run_tool` 500 times in 10
 * seconds, each with a key of its own. Figures are the quiet account's p95 in noisy stretches to its p95 in calm ones of
 * the same start. Once with the limits as they are, once with those of calls and of tasks raised for all, so that every
 * run of the burst is done. BENCH_ROUNDS (3) is the number of stretches of each kind.
 */
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolOf } from '../support/tools.ts'
import { newAccount, startWorkshop, type Workshop } from '../support/workshop.ts'
import { median, percentile, round, spread, timed } from './measure.ts'
import { McpAddress } from './mcp.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const CALLS = 500
const STRETCH_MS = 10_000
const RAISED = { LIMIT_CALLS_A_MINUTE: '1000000', LIMIT_TASKS_WAITING: '1000000' }

const WORDS = toolOf('tool:words', {
  'main.py':
    'import json, sys\nprint(json.dumps({"words": len(json.load(sys.stdin).get("text", "").split())}))\n',
})

/** An account with the tool, and its runs. */
async function makeAccount({ data, mcpUrl }: Workshop, handle: string) {
  const { token } = await newAccount(data, handle)
  const address = new McpAddress(mcpUrl, token)
  await address.call('save_tool', WORDS)
  let keys = 0
  return {
    run() {
      keys += 1
      const input = { text: 'the quick brown fox' }
      return address.call('run_tool', { tool_id: 'tool:words', input, request_key: `bench-${keys}` })
    },
    close: () => address.close(),
  }
}

type Account = Awaited<ReturnType<typeof makeAccount>>

/** How long the runs of a stretch took, one after the other, in milliseconds. */
async function stretch(quiet: Account): Promise<number[]> {
  const until = performance.now() + STRETCH_MS
  const times: number[] = []
  while (performance.now() < until) times.push(await timed(() => quiet.run()))
  return times
}

/** Calls evenly over a stretch, whatever becomes of them. */
async function burst(noisy: Account): Promise<{ done: number; refused: number }> {
  const calls: Promise<unknown>[] = []
  for (let i = 0; i < CALLS; i += 1) {
    calls.push(noisy.run())
    await sleep((STRETCH_MS / CALLS) * 0.98)
  }
  const ends = await Promise.allSettled(calls)
  const done = ends.filter(({ status }) => status === 'fulfilled').length
  return { done, refused: CALLS - done }
}

/** The ratio with these limits. The quiet account keeps within its own: a new one each round. */
async function measure(env: Record<string, string>) {
  const data = mkdtempSync(join(tmpdir(), 'bench-fairness-'))
  const workshop = await startWorkshop({ data, env })
  const rounds: { calm: number[]; noisy: number[] }[] = []
  const bursts: { done: number; refused: number }[] = []
  try {
    for (let i = 0; i < ROUNDS; i += 1) {
      const [calmOne, quietOne, noisyOne] = await Promise.all(
        ['calm', 'quiet', 'noisy'].map((name) => makeAccount(workshop, `${name}-${i}`)),
      )
      if (!calmOne || !quietOne || !noisyOne) throw new Error('an account is missing')
      const calm = await stretch(calmOne)
      const [noisy, ended] = await Promise.all([stretch(quietOne), burst(noisyOne)])
      rounds.push({ calm, noisy })
      bursts.push(ended)
      for (const account of [calmOne, quietOne, noisyOne]) account.close()
    }
  } finally {
    await workshop.stop()
    rmSync(data, { recursive: true, force: true })
  }
  const p95 = (times: number[]) => percentile(times, 0.95)
  return {
    raised_limits: env,
    p95: spread(rounds.map(({ calm, noisy }) => p95(noisy) / p95(calm))),
    p50: spread(rounds.map(({ calm, noisy }) => median(noisy) / median(calm))),
    calm_ms: {
      p50: round(median(rounds.flatMap(({ calm }) => calm))),
      p95: round(p95(rounds.flatMap(({ calm }) => calm))),
    },
    quiet_runs: rounds.map(({ calm, noisy }) => [calm.length, noisy.length]),
    bursts,
  }
}

console.log(JSON.stringify({ as_it_is: await measure({}), raised: await measure(RAISED) }))
