/**
 * What one account's burst costs another: `node test/bench/fairness.ts` prints one line of JSON. A quiet account calls
 * five times a second, one call at a time; in every other stretch a noisy one, which is a process of its own, makes 500 calls
 * in 10 seconds. Figures are the quiet account's times in noisy stretches to its times in calm ones of the same start.
 * `read` is `describe_tool` on both sides: what the Worker and its databases share. `run` is `run_tool`, each with a key
 * of its own: here the scripts of all accounts share this machine's runner and processors too, where a deployment gives
 * each account a container. Each is measured with the limits as they are, and with those of calls and of waiting tasks
 * raised for all, so that all of the burst is done. BENCH_ROUNDS (3) is the number of stretches of each sort.
 */
import { fork } from 'node:child_process'
import { once } from 'node:events'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { toolOf } from '../support/tools.ts'
import { newAccount, startWorkshop, type Workshop } from '../support/workshop.ts'
import { callsOf, type Burst, type Ended, type Sort } from './fairness-calls.ts'
import { median, percentile, round, spread, timed } from './measure.ts'

const ROUNDS = Number(process.env['BENCH_ROUNDS'] ?? 3)
const CALLS = 500
const STRETCH_MS = 10_000
/** The timers of a burst come a little late. */
const SPREAD_MS = STRETCH_MS * 0.98
const RAISED = { LIMIT_CALLS_A_MINUTE: '1000000', LIMIT_TASKS_WAITING: '1000000' }

const WORDS = toolOf('tool:words', {
  'main.py':
    'import json, sys\nprint(json.dumps({"words": len(json.load(sys.stdin).get("text", "").split())}))\n',
})

/** An account with the tool. */
async function makeAccount({ data, mcpUrl }: Workshop, handle: string) {
  const { token } = await newAccount(data, handle)
  const calls = callsOf(mcpUrl, token)
  await calls.address.call('save_tool', WORDS)
  return { ...calls, token }
}

type Account = Awaited<ReturnType<typeof makeAccount>>

/** The quiet account calls as often as an account may that never comes to its limit of 300 a minute. */
const EVERY_MS = 200

/** How long the calls of a stretch took, one after the other, in milliseconds. */
async function stretch(quiet: Account, sort: Sort): Promise<number[]> {
  const until = performance.now() + STRETCH_MS
  const times: number[] = []
  while (performance.now() < until) {
    const tookMs = await timed(() => quiet[sort]())
    times.push(tookMs)
    await sleep(Math.max(0, EVERY_MS - tookMs))
  }
  return times
}

/** A process that stands ready for a burst of calls, evenly over a stretch, whatever becomes of them. */
async function standBy(): Promise<(burst: Burst) => Promise<Ended>> {
  const child = fork(join(import.meta.dirname, 'fairness-burst.ts'))
  await once(child, 'message')
  return async (burst) => {
    child.send(burst)
    const [ended] = (await once(child, 'message')) as [Ended]
    return ended
  }
}

/** The ratios with these limits, of new accounts each round. */
async function measure(sort: Sort, env: Record<string, string>) {
  const data = mkdtempSync(join(tmpdir(), 'bench-fairness-'))
  const workshop = await startWorkshop({ data, env })
  const rounds: { calm: number[]; noisy: number[] }[] = []
  const bursts: Ended[] = []
  try {
    for (let i = 0; i < ROUNDS; i += 1) {
      const [calmOne, quietOne, noisyOne] = await Promise.all(
        ['calm', 'quiet', 'noisy'].map((name) => makeAccount(workshop, `${name}-${i}`)),
      )
      if (!calmOne || !quietOne || !noisyOne) throw new Error('an account is missing')
      const burst = await standBy()
      const calm = await stretch(calmOne, sort)
      const told = { mcpUrl: workshop.mcpUrl, token: noisyOne.token, sort, calls: CALLS, spreadMs: SPREAD_MS }
      const [noisy, ended] = await Promise.all([stretch(quietOne, sort), burst(told)])
      rounds.push({ calm, noisy })
      bursts.push(ended)
      for (const account of [calmOne, quietOne, noisyOne]) account.address.close()
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
    quiet_calls: rounds.map(({ calm, noisy }) => [calm.length, noisy.length]),
    bursts,
  }
}

const result: Record<string, unknown> = {}
for (const sort of ['read', 'run'] as const) {
  result[sort] = { as_it_is: await measure(sort, {}), raised: await measure(sort, RAISED) }
}
console.log(JSON.stringify(result))
