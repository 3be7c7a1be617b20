import { createScheduledController, runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, expect, test, vi } from 'vitest'
import worker from '../../src/index.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { toolOf } from '../support/tools.ts'

const HOUR = 3_600_000
const DAY = 24 * HOUR

const TOOL = toolOf('tool:checked', { 'main.py': 'print(\'{"fine": true}\')' })

let maker: Inside
let handle: string
let stranger: Inside
let now = Date.parse('2028-02-01T08:00:00Z')

beforeAll(async () => {
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(now)
  stranger = await makeInside('reader')
  maker = await makeInside('checked')
  expect((await maker.call('save_tool', TOOL)).sample_check).toMatchObject({ passed: true })
  const published = await maker.call('publish_tool', { tool_id: 'tool:checked' })
  expect(published).toMatchObject({ state: 'published' })
  handle = published.tool_id.slice('tool:'.length).split('/')[0]
})
afterAll(() => vi.useRealTimers())

// The clock stands still within a test and is a little later in the next: ids sort by time.
beforeEach(() => at(now + 1))

function at(time: number): void {
  now = time
  vi.setSystemTime(time)
}

const dueAt = async (): Promise<number> => {
  const row = await env.DB.prepare('select next_check_at as at from tool where account_id = ?')
    .bind(maker.accountId)
    .first<{ at: number }>()
  return row?.at ?? 0
}

const minute = () => worker.scheduled(createScheduledController(), env)

/** Daily runs so far, oldest first, once all have ended and were told. */
async function runs() {
  const { tasks } = await maker.call('list_tasks', { tool_id: 'tool:checked', limit: 100 })
  const daily = tasks.filter(({ job }: { job?: string }) => job?.startsWith('daily run')).toReversed()
  for (const { task_id } of daily) await maker.call('read_task', { task_id, wait_seconds: 20 })
  await runInDurableObject(maker.object, () => scheduler.wait(50))
  return daily
}

/**
 * Has the published sample expect something else: it stands for a sample that no longer passes, or passes again. The
 * hash too, as the task object keeps what it once ran.
 */
const expectText = (text: string) =>
  env.DB.prepare(
    `update tool_version set descriptor = json_set(descriptor, '$.verify[0].contains', ?), hash = hex(randomblob(32))
     where tool_id = (select id from tool where account_id = ?)`,
  )
    .bind(text, maker.accountId)
    .run()

/** Lets the next daily run come and end. */
async function nextDay(): Promise<void> {
  at((await dueAt()) + 1)
  await minute()
  await runs()
}

const shown = (account: Inside, tool_id: string) => account.call('describe_tool', { tool_id })

test('a published sample is run at its minute, once however often that is looked at, also when minutes were missed', async () => {
  const due = await dueAt()
  expect(due).toBeGreaterThan(now)
  expect(due - now).toBeLessThanOrEqual(DAY)
  await minute()
  expect(await runs()).toEqual([])
  at(due)
  await Promise.all([minute(), minute(), minute()])
  await minute()
  expect(await runs()).toHaveLength(1)
  expect(await dueAt()).toBe(due + DAY)
  at(due + 4 * DAY + HOUR)
  await minute()
  await minute()
  expect(await runs()).toHaveLength(2)
  expect(await dueAt()).toBe(due + 5 * DAY)
  // No run of anybody: a sample is no evidence.
  expect((await shown(maker, 'tool:checked')).earlier_runs).toMatchObject({ runs: 0, accounts: 0 })
})

test('three failures in a row mark the tool for everyone, its maker sees why, a pass clears it', async () => {
  await expectText('nothing like it')
  await nextDay()
  const since = (await shown(maker, 'tool:checked')).daily_check.failed_since
  await nextDay()
  expect(await shown(stranger, `tool:${handle}/checked`)).toMatchObject({ sample: { state: 'passed' } })
  await nextDay()
  expect(await shown(stranger, `tool:${handle}/checked`)).toMatchObject({
    sample: { state: 'failed' },
    failing_since: since,
  })
  const own = await shown(maker, 'tool:checked')
  expect(own.daily_check).toMatchObject({
    failed_in_a_row: 3,
    failed_since: since,
    checks: [{ kind: 'sample-run', passed: false }],
  })
  expect((await shown(stranger, `tool:${handle}/checked`)).daily_check).toBeUndefined()
  const found = await stranger.call('find_tool_for_job', { job: `tool:${handle}/checked` })
  expect(found.candidates[0]).toMatchObject({ tool_id: `tool:${handle}/checked`, sample_state: 'failed' })

  await expectText('fine')
  await nextDay()
  expect(await shown(maker, 'tool:checked')).toMatchObject({
    sample: { state: 'passed' },
    daily_check: { failed_in_a_row: 0, failed_since: null },
  })
})

test('publishing again clears the mark too; withdrawn, nothing is run any more', async () => {
  await expectText('nothing like it')
  for (let day = 0; day < 3; day += 1) await nextDay()
  expect((await shown(maker, 'tool:checked')).sample.state).toBe('failed')
  const refused = await maker.call('publish_tool', { tool_id: 'tool:checked' })
  expect(refused).toMatchObject({ error: { code: 'sample_failed' } })
  await expectText('fine')
  at(now + HOUR)
  expect((await maker.call('publish_tool', { tool_id: 'tool:checked' })).state).toBe('published')
  expect((await shown(maker, 'tool:checked')).sample.state).toBe('passed')

  const before = await runs()
  await maker.call('unpublish_tool', { tool_id: 'tool:checked' })
  at(now + 2 * DAY)
  await minute()
  expect(await runs()).toHaveLength(before.length)
})
