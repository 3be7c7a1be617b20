import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { APPS, type App, type CallResult } from '../support/clients.ts'
import { newKey } from '../support/suite.ts'
import { toolOf } from '../support/tools.ts'
import { newAccount, startWorkshop, type Workshop } from '../support/workshop.ts'

/** A start of its own, with limits that a test can reach. */
const LIMITS = {
  LIMIT_TASKS_AT_ONCE: '2',
  LIMIT_TASKS_WAITING: '3',
  LIMIT_TOOLS: '3',
  LIMIT_SCHEDULES: '2',
  LIMIT_FILE_BYTES: '100',
}

/** Sleeps until it is cancelled, unless its input says how long. */
const SLEEP = toolOf(
  'tool:sleep',
  {
    'main.py': `import json, sys, time
time.sleep(json.load(sys.stdin).get("s", 50))
print("{}")
`,
  },
  {
    limits: { seconds: 60 },
    verify: [{ kind: 'sample-run', input: { s: 0 }, output_selector: '$', contains: '{' }],
  },
)

let data: string
let workshop: Workshop
beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'workshop-limits-'))
  workshop = await startWorkshop({ data, env: LIMITS })
})
afterAll(async () => {
  await workshop.stop()
  rmSync(data, { recursive: true, force: true })
})

/** An account of this start, with the tool that sleeps. */
async function makeSleeper(handle: string): Promise<{ app: App; token: string }> {
  const { token } = await newAccount(data, handle)
  const app = await APPS['v2 stateless'](workshop.mcpUrl, token)
  const saved = await app.call('save_tool', SLEEP)
  expect(saved.answer.sample_check, saved.text).toMatchObject({ passed: true })
  return { app, token }
}

const run = (app: App, more: Record<string, unknown> = {}) =>
  app.call('run_tool', { tool_id: 'tool:sleep', input: {}, request_key: newKey(), wait_seconds: 0, ...more })

const kept = (results: CallResult[]) => results.filter(({ isError }) => !isError).map(({ answer }) => answer)

/** What all the refusals among these say. */
function expectRefused(results: CallResult[], limit: Record<string, unknown>): void {
  for (const { isError, answer, text } of results) {
    if (!isError) continue
    expect(answer.error, text).toMatchObject({
      code: 'quota_exceeded',
      retry_after_seconds: expect.any(Number),
      limit: { left: 0, ...limit },
    })
  }
}

test('many runs at once: two work, three wait, the others are refused and leave nothing', async () => {
  const { app } = await makeSleeper('burst')
  const results = await Promise.all(Array.from({ length: 40 }, () => run(app)))
  const ids: string[] = kept(results).map(({ task_id }) => task_id)
  expect(ids).toHaveLength(5)
  expectRefused(results, { name: 'tasks_waiting', limit: 3, used: 3 })
  const working = await app.call('list_tasks', { state: 'working' })
  expect(working.answer.tasks.map(({ task_id }: { task_id: string }) => task_id)).toEqual(
    ids.toSorted().toReversed(),
  )

  /** The tasks that have a place, the oldest first. */
  const atWork = async (): Promise<string[]> => {
    const read = await Promise.all(ids.map((task_id) => app.call('read_task', { task_id })))
    return read.filter(({ answer }) => answer.phase === 'running').map(({ answer }) => answer.task_id)
  }
  const twoAtWork = async (isRight: (two: string[]) => boolean): Promise<string[]> => {
    let two = await atWork()
    for (let tries = 0; tries < 60 && !(two.length === 2 && isRight(two)); tries += 1) {
      await sleep(250)
      two = await atWork()
    }
    return two.toSorted()
  }
  // Calls of one moment get their places in the order in which they arrive; the others stand in line by their ids.
  const [first = '', second = ''] = await twoAtWork(() => true)
  const [next = '', later = '', last = ''] = ids.toSorted().filter((id) => id !== first && id !== second)
  const cancel = (task_id: string) => app.call('cancel_task', { task_id })
  await Promise.all([cancel(second), cancel(next)])
  expect(await twoAtWork((two) => !two.includes(second))).toEqual([first, later].toSorted())
  const more = await run(app, { input: { s: 0 } })
  expect(more.answer).toMatchObject({ state: 'working', phase: 'waiting_for_machine' })
  await Promise.all([cancel(first), cancel(later), cancel(last)])
  expect(
    (await app.call('read_task', { task_id: more.answer.task_id, wait_seconds: 30 })).answer,
  ).toMatchObject({
    state: 'completed',
  })
})

test('many repeats: two are kept', async () => {
  const { app } = await makeSleeper('repeats')
  const later = { run_at: new Date(Date.now() + 3_600_000).toISOString(), repeat_every_hours: 1 }
  const results = await Promise.all(Array.from({ length: 10 }, () => run(app, later)))
  expect(kept(results)).toHaveLength(2)
  expectRefused(results, { name: 'schedules', limit: 2, used: 2 })
  const [first] = kept(results)
  await app.call('cancel_task', { task_id: first.task_id })
  expect((await run(app, later)).isError).toBe(false)
})

test('many tools: three are kept, a new version of one of them is none more', async () => {
  const { app } = await makeSleeper('tools')
  const save = (n: number, more: Record<string, unknown> = {}) =>
    app.call('save_tool', { ...SLEEP, descriptor: { ...SLEEP.descriptor, id: `tool:many-${n}`, ...more } })
  const results = await Promise.all(Array.from({ length: 10 }, (_, n) => save(n)))
  expect(kept(results)).toHaveLength(2)
  expectRefused(results, { name: 'tools', limit: 3, used: 3 })
  const number = results.findIndex(({ isError }) => !isError)
  expect((await save(number, { label: 'A new version' })).answer).toMatchObject({ version: 2 })
  for (const [n, { isError }] of results.entries()) {
    const described = await app.call('describe_tool', { tool_id: `tool:many-${n}` })
    expect(described.isError).toBe(isError)
  }
})

describe('too many bytes', () => {
  test('are refused whether they are called in or sent up', async () => {
    const { app } = await makeSleeper('bytes')
    expect((await app.call('write_file', { path: 'a', text: 'x'.repeat(60) })).isError).toBe(false)
    const refused = await app.call('write_file', { path: 'b', text: 'y'.repeat(60) })
    expectRefused([refused], { name: 'file_bytes', limit: 100, used: 60, left: 40 })
    expect(refused.isError).toBe(true)
    const { answer } = await app.call('write_file', { path: 'c' })
    const sent = await fetch(answer.upload_url, { method: 'PUT', body: 'z'.repeat(60) })
    expect(sent.status).toBe(429)
    expect(Number(sent.headers.get('retry-after'))).toBeGreaterThan(0)
    expect(await sent.json()).toMatchObject({
      error: { code: 'quota_exceeded', limit: { name: 'file_bytes' } },
    })
    expect((await app.call('list_files', {})).answer.files).toHaveLength(1)
  })

  test('are shown, with all other limits, as this start has them', async () => {
    const { token } = await makeSleeper('shown')
    const answer = await fetch(`${workshop.url}/v1/limits`, { headers: { authorization: `Bearer ${token}` } })
    const { limits }: { limits: { name: string }[] } = await answer.json()
    expect(limits).toEqual(
      expect.arrayContaining([
        { name: 'tasks_at_once', limit: 2, used: 0, left: 2 },
        { name: 'tasks_waiting', limit: 3, used: 0, left: 3 },
        { name: 'schedules', limit: 2, used: 0, left: 2 },
        { name: 'tools', limit: 3, used: 1, left: 2 },
        { name: 'file_bytes', limit: 100, used: 0, left: 100 },
      ]),
    )
  })
})
