import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, type Account } from '../support/suite.ts'
import { ECHO, toolOf } from '../support/tools.ts'

let account: Account
let app: App

beforeAll(async () => {
  account = await makeAccount('chains')
  app = await account.app()
  await app.call('save_tool', ECHO)
  await app.call('save_tool', toolOf('tool:fails', { 'main.py': 'import sys\nsys.exit(3)\n' }))
})

const run = async (input: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (await app.call('run_tool', { tool_id: 'tool:echo', input, request_key: newKey(), ...more })).answer

const read = async (task_id: string, more: Record<string, unknown> = {}) =>
  (await app.call('read_task', { task_id, wait_seconds: 30, ...more })).answer

describe('outputs of earlier tasks as inputs', () => {
  test('a part, the whole, and at any depth', async () => {
    const first = await run({ n: 7, list: ['a', 'b'] })
    const from_task = first.task_id
    const next = await run({
      part: { from_task, output_selector: '$.got.list[1]' },
      whole: { from_task },
      deep: [{ n: { from_task, output_selector: '$.got.n' } }],
    })
    expect(next).toMatchObject({
      state: 'completed',
      output: { got: { part: 'b', whole: { got: { n: 7, list: ['a', 'b'] } }, deep: [{ n: 7 }] } },
    })
  })

  test('a working one is waited for, and many in a row', async () => {
    const first = await run({ s: 2, n: 1 }, { wait_seconds: 0 })
    const ids = [first.task_id]
    for (let i = 0; i < 5; i += 1) {
      const task = await run(
        { before: { from_task: ids.at(-1), output_selector: '$.got' } },
        { wait_seconds: 0 },
      )
      expect(task).toMatchObject({ state: 'working', phase: 'waiting_for_task' })
      ids.push(task.task_id)
    }
    const tooDeep = await run({ before: { from_task: ids.at(-1) } }, { wait_seconds: 0 })
    expect(tooDeep.error).toMatchObject({ code: 'invalid_input', message: expect.stringContaining('5') })
    const last = await read(ids.at(-1) ?? '')
    expect(last.output.got.before.before.before.before.before).toEqual({ s: 2, n: 1 })
  })

  test('a large output too', async () => {
    const first = await run({ text: 'y'.repeat(30_000), n: 5 })
    expect(first.output_file).toBeTruthy()
    const next = await run({ n: { from_task: first.task_id, output_selector: '$.got.n' } })
    expect(next.output).toEqual({ got: { n: 5 } })
  })

  test('an unknown, a foreign, a failed and a repeating one are refused, the first two alike', async () => {
    const stranger = await (await makeAccount('other-chains')).app()
    await stranger.call('save_tool', ECHO)
    const foreign = await stranger.call('run_tool', {
      tool_id: 'tool:echo',
      input: {},
      request_key: newKey(),
    })
    const refused = await Promise.all(
      [foreign.answer.task_id, foreign.answer.task_id.replace(/.$/, '~')].map((from_task) =>
        run({ a: { from_task } }),
      ),
    )
    expect(refused[0]).toEqual(refused[1])
    expect(refused[0].error).toMatchObject({ code: 'invalid_input', field: 'input' })

    const failed = await app.call('run_tool', { tool_id: 'tool:fails', input: {}, request_key: newKey() })
    const after = await run({ a: { from_task: failed.answer.task_id } })
    expect(after.error.message).toContain('failed')

    const schedule = await run({}, { repeat_every_hours: 1 })
    await expect
      .poll(async () => (await read(schedule.task_id)).last_task_id, { timeout: 10_000 })
      .toBeTruthy()
    const { last_task_id } = await read(schedule.task_id)
    const repeat = await run({ a: { from_task: schedule.task_id } })
    expect(repeat.error.message).toContain(last_task_id)
    await app.call('cancel_task', { task_id: schedule.task_id })
  })

  test('one that fails while it is waited for leaves its followers without an input', async () => {
    const slow = await run({ s: 30 }, { wait_seconds: 0 })
    const follower = await run({ a: { from_task: slow.task_id } }, { wait_seconds: 0 })
    await app.call('cancel_task', { task_id: slow.task_id })
    expect(await read(follower.task_id)).toMatchObject({
      state: 'failed',
      end_reason: 'input_unavailable',
      error: { message: expect.stringContaining(slow.task_id) },
    })
  })

  test('what then does not fit ends with the field; a selector that cannot be read is refused at once', async () => {
    await app.call(
      'save_tool',
      toolOf('tool:needs-number', ECHO.files, {
        input_schema: { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] },
        verify: [{ kind: 'sample-run', input: { n: 1 }, output_selector: '$', contains: '1' }],
      }),
    )
    const first = await run({ n: 'text' })
    const next = (selector: string) =>
      app.call('run_tool', {
        tool_id: 'tool:needs-number',
        input: { n: { from_task: first.task_id, output_selector: selector } },
        request_key: newKey(),
      })
    expect((await next('$.got.n')).answer).toMatchObject({
      state: 'failed',
      end_reason: 'input_unavailable',
      error: { message: expect.stringContaining('input.n') },
    })
    expect((await next('$.none')).answer).toMatchObject({ end_reason: 'input_unavailable' })
    expect((await next('$..n')).answer.error).toMatchObject({
      code: 'invalid_input',
      field: 'input.n.output_selector',
    })
  })
})

/** Processes of this machine whose command holds a text. */
function processesWith(text: string): string[] {
  return readdirSync('/proc').filter((name) => {
    if (!/^\d+$/.test(name)) return false
    try {
      return readFileSync(`/proc/${name}/cmdline`, 'utf8').includes(text)
    } catch {
      return false
    }
  })
}

describe('cancelling', () => {
  test('stops a working run with everything it started, within 3 s', async () => {
    const mark = `mark-${newKey()}`
    await app.call(
      'save_tool',
      toolOf(
        'tool:tree',
        {
          'main.py': `import subprocess, sys, time
if sys.argv[1] != "sample":
    for _ in range(3):
        subprocess.Popen(["python3", "-c", "import time, signal; signal.signal(15, signal.SIG_IGN); time.sleep(600)", sys.argv[1]], start_new_session=True)
    time.sleep(600)
print("{}")
`,
        },
        {
          input_schema: { type: 'object', properties: { mark: { type: 'string' } }, required: ['mark'] },
          invoke: { kind: 'container', argv: ['python3', 'main.py', { from: 'mark' }], stdout: 'json' },
          verify: [{ kind: 'sample-run', input: { mark: 'sample' }, output_selector: '$', contains: '{' }],
          limits: { seconds: 600 },
        },
      ),
    )
    const { answer } = await app.call('run_tool', {
      tool_id: 'tool:tree',
      input: { mark },
      request_key: newKey(),
      wait_seconds: 0,
    })
    await expect.poll(() => processesWith(mark).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
    const other = await (await account.otherToken()).app('v1')
    const cancelled = await other.call('cancel_task', { task_id: answer.task_id })
    expect(cancelled.answer).toMatchObject({ state: 'failed', end_reason: 'cancelled' })
    await expect.poll(() => processesWith(mark), { timeout: 3_000 }).toEqual([])
    const again = await app.call('cancel_task', { task_id: answer.task_id })
    expect(again.answer).toEqual(cancelled.answer)
    expect(await app.call('cancel_task', { task_id: 'task_nothing' })).toMatchObject({
      isError: true,
      answer: { error: { code: 'unknown_task' } },
    })
  })

  test('an ended run stays as it is; a scheduled one never runs', async () => {
    const done = await run({})
    const after = await app.call('cancel_task', { task_id: done.task_id })
    expect(after.answer).toEqual(done)
    const later = await run({}, { run_at: new Date(Date.now() + 3_600_000).toISOString() })
    expect(later.state).toBe('scheduled')
    const { answer } = await app.call('cancel_task', { task_id: later.task_id })
    expect(answer).toMatchObject({ state: 'failed', end_reason: 'cancelled' })
  })
})

describe('for later, and for all to see', () => {
  test('a run in two seconds runs by itself', async () => {
    const later = await run({ n: 1 }, { run_at: new Date(Date.now() + 2_000).toISOString() })
    expect(later.state).toBe('scheduled')
    await expect
      .poll(async () => (await read(later.task_id)).state, { timeout: 15_000, interval: 500 })
      .toBe('completed')
  })

  test('lists show tasks newest first, by state and tool, page by page', async () => {
    const lister = await (await makeAccount('lists')).app()
    await lister.call('save_tool', ECHO)
    const made: string[] = []
    for (let i = 0; i < 3; i += 1) {
      const { answer } = await lister.call('run_tool', {
        tool_id: 'tool:echo',
        input: {},
        request_key: newKey(),
      })
      made.unshift(answer.task_id)
    }
    const list = async (args: Record<string, unknown>) => (await lister.call('list_tasks', args)).answer
    const ids = ({ tasks }: { tasks: { task_id: string }[] }) => tasks.map(({ task_id }) => task_id)
    expect(ids(await list({ tool_id: 'tool:echo' })).slice(0, 3)).toEqual(made)
    expect((await list({})).tasks[0]).not.toHaveProperty('output')
    const page = await list({ limit: 2 })
    expect(ids(page)).toEqual(made.slice(0, 2))
    const rest = await list({ limit: 2, cursor: page.next_cursor })
    expect(ids(rest)[0]).toBe(made[2])
    expect(ids(await list({ state: 'failed' }))).toEqual([])
    expect(ids(await list({ since: new Date(Date.now() + 60_000).toISOString() }))).toEqual([])
    expect((await list({ since: 'soon' })).error).toMatchObject({ field: 'since' })
    expect((await list({ state: 'asleep' })).error).toMatchObject({ field: 'state' })
  })
})

/** The whole length of the promise takes minutes; by default a run of the same kind that is shorter. */
const LONG_SECONDS = Number(process.env.LONG_SECONDS ?? 20)

test(`a task of ${LONG_SECONDS} s goes on without its caller, tells who waits, and is read by another app`, async () => {
  await app.call('save_tool', toolOf('tool:long', ECHO.files, { limits: { seconds: 600 } }))
  const began = await app.call('run_tool', {
    tool_id: 'tool:long',
    input: { s: LONG_SECONDS },
    request_key: newKey(),
    wait_seconds: 5,
  })
  expect(began.answer).toMatchObject({ state: 'working', phase: 'running' })
  await app.close()
  const other = await (await account.otherToken()).app('v1')
  const heard: number[] = []
  for (;;) {
    const { answer } = await other.call(
      'read_task',
      { task_id: began.answer.task_id, wait_seconds: 50 },
      (seconds) => heard.push(seconds),
    )
    if (answer.state === 'working') continue
    expect(answer).toMatchObject({ state: 'completed', output: { got: { s: LONG_SECONDS } } })
    break
  }
  expect(heard.slice(0, 2)).toEqual([5, 10])
}, 300_000)
