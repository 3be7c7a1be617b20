/**
 * Runs inside of the container, which has no network: asks its runner for its health, then for each job that the
 * first argument names, and prints both as one line of JSON. Needs nothing but Node.
 */
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health, JobEnd, JobRequest, JobState } from '../../containers/runner/wire.ts'

export type Told = { health: Health; startMs: number; ends: JobEnd[] }

const RUNNER = `http://127.0.0.1:${process.env['RUNNER_PORT']}`
const HEADERS = { authorization: `Bearer ${process.env['RUNNER_SECRET']}` }
const PATIENCE_MS = 30_000

async function untilHealthy(): Promise<Health> {
  for (const end = Date.now() + PATIENCE_MS; ; await sleep(100)) {
    try {
      const answer = await fetch(`${RUNNER}/health`, { headers: HEADERS })
      const health: Health = await answer.json()
      return health
    } catch (error) {
      if (Date.now() > end) throw error
    }
  }
}

async function run(boot: string, wanted: Partial<JobRequest>): Promise<JobEnd> {
  const limits = { memory_mb: 128, disk_mb: 64, processes: 64, stdout_bytes: 10_000, stderr_bytes: 4096 }
  const job: JobRequest = {
    id: crypto.randomUUID(),
    account: 'one',
    boot,
    argv: ['true'],
    stdin: null,
    env: {},
    bundle: null,
    ...wanted,
    limits: { ...limits, wall_ms: 5000, ...wanted.limits },
  }
  const body = JSON.stringify(job)
  const answer = await fetch(`${RUNNER}/jobs?wait_ms=20000`, { method: 'POST', headers: HEADERS, body })
  const state: JobState = await answer.json()
  if (!('end' in state)) throw new Error(JSON.stringify(state))
  return state.end
}

const start = performance.now()
const health = await untilHealthy()
const startMs = Math.round(performance.now() - start)
const ends: JobEnd[] = []
for (const wanted of JSON.parse(process.argv[2] ?? '[]') as Partial<JobRequest>[])
  ends.push(await run(health.boot, wanted))
console.log(JSON.stringify({ health, startMs, ends } satisfies Told))
