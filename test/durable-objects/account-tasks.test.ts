import { createScheduledController, runDurableObjectAlarm, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { ECHO } from '../support/tools.ts'

const MINUTE = 60_000
const HOUR = 60 * MINUTE
const DAY = 24 * HOUR

let account: Inside
let keys = 0

beforeAll(async () => {
  account = await makeInside('tasks')
  expect((await account.call('save_tool', ECHO)).sample_check).toMatchObject({ passed: true })
})

// A clock that stands still: every alarm that is due is delivered by hand.
let now = Date.parse('2027-01-04T08:00:00Z')
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

const run = (more: Record<string, unknown>) => {
  keys += 1
  return account.call('run_tool', { tool_id: 'tool:echo', input: {}, request_key: `k-${keys}`, ...more })
}
const read = (task_id: string) => account.call('read_task', { task_id, wait_seconds: 20 })
const iso = (time: number) => new Date(time).toISOString()

/** Delivers the alarm and lets what it began come to its end. */
async function ring(): Promise<void> {
  await runDurableObjectAlarm(account.object)
  await runInDurableObject(account.object, () => scheduler.wait(20))
}

/** Ends the object's instance; the next call begins another. */
async function restart({ accountId }: Inside): Promise<void> {
  const object = env.ACCOUNT_TASKS.getByName(accountId)
  await runInDurableObject(object, (_, state) => state.abort('restart')).catch(() => {})
}

/** The tasks of a schedule, oldest first. */
async function slotsOf(scheduleId: string) {
  const { tasks } = await account.call('list_tasks', { limit: 100 })
  return tasks.filter(({ schedule_id }: { schedule_id?: string }) => schedule_id === scheduleId).toReversed()
}

describe('a task for later', () => {
  test('is scheduled, then works, then ends, under one id; its key answers all the while', async () => {
    const later = { request_key: 'later', run_at: iso(now + HOUR), input: { n: 1 } }
    const task = await run(later)
    expect(task).toMatchObject({ state: 'scheduled', next_run_at: iso(now + HOUR) })
    expect(task.next_call).toEqual({ tool: 'read_task', arguments: { task_id: task.task_id } })
    await ring()
    expect((await read(task.task_id)).state).toBe('scheduled')
    expect((await run(later)).task_id).toBe(task.task_id)
    expect((await run({ ...later, run_at: iso(now + 2 * HOUR) })).error.code).toBe('request_key_reused')

    at(now + HOUR)
    await ring()
    expect(await read(task.task_id)).toMatchObject({ state: 'completed', output: { got: { n: 1 } } })
    at(now + 2 * HOUR)
    expect((await run(later)).task_id).toBe(task.task_id)
  })

  test.each([
    [{ run_at: '2027-02-30T00:00:00Z' }, 'run_at', /no day/],
    [{ run_at: 'tomorrow' }, 'run_at', /RFC 3339/],
    [{ run_at: '2020-01-01T00:00:00Z' }, 'run_at', /past/],
    [{ repeat_every_hours: 0.5 }, 'repeat_every_hours', /1 to 8/],
    [{ repeat: { cron: '*/5 * * * *', time_zone: 'UTC' } }, 'repeat.cron', /hour|1 h/],
    [{ repeat: { cron: '0 9 * * *', time_zone: 'Mars/Phobos' } }, 'repeat.time_zone', /time zone/i],
    [{ repeat_every_hours: 2, repeat: { cron: '0 9 * * *', time_zone: 'UTC' } }, 'repeat', /two repeats/],
  ])('%j is refused and nothing is kept', async (times, field, words) => {
    const { error } = await run({ ...times, request_key: 'refused-times' })
    expect(error).toMatchObject({ code: 'invalid_request', field, message: expect.stringMatching(words) })
    expect((await run({ request_key: 'refused-times' })).state).toBe('completed')
    await runInDurableObject(account.object, (_, state) => {
      state.storage.sql.exec("delete from request_key where key = 'refused-times'")
    })
  })
})

describe('a schedule', () => {
  test('runs the newest slot of an outage once, counts the others, whatever the alarm does', async () => {
    const schedule = await run({ repeat_every_hours: 1, input: { n: 2 } })
    expect(schedule).toMatchObject({ state: 'scheduled', next_run_at: iso(now), missed: 0 })
    await ring()
    await ring()
    const [first, ...none] = await slotsOf(schedule.task_id)
    expect(none).toEqual([])
    expect(await read(first.task_id)).toMatchObject({ state: 'completed', output: { got: { n: 2 } } })

    at(now + 5 * HOUR + 10 * MINUTE)
    await ring()
    await ring()
    const seen = await read(schedule.task_id)
    expect(seen).toMatchObject({ state: 'scheduled', missed: 4, next_run_at: iso(now + 50 * MINUTE) })
    const slots = await slotsOf(schedule.task_id)
    expect(slots.map(({ task_id }: { task_id: string }) => task_id)).toEqual([
      first.task_id,
      seen.last_task_id,
    ])
    await account.call('cancel_task', { task_id: schedule.task_id })
  })

  test('skips and counts a slot while the earlier one still works; cancelled, that one goes on', async () => {
    const schedule = await run({ repeat_every_hours: 1, input: { s: 2 } })
    await ring()
    at(now + HOUR)
    await ring()
    const [slot, ...others] = await slotsOf(schedule.task_id)
    expect(others).toEqual([])
    const cancelled = await account.call('cancel_task', { task_id: schedule.task_id })
    expect(cancelled).toMatchObject({ state: 'failed', end_reason: 'cancelled', missed: 1 })
    expect(await read(slot.task_id)).toMatchObject({ state: 'completed' })
    at(now + HOUR)
    await ring()
    expect(await slotsOf(schedule.task_id)).toHaveLength(1)
  })

  test('keeps the local time of its zone over a change of clocks', async () => {
    at(Date.parse('2027-03-26T12:00:00Z'))
    const schedule = await run({ repeat: { cron: '0 9 * * *', time_zone: 'Europe/Berlin' } })
    const seen = []
    for (const _day of [1, 2, 3]) {
      const { next_run_at } = await read(schedule.task_id)
      seen.push(next_run_at)
      at(Date.parse(next_run_at))
      await ring()
    }
    expect(seen).toEqual(['2027-03-27T08:00:00.000Z', '2027-03-28T07:00:00.000Z', '2027-03-29T07:00:00.000Z'])
    await account.call('cancel_task', { task_id: schedule.task_id })
  })

  test('is one row and one slot however often its object is begun anew', async () => {
    const other = await makeInside('restarts')
    await other.call('save_tool', ECHO)
    const schedule = await other.call('run_tool', {
      tool_id: 'tool:echo',
      request_key: 'x',
      run_at: iso(now + HOUR),
      repeat_every_hours: 1,
    })
    for (let i = 0; i < 100; i += 1) {
      await restart(other)
      await other.call('read_task', { task_id: schedule.task_id })
    }
    at(now + HOUR)
    await runDurableObjectAlarm(env.ACCOUNT_TASKS.getByName(other.accountId))
    const slot = async () => {
      const { last_task_id } = await other.call('read_task', { task_id: schedule.task_id })
      return other.call('read_task', { task_id: last_task_id, wait_seconds: 20 })
    }
    expect(await slot()).toMatchObject({ state: 'completed', schedule_id: schedule.task_id })
    const { tasks } = await other.call('list_tasks', { tool_id: 'tool:echo' })
    expect(tasks.filter(({ schedule_id }: { schedule_id?: string }) => schedule_id)).toHaveLength(1)
    expect(tasks.filter(({ state }: { state: string }) => state === 'scheduled')).toHaveLength(1)
  }, 90_000)

  test('ends when its tool is gone, and says so', async () => {
    const other = await makeInside('withdrawn')
    await other.call('save_tool', ECHO)
    const schedule = await other.call('run_tool', {
      tool_id: 'tool:echo',
      request_key: 'x',
      repeat_every_hours: 1,
    })
    expect(await other.call('delete_tool', { tool_id: 'tool:echo' })).toMatchObject({ state: 'deleted' })
    at(now + HOUR)
    await runDurableObjectAlarm(other.object)
    const read = () => other.call('read_task', { task_id: schedule.task_id })
    let ended = await read()
    // The alarm waits for nothing that it sets off.
    for (let tries = 0; ended.state === 'scheduled' && tries < 100; tries += 1) ended = await read()
    expect(ended).toMatchObject({
      state: 'failed',
      end_reason: 'never_started',
      error: { code: 'tool_withdrawn' },
    })
  })

  test('pins the version that it was made with', async () => {
    const schedule = await run({ repeat_every_hours: 1 })
    const changed = ECHO.files['main.py']?.replace('"got"', '"new"') ?? ''
    const saved = await account.call('save_tool', { ...ECHO, files: { 'main.py': changed } })
    expect(saved.version).toBe(schedule.version + 1)
    await ring()
    const [slot] = await slotsOf(schedule.task_id)
    expect(await read(slot.task_id)).toMatchObject({ version: schedule.version, output: { got: {} } })
    await account.call('cancel_task', { task_id: schedule.task_id })
    await account.call('save_tool', ECHO)
  })
})

describe('keeping', () => {
  test('an ended task and its key live for 30 days, then both are gone', async () => {
    const task = await run({ request_key: 'kept' })
    at(now + 29 * DAY)
    await ring()
    expect((await run({ request_key: 'kept' })).task_id).toBe(task.task_id)
    at(now + 2 * DAY)
    await ring()
    expect((await read(task.task_id)).error.code).toBe('unknown_task')
    expect((await run({ request_key: 'kept' })).task_id).not.toBe(task.task_id)
  })

  test('a large output is kept as a file and selected from there', async () => {
    const task = await run({ input: { text: 'x'.repeat(30_000), n: 7 } })
    expect(task.output).toBeUndefined()
    expect(task.output_file).toEqual({
      identity: expect.stringMatching(/^1f:[0-9a-f]{64}$/),
      size: expect.any(Number),
    })
    const kept = await env.FILES.get(`files/${task.output_file.identity.slice(3)}`)
    expect(await kept?.json()).toEqual({ got: { text: 'x'.repeat(30_000), n: 7 } })
    const part = await account.call('read_task', { task_id: task.task_id, output_selector: '$.got.n' })
    expect(part.output).toBe(7)
  })

  test('an output whose bytes are gone is said to be, to readers and to those that wait for it', async () => {
    const task = await run({ input: { text: 'z'.repeat(30_000) } })
    await env.FILES.delete(`files/${task.output_file.identity.slice(3)}`)
    const part = await account.call('read_task', { task_id: task.task_id, output_selector: '$.got' })
    expect(part.error).toMatchObject({ code: 'not_found', message: 'The output of this task is gone.' })
    const next = await run({ input: { a: { from_task: task.task_id } } })
    expect(next).toMatchObject({
      state: 'failed',
      end_reason: 'input_unavailable',
      error: { message: expect.stringContaining(`the output of ${task.task_id} is gone`) },
    })
  })
})

describe('the watchdog', () => {
  const pokeAt = () =>
    env.DB.prepare('select poke_at from watch where account_id = ?')
      .bind(account.accountId)
      .first<number>('poke_at')

  test('finds what a lost alarm has missed', async () => {
    const task = await run({ run_at: iso(now + HOUR) })
    await runInDurableObject(account.object, (_, state) => state.storage.deleteAlarm())
    at(now + HOUR + MINUTE)
    expect(await pokeAt()).toBeLessThanOrEqual(now)
    await worker.scheduled(createScheduledController(), env)
    expect(await read(task.task_id)).toMatchObject({ state: 'completed' })
    expect(await pokeAt()).toBeGreaterThan(now)
  })

  test('is told at most once for many runs of one minute', async () => {
    await run({})
    const told = await pokeAt()
    for (let i = 0; i < 5; i += 1) await run({})
    expect(await pokeAt()).toBe(told)
  })
})
