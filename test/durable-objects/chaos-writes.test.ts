import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, describe, expect, test, vi } from 'vitest'
import { ACT, makeAccount, type Account } from '../support/chaos-app.ts'
import { faults, HANG_MS, type Fault, type Point } from '../support/faults.ts'

const FAULTS: Fault[] = ['lost before', 'lost after', 'dies before', 'dies after']

/** Each call by which a run leaves a trace, or learns of one. */
const POINTS: Point[] = [
  'submit',
  'set alarm',
  'R2 get',
  'R2 put',
  'runner health',
  'runner bundle',
  'runner job',
  'runner poll',
]

let account: Account
/** Part of each output: other suites keep outputs of low numbers, and what is there already is not put again. */
let rounds = 1_000_000

beforeAll(async () => {
  // What is lost on purpose is logged as a defect each time.
  vi.spyOn(console, 'log').mockImplementation(() => {})
  account = await makeAccount('writes')
  await account.call('save_tool', ACT)
})

afterAll(() => void vi.restoreAllMocks())

beforeEach(() => {
  rounds += 1
})

/** A tool whose code the runner has not yet, so that a run goes through every call there is. */
async function saveNew(): Promise<string> {
  const id = `tool:act-${rounds}`
  const files = { 'main.py': `${ACT.files['main.py']}# ${rounds}\n` }
  await account.insist('save_tool', { descriptor: { ...ACT.descriptor, id }, files })
  return id
}

describe.each(POINTS)('%s', (point) => {
  test.each(FAULTS)('%s: one run, ended right', async (fault) => {
    const run = {
      tool_id: 'tool:act',
      input: { do: 'large', n: rounds, s: 0.3 },
      request_key: `${point} ${fault}`,
    }
    faults.plan(account.id, point, fault)
    if (point === 'R2 get' || point === 'runner bundle') run.tool_id = await saveNew()
    // Without its answer the runner is asked again, and only then polled.
    if (point === 'runner poll') faults.plan(account.id, 'runner job', 'lost after')
    // An object asks for the boot of its machine once in its life.
    if (point === 'runner health') await account.die()
    const answer = await account.insist('run_tool', { ...run, wait_seconds: 50 })
    expect(faults.hasHappened(account.id, point)).toBe(true)
    expect(answer).toMatchObject({ state: 'completed', output_file: { size: expect.any(Number) } })
    const again = await account.insist('run_tool', run)
    expect(again.task_id).toBe(answer.task_id)
  })
})

describe('D1 write', () => {
  test.each(FAULTS)('%s: the catalogue hears of a sample all the same', async (fault) => {
    faults.plan(account.id, 'D1 write', fault)
    const id = await saveNew()
    await expect.poll(() => sampleState(id), { timeout: 20_000, interval: 200 }).toBe('passed')
    expect(faults.hasHappened(account.id, 'D1 write')).toBe(true)
  })
})

test('a machine that cannot be told to stop holds up neither readers nor alarms', async () => {
  const run = (key: string, input: Record<string, unknown>, more = {}) =>
    account.insist('run_tool', { tool_id: 'tool:act', input, request_key: key, wait_seconds: 0, ...more })
  const slow = await run('to be cancelled', { do: 'ok', n: 1, s: 5 })
  await expect.poll(() => handleOf(slow.task_id), { timeout: 5_000 }).not.toBe(null)
  faults.plan(account.id, 'runner stop', ...Array.from({ length: 10 }, (): Fault => 'hangs'))
  const began = performance.now()
  const cancelling = account.call('cancel_task', { task_id: slow.task_id })
  await scheduler.wait(300)
  const [first, second] = await Promise.all(
    [500, 1_200].map((inMs) =>
      run(`in ${inMs} ms`, { do: 'ok', n: inMs }, { run_at: new Date(Date.now() + inMs).toISOString() }),
    ),
  )
  await scheduler.wait(2_000)
  for (const task_id of [first?.task_id, second?.task_id]) {
    const read = await account.insist('read_task', { task_id, wait_seconds: 5 })
    expect(read).toMatchObject({ state: 'completed' })
  }
  expect(performance.now() - began).toBeLessThan(HANG_MS)
  faults.plan(account.id, 'runner stop')
  await cancelling
})

const handleOf = (taskId: string) =>
  runInDurableObject(
    account.object(),
    (_, { storage }) => storage.sql.exec('select handle from task where id = ?', taskId).one().handle,
  )

const sampleState = (toolId: string) =>
  env.DB.prepare(
    'select sample_state from tool_version v join tool t on t.id = v.tool_id where t.slug = ? order by v.number desc',
  )
    .bind(toolId.replace('tool:', ''))
    .first<string>('sample_state')
