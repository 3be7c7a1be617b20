import { abortAllDurableObjects, createScheduledController } from 'cloudflare:test'
import { evictDurableObject, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, expect, inject, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { ACT, makeAccount, type Account, type Answer } from '../support/chaos-app.ts'
import type { Journal, Road } from '../support/chaos-runner.ts'
import { CALM, faults, seeded, type Weather } from '../support/faults.ts'

const { seed, tasks: COUNT, runnerUrl } = inject('chaos')
const random = seeded(seed)
const ACCOUNTS = 10
/** Tasks on their way at once. */
const LANES = 14
/** How long all may take to come to rest once nothing goes wrong any more: the longest patience, and some. */
const REST_MS = 110_000

const STORM: Weather = {
  'lost before': 0.03,
  'lost after': 0.03,
  'dies before': 0.006,
  'dies after': 0.006,
  late: 0.06,
}
const ROUGH: Road = { 'lost before': 0.03, 'lost after': 0.03, late: 0.02, slow: 0.08, killEveryMs: 20_000 }
const SMOOTH: Road = { 'lost before': 0, 'lost after': 0, late: 0, slow: 0, killEveryMs: 0 }

const KINDS = [
  'ok',
  'fail',
  'silent',
  'slow',
  'large',
  'cancelled',
  'scheduled',
  'chained',
  'chained to failure',
] as const
type Kind = (typeof KINDS)[number]

interface Plan {
  kind: Kind
  account: Account
  /** Its number, which a right output holds. */
  n: number
  key: string
  taskId?: string
  /** The task that its input names. */
  source?: string
  /** Refused, because what it names had failed already. */
  isRefused?: boolean
  wasCancelled?: boolean
}

const pick = <T>(from: readonly T[]): T => from[Math.floor(random() * from.length)]!
const road = (wanted: Road) =>
  fetch(`${runnerUrl}/chaos/road`, { method: 'POST', body: JSON.stringify(wanted) })
const readJournal = async () => (await fetch(`${runnerUrl}/chaos/journal`)).json<Journal>()

let accounts: Account[]
const plans: Plan[] = []

beforeAll(async () => {
  console.info(`CHAOS_SEED=${seed} CHAOS_TASKS=${COUNT}`)
  // What is lost on purpose is logged as a defect each time.
  vi.spyOn(console, 'log').mockImplementation(() => {})
  accounts = await Promise.all(Array.from({ length: ACCOUNTS }, () => makeAccount('chaos')))
  await Promise.all(accounts.map((account) => account.insist('save_tool', ACT)))
})

afterAll(async () => {
  faults.weather = CALM
  await road(SMOOTH)
  vi.restoreAllMocks()
})

function makePlan(n: number): Plan {
  const account = pick(accounts)
  const kind = random() < 0.3 ? 'ok' : pick(KINDS)
  const earlier = plans.filter((plan) => plan.account === account && plan.taskId)
  const wanted =
    kind === 'chained'
      ? earlier.filter(({ kind }) => kind === 'ok' || kind === 'large')
      : earlier.filter(({ kind }) => kind === 'fail')
  const isChained = kind === 'chained' || kind === 'chained to failure'
  if (isChained && wanted.length === 0) return { kind: 'ok', account, n, key: `key ${n}` }
  // Most often the newest, which may still be at work.
  const source = isChained ? (random() < 0.7 ? wanted.at(-1) : pick(wanted))! : undefined
  return { kind, account, n: source?.n ?? n, key: `key ${n}`, source: source?.taskId }
}

function callOf({ kind, n, key, source }: Plan): Record<string, unknown> {
  const does = kind === 'fail' || kind === 'silent' || kind === 'large' ? kind : 'ok'
  const input = {
    do: does,
    n: source ? { from_task: source, output_selector: '$.n' } : n,
    ...((kind === 'slow' || kind === 'cancelled') && { s: 0.5 + random() * 1.5 }),
  }
  const run_at = new Date(Date.now() + 500 + random() * 2_000).toISOString()
  return { tool_id: 'tool:act', input, request_key: key, ...(kind === 'scheduled' && { run_at }) }
}

/** Sends a run as an AI app does, some several times at once and again later; cancels it if that is its kind. */
async function perform(plan: Plan): Promise<void> {
  const { account } = plan
  const call = callOf(plan)
  const times = random() < 0.1 ? 3 : 1
  const wait_seconds = pick([0, 1, 3])
  const answers = await Promise.all(
    Array.from({ length: times }, () => account.insist('run_tool', { ...call, wait_seconds })),
  )
  const [first] = answers
  if (first?.error?.code === 'invalid_input' && plan.kind.startsWith('chained')) {
    plan.isRefused = true
    return
  }
  expect(new Set(answers.map(({ task_id }) => task_id)).size, JSON.stringify(answers)).toBe(1)
  plan.taskId = first!.task_id
  if (plan.kind === 'cancelled') {
    await scheduler.wait(random() * 1_500)
    const cancelled = await account.insist('cancel_task', { task_id: plan.taskId })
    plan.wasCancelled = cancelled.end_reason === 'cancelled'
  }
  if (random() < 0.1) {
    const again = await account.insist('run_tool', { ...call, wait_seconds: 0 })
    expect(again.task_id).toBe(plan.taskId)
  }
}

/** What befalls task objects beside lost calls. Each may find its object away or dying, which is no failure. */
const BLOWS: ((account: Account) => Promise<unknown>)[] = [
  (account) => evictDurableObject(account.object()),
  (account) => runDurableObjectAlarm(account.object()),
  async (account) => {
    await runDurableObjectAlarm(account.object())
    await runDurableObjectAlarm(account.object())
  },
  (account) => runInDurableObject(account.object(), (_, state) => state.storage.deleteAlarm()),
  (account) => account.die(),
  () => watch(),
]

/** The watchdog's minute. */
const watch = () => worker.scheduled(createScheduledController(), env)

async function blowUntil(isOver: () => boolean): Promise<void> {
  for (let blow = 1; !isOver(); blow += 1) {
    await scheduler.wait(100 + random() * 400)
    if (blow % 20 === 0) await abortAllDurableObjects()
    else await pick(BLOWS)(pick(accounts)).catch(() => {})
  }
}

async function watchUntil(isOver: () => boolean): Promise<void> {
  while (!isOver()) {
    await watch()
    await scheduler.wait(1_000)
  }
}

/** Why a task's end is not right for its kind; null when it is. */
function wrongIn(plan: Plan, answer: Answer): string | null {
  const { kind, n } = plan
  const { end_reason: reason = answer.state, error } = answer
  const is = (...reasons: string[]) => (reasons.includes(reason) ? null : `${kind} ended ${reason}`)
  if (plan.wasCancelled) return is('cancelled')
  if (['machine_lost', 'result_lost', 'never_started'].includes(reason)) {
    return error?.retryable ? null : `${kind} ended ${reason} and is not retryable`
  }
  switch (kind) {
    case 'fail':
      return is('tool_failed') ?? (answer.exit_code === 3 ? null : `exit code ${answer.exit_code}`)
    case 'silent':
      return is('output_invalid')
    case 'chained to failure':
      return is('input_unavailable')
    case 'large':
      return is('done') ?? (answer.output_file && answer.output_file.size > 24_000 ? null : 'no output file')
    case 'chained':
      if (reason === 'input_unavailable') return null
      break
  }
  const { n: got } = (answer.output ?? {}) as { n?: number }
  return is('done') ?? (got === n ? null : `${kind} returned ${got} for ${n}`)
}

async function listAll(account: Account): Promise<Answer[]> {
  const all: Answer[] = []
  for (let cursor: string | undefined; ;) {
    const page = await account.insist('list_tasks', {
      tool_id: 'tool:act',
      limit: 100,
      ...(cursor && { cursor }),
    })
    all.push(...page.tasks)
    cursor = page.next_cursor
    if (!cursor) return all
  }
}

test('whatever goes wrong, every task ends right, once', async () => {
  const began = performance.now()
  faults.random = random
  faults.weather = STORM
  await road(ROUGH)
  let left = COUNT
  let isStill = false
  const blows = blowUntil(() => isStill)
  const lane = async () => {
    while (left > 0) {
      left -= 1
      const plan = makePlan(COUNT - left)
      plans.push(plan)
      await perform(plan)
    }
  }
  await Promise.all(Array.from({ length: LANES }, lane))
  isStill = true
  await blows
  faults.weather = CALM
  await road(SMOOTH)

  const stormMs = performance.now() - began
  const kept = plans.filter(({ isRefused }) => !isRefused)
  const restBefore = performance.now() + REST_MS
  let isOver = false
  const watching = watchUntil(() => isOver)
  const ends = new Map<Plan, Answer>()
  for (const plan of kept) {
    let answer: Answer
    do answer = await plan.account.insist('read_task', { task_id: plan.taskId, wait_seconds: 10 })
    while (['working', 'scheduled'].includes(answer.state) && performance.now() < restBefore)
    ends.set(plan, answer)
  }
  isOver = true
  await watching
  const restMs = performance.now() - began - stormMs
  const counts: Record<string, number> = { refused: plans.length - kept.length }
  for (const { end_reason: reason = 'none' } of ends.values()) counts[reason] = (counts[reason] ?? 0) + 1
  const { jobs, kills, running } = await readJournal()
  const boots = ({ taskId }: Plan) => Object.values(jobs[taskId ?? ''] ?? {}).flat()
  const lost = kept.filter((plan) => ends.get(plan)?.end_reason === 'machine_lost')
  console.info(
    JSON.stringify({
      seed,
      tasks: COUNT,
      stormMs,
      restMs,
      counts,
      lostBeforeTheyBegan: lost.filter((plan) => boots(plan).length === 0).length,
      kills,
      faults: Object.fromEntries(faults.counts),
    }),
  )

  const wrong = [...ends].flatMap(([{ account, ...plan }, answer]) => {
    const why = wrongIn({ account, ...plan }, answer)
    return why === null ? [] : [{ why, plan, account: account.id, answer }]
  })
  expect(wrong).toEqual([])
  expect(kept.filter((plan) => new Set(boots(plan)).size > 1)).toEqual([])
  expect(running).toBe(0)
  // It was no such storm that nothing got through.
  expect(counts.done).toBeGreaterThan(COUNT / 4)
  for (const account of accounts) {
    const listed = (await listAll(account)).map(({ task_id }) => task_id)
    const wanted = kept.filter((plan) => plan.account === account).map(({ taskId }) => taskId)
    // The sample of the save is one more.
    expect(listed.length).toBe(wanted.length + 1)
    expect(wanted.filter((id) => !listed.includes(id!))).toEqual([])
  }
}, 600_000)
