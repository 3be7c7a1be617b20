import { beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/core/operations.ts'
import type { App } from '../support/clients.ts'
import { change, usingKey } from '../support/connections.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import { ECHO, toolOf } from '../support/tools.ts'

let owner: App
let stranger: App
/** What the owner has, and ids of the same shape that nobody has. */
let theirs: {
  tool: string
  full: string
  /** A published tool: its second version is private. */
  shared: string
  task: string
  /** The owner's own run of the published tool. */
  sharedTask: string
  schedule: string
  path: string
  file: string
}
let nobodys: typeof theirs

beforeAll(async () => {
  const account = await makeAccount('owner')
  owner = await account.app()
  stranger = await (await makeAccount('stranger')).app()
  await change(account, 'owner-key', 'canary-of-the-owner')
  await owner.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id: 'tool:private' } })
  await owner.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id: 'tool:shared' } })
  const published = await owner.call('publish_tool', { tool_id: 'tool:shared' })
  expect(published.answer).toMatchObject({ state: 'published', version: 1 })
  const second = { ...ECHO.descriptor, id: 'tool:shared', job: 'Do what the canary does' }
  await owner.call('save_tool', { ...ECHO, descriptor: second })
  const run = async (more: Record<string, unknown>) => {
    const call = { tool_id: 'tool:private', input: { secret: 'canary' }, request_key: newKey(), ...more }
    return (await owner.call('run_tool', call)).answer.task_id as string
  }
  const own = await stranger.call('write_file', { path: 'own.txt', text: 'own' })
  const saved = await stranger.call(
    'save_tool',
    toolOf('tool:takes-file', ECHO.files, {
      input_schema: { type: 'object', properties: { file: { type: 'string', format: 'namespace-file' } } },
      verify: [
        {
          kind: 'sample-run',
          input: { file: own.answer.identity },
          output_selector: '$',
          contains: '/inputs/',
        },
      ],
    }),
  )
  expect(saved.answer.sample_check).toMatchObject({ passed: true })
  const kept = await owner.call('write_file', { path: 'notes/private.txt', text: 'canary' })
  theirs = {
    tool: 'tool:private',
    full: `tool:${account.handle}/private`,
    shared: `tool:${account.handle}/shared`,
    task: await run({}),
    sharedTask: await run({ tool_id: 'tool:shared@1' }),
    schedule: await run({ run_at: new Date(Date.now() + 3_600_000).toISOString() }),
    path: 'notes/private.txt',
    file: kept.answer.identity,
  }
  nobodys = {
    tool: 'tool:privatf',
    full: `tool:${account.handle}/privatf`,
    shared: `tool:${account.handle}/sharee`,
    task: neighbourOf(theirs.task),
    sharedTask: neighbourOf(theirs.sharedTask),
    schedule: neighbourOf(theirs.schedule),
    path: 'notes/privatf.txt',
    file: `1f:${'0'.repeat(64)}`,
  }
})

/** An id of the same time that nobody has. */
const neighbourOf = (id: string): string => id.slice(0, -1) + (id.endsWith('0') ? '1' : '0')

type Ids = typeof theirs

/** For each operation the calls that name something of another account. A new operation needs its line here. */
const MATRIX: Record<string, (ids: Ids) => Record<string, unknown>[]> = {
  find_tool_for_job: ({ tool }) => [{ job: tool }],
  run_tool: ({ tool, full, shared, task, sharedTask, file }) => [
    { tool_id: `${shared}@2`, input: {}, request_key: 'tenancy' },
    { tool_id: 'tool:takes-file', input: { file }, request_key: newKey() },
    { tool_id: tool, input: {}, request_key: 'tenancy' },
    { tool_id: full, input: {}, request_key: 'tenancy' },
    { tool_id: `${full}@1`, input: {}, request_key: 'tenancy' },
    { tool_id: 'tool:own', input: { a: { from_task: task } }, request_key: 'tenancy' },
    { tool_id: 'tool:own', input: { a: { from_task: sharedTask } }, request_key: 'tenancy' },
    { tool_id: theirs.shared, input: { a: { from_task: sharedTask } }, request_key: 'tenancy' },
  ],
  read_task: ({ task, sharedTask, schedule }) => [
    { task_id: task },
    { task_id: sharedTask },
    { task_id: schedule },
  ],
  list_connections: () => [{}],
  list_tasks: ({ tool, task }) => [{ tool_id: tool }, { cursor: task }],
  cancel_task: ({ task, sharedTask, schedule }) => [
    { task_id: task },
    { task_id: sharedTask },
    { task_id: schedule },
  ],
  report_result: ({ task, sharedTask, schedule }) => [
    { task_id: task, met: false },
    { task_id: sharedTask, met: false },
    { task_id: schedule, met: false },
  ],
  describe_tool: ({ tool, full, shared }) => [
    { tool_id: tool },
    { tool_id: full },
    { tool_id: `${full}@1` },
    { tool_id: `${shared}@2` },
  ],
  // What only a maker may do is refused the same of a tool that everyone can run.
  publish_tool: ({ tool, full, shared }) => [
    { tool_id: tool },
    { tool_id: full },
    { tool_id: shared },
    { tool_id: shared, version: 2 },
  ],
  unpublish_tool: ({ tool, full, shared }) => [{ tool_id: tool }, { tool_id: full }, { tool_id: shared }],
  delete_tool: ({ tool, full, shared }) => [{ tool_id: tool }, { tool_id: full }, { tool_id: shared }],
  find_file: ({ path }) => [{ words: path }],
  list_files: ({ path }) => [{ folder: path.split('/')[0] }, { cursor: path }],
  read_file: ({ path, file }) => [{ path }, { identity: file }],
  delete_file: ({ path }) => [{ path }],
  // A path that another account has too is one's own; what is written there is the stranger's alone.
  write_file: ({ path }) => [{ path, text: 'mine' }],
  // An id of one's own that another account has too is one's own.
  save_tool: ({ full, shared }) => [
    { ...ECHO, descriptor: { ...ECHO.descriptor, id: full } },
    { ...ECHO, descriptor: { ...ECHO.descriptor, id: shared } },
  ],
}

test('every operation is in the matrix', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
})

/** What may differ between two calls however alike: new ids, times, and the id that the caller wrote itself. */
const bare = (answer: unknown, ids: Ids): string => {
  // Everyone may see what is published.
  let text = JSON.stringify(answer).replaceAll(theirs.shared, '<shared>')
  for (const [name, id] of Object.entries(ids)) text = text.replaceAll(id, `<${name}>`)
  return text.replaceAll(/(run|task)_[0-9a-z]{26}/g, '<id>').replaceAll(/\d{4}-\d\d-\d\dT[\d:.]+Z/g, '<time>')
}

describe.each(Object.keys(MATRIX))('%s', (name) => {
  test("another account's and an unknown one answer the same bytes", async () => {
    await stranger.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id: 'tool:own' } })
    const calls = MATRIX[name]
    if (!calls) throw new Error(`${name} has no line`)
    const unknown = calls(nobodys)
    for (const [i, args] of calls(theirs).entries()) {
      const foreign = await stranger.call(name, args)
      const missing = await stranger.call(name, unknown[i] ?? {})
      expect(bare(foreign.answer, theirs)).toBe(bare(missing.answer, nobodys))
      expect(foreign.isError).toBe(missing.isError)
      expect(foreign.text).not.toContain('canary')
    }
  })
})

test("another account's connection and an unknown one answer the same bytes", async () => {
  const app = await (await makeAccount('unconnected')).app()
  const answers = []
  for (const name of ['owner-key', 'owner-kez']) {
    const saved = await app.call('save_tool', usingKey(`tool:uses-${name}`, name))
    const run = await app.call('run_tool', { tool_id: `tool:uses-${name}`, request_key: newKey() })
    expect(run.answer.error.code).toBe('connection_missing')
    const { sample_check } = saved.answer
    answers.push(JSON.stringify([sample_check, run.answer]).replaceAll(name, '<name>'))
  }
  expect(answers[0]).toBe(answers[1])
  expect((await app.call('list_connections', {})).text).not.toContain('canary')
})

const READS = OPERATIONS.filter(({ scope, name }) => scope === 'read' && MATRIX[name]).map(({ name }) => name)

test.each(READS)('%s answers its owner what it kept from the stranger', async (name) => {
  for (const args of MATRIX[name]?.(theirs) ?? []) {
    const [own, foreign] = [await owner.call(name, args), await stranger.call(name, args)]
    expect(own.isError, own.text).toBe(false)
    expect(bare(own.answer, theirs)).not.toBe(bare(foreign.answer, theirs))
  }
})

test('what a stranger tried changed nothing', async () => {
  expect((await owner.call('read_task', { task_id: theirs.task })).answer).toMatchObject({
    state: 'completed',
    output: { got: { secret: 'canary' } },
  })
  expect((await owner.call('read_task', { task_id: theirs.schedule })).answer.state).toBe('scheduled')
  expect((await owner.call('describe_tool', { tool_id: theirs.tool })).answer.version).toBe(1)
  await owner.call('cancel_task', { task_id: theirs.schedule })
})

test('of a published tool a stranger gets what was published, and no more', async () => {
  const { answer } = await stranger.call('describe_tool', { tool_id: theirs.shared })
  expect(answer).toMatchObject({ tool_id: theirs.shared, version: 1, versions: [{ version: 1 }] })
  expect(JSON.stringify(answer)).not.toContain('canary')
  const call = { tool_id: theirs.shared, input: { mine: 1 }, request_key: newKey() }
  const run = await stranger.call('run_tool', call)
  expect(run.answer).toMatchObject({ state: 'completed', output: { got: { mine: 1 } } })
  const found = await stranger.call('find_tool_for_job', { job: theirs.shared })
  expect(found.answer.candidates[0]).toMatchObject({ tool_id: theirs.shared, version: 1 })
  // The run is the stranger's alone.
  expect((await owner.call('read_task', { task_id: run.answer.task_id })).answer.error.code).toBe(
    'unknown_task',
  )
  expect((await owner.call('describe_tool', { tool_id: 'tool:shared' })).answer.version).toBe(2)
})
