import { createExecutionContext, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { QUOTAS } from '../../src/core/limits.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { ECHO, toolOf } from '../support/tools.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

// A clock that stands still: every alarm that is due is delivered by hand.
let now = Date.parse('2027-03-01T08:00:00Z')
beforeEach(() => {
  vi.useFakeTimers({ toFake: ['Date'] })
  at(now + DAY)
})
afterEach(() => {
  vi.useRealTimers()
})

function at(time: number): void {
  now = time
  vi.setSystemTime(time)
}

async function makeRunner(): Promise<Inside> {
  const account = await makeInside('limits')
  expect((await account.call('save_tool', ECHO)).sample_check).toMatchObject({ passed: true })
  at(now + MINUTE)
  return account
}

const runOf = (request_key: string, more: Record<string, unknown> = {}) => ({
  tool_id: 'tool:echo',
  input: {},
  request_key,
  wait_seconds: 20,
  ...more,
})

/** What `GET /v1/limits` says, by name. */
async function limitsOf(account: Inside): Promise<Record<string, Record<string, unknown>>> {
  const { limits } = await (await account.get('/v1/limits')).json<{ limits: { name: string }[] }>()
  return Object.fromEntries(limits.map(({ name, ...rest }) => [name, rest]))
}

/** Has the account use up what its containers may run in this day. */
const spendAll = (account: Inside) =>
  runInDurableObject(account.object, (_, { storage }) => {
    storage.sql.exec(
      'insert or replace into spent values (?, ?, ?)',
      'container_ms',
      (Math.floor(now / DAY) + 1) * DAY,
      QUOTAS.containerSecondsADay * 1_000,
    )
  })

describe('calls a minute', () => {
  test('one too many is refused until the next minute; replays of a key do not count', async () => {
    const account = await makeRunner()
    const first = await account.call('run_tool', runOf('first'))
    expect(first.state).toBe('completed')
    const calls = QUOTAS.callsAMinute - 1
    for (let done = 0; done < calls; done += 20) {
      await Promise.all(
        Array.from({ length: Math.min(20, calls - done) }, () => account.call('list_tasks', { limit: 1 })),
      )
    }
    expect((await limitsOf(account)).calls_a_minute).toMatchObject({ used: 300, left: 0 })
    const limit = {
      name: 'calls_a_minute',
      limit: 300,
      used: 300,
      left: 0,
      resets_at: new Date(now + MINUTE).toISOString(),
    }
    const refused = { error: { code: 'rate_limited', retryable: true, retry_after_seconds: 60, limit } }
    expect(await account.call('run_tool', runOf('second'))).toMatchObject(refused)
    expect(await account.call('read_task', { task_id: first.task_id })).toMatchObject(refused)
    expect(await account.call('save_tool', { ...ECHO, files: {} })).toMatchObject(refused)
    expect(await account.call('run_tool', runOf('first'))).toMatchObject({ task_id: first.task_id })
    at(now + MINUTE)
    expect((await account.call('list_tasks', {})).tasks.map((task: { job?: string }) => task.job)).toEqual([
      undefined,
      'sample run of a save',
    ])
    expect(await account.call('run_tool', runOf('second'))).toMatchObject({ state: 'completed' })
  })

  test('what is no call of an operation does not count', async () => {
    const account = await makeInside('limits')
    await account.call('list_tasks', { limit: 0 })
    await account.call('read_task', {})
    expect((await limitsOf(account)).calls_a_minute).toMatchObject({ used: 0 })
    await account.call('read_task', { task_id: 'task_unknown' })
    expect((await limitsOf(account)).calls_a_minute).toMatchObject({ used: 1 })
  })

  test('the guard turns an account away before anything is done', async () => {
    const account = await makeInside('limits')
    const keys: string[] = []
    const CALL_GUARD = {
      async limit({ key }: { key: string }) {
        keys.push(key)
        return { success: false }
      },
    }
    const request = (path: string) =>
      new Request(`http://localhost:8787${path}`, {
        method: path === '/mcp' ? 'POST' : 'GET',
        headers: { authorization: `Bearer ${account.token}`, host: 'localhost:8787' },
      })
    for (const path of ['/mcp', '/v1/limits']) {
      const answer = await worker.fetch(request(path), { ...env, CALL_GUARD }, createExecutionContext())
      expect(answer.status).toBe(429)
      expect(answer.headers.get('retry-after')).toBe('60')
      expect(await answer.json()).toMatchObject({ error: { code: 'rate_limited' } })
    }
    const raised = { ...env, CALL_GUARD, LIMIT_CALLS_A_MINUTE: '5000' }
    expect((await worker.fetch(request('/v1/limits'), raised, createExecutionContext())).status).toBe(200)
    expect(keys).toEqual([account.accountId, account.accountId])
  })
})

describe('container seconds a day', () => {
  test('are what runs really took, each once', async () => {
    const account = await makeRunner()
    await account.call('run_tool', runOf('one', { input: { s: 0.3 } }))
    await account.call('run_tool', runOf('one', { input: { s: 0.3 } }))
    await account.call('run_tool', runOf('two', { input: { s: 0.2 } }))
    await runInDurableObject(account.object, (_, { storage }) => {
      const took = storage.sql.exec("select json_extract(verdict, '$.tookMs') as ms from task").toArray()
      const [spent] = storage.sql.exec('select amount from spent').toArray()
      expect(took).toHaveLength(3)
      expect(spent?.amount).toBe(took.reduce((sum, { ms }) => sum + Math.ceil(Number(ms)), 0))
      expect(Number(spent?.amount)).toBeGreaterThanOrEqual(500)
    })
  })

  test('once used up, runs and saves are refused and nothing of them kept; replays are not', async () => {
    const account = await makeRunner()
    const first = await account.call('run_tool', runOf('first'))
    await spendAll(account)
    const refused = {
      error: {
        code: 'quota_exceeded',
        retryable: true,
        retry_after_seconds: expect.any(Number),
        limit: { name: 'container_seconds_a_day', limit: 14_400, used: 14_400, left: 0 },
      },
    }
    expect(await account.call('run_tool', runOf('second'))).toMatchObject(refused)
    const other = toolOf('tool:other', ECHO.files)
    expect(await account.call('save_tool', other)).toMatchObject(refused)
    expect(await account.call('describe_tool', { tool_id: 'tool:other' })).toHaveProperty('error')
    expect(await account.call('run_tool', runOf('first'))).toMatchObject({ task_id: first.task_id })
    expect(await account.call('save_tool', ECHO)).toMatchObject({ is_unchanged: true })
    at((Math.floor(now / DAY) + 1) * DAY)
    expect(await account.call('run_tool', runOf('second'))).toMatchObject({ state: 'completed' })
    expect((await account.call('save_tool', other)).sample_check).toMatchObject({ passed: true })
  })

  test('a slot without them ends as never started with that code, and the next day its schedule goes on', async () => {
    const account = await makeRunner()
    const plan = runOf('slots', { repeat_every_hours: 24, run_at: new Date(now + HOUR).toISOString() })
    const { task_id } = await account.call('run_tool', plan)
    at(now + HOUR)
    await spendAll(account)
    await runDurableObjectAlarm(account.object)
    const schedule = await account.call('read_task', { task_id })
    expect(schedule).toMatchObject({ state: 'scheduled', missed: 0, last_task_id: expect.any(String) })
    const slot = await account.call('read_task', { task_id: schedule.last_task_id, wait_seconds: 20 })
    expect(slot).toMatchObject({
      state: 'failed',
      end_reason: 'never_started',
      error: { code: 'quota_exceeded', message: expect.stringContaining('14400 seconds a day') },
    })
    expect(slot).not.toHaveProperty('started_at')
    at(now + DAY)
    await runDurableObjectAlarm(account.object)
    const { last_task_id } = await account.call('read_task', { task_id })
    expect(last_task_id).not.toBe(schedule.last_task_id)
    expect(await account.call('read_task', { task_id: last_task_id, wait_seconds: 20 })).toMatchObject({
      state: 'completed',
    })
    // The key stands for the schedule whatever became of its times and of the limits.
    await spendAll(account)
    expect(await account.call('run_tool', plan)).toMatchObject({ task_id, state: 'scheduled' })
  })
})

test('every limit is shown with what is used and left', async () => {
  const account = await makeRunner()
  await account.call('write_file', { path: 'a.txt', text: 'four' })
  await account.call('run_tool', runOf('later', { run_at: new Date(now + HOUR).toISOString() }))
  const limits = await limitsOf(account)
  const resets_at = expect.stringMatching(/^2027-\d\d-\d\dT\d\d:\d\d:00.000Z$/)
  expect(limits).toEqual({
    calls_a_minute: { limit: 300, used: 2, left: 298, resets_at },
    tasks_at_once: { limit: 20, used: 0, left: 20 },
    tasks_waiting: { limit: 500, used: 0, left: 500 },
    schedules: { limit: 200, used: 1, left: 199 },
    container_seconds_a_day: { limit: 14_400, used: 0, left: 14_400, resets_at },
    model_tokens_a_day: { limit: 1_000_000, used: 0, left: 1_000_000, resets_at },
    tools: { limit: 500, used: 1, left: 499 },
    file_bytes: { limit: 10_000_000_000, used: 4, left: 9_999_999_996 },
  })
})
