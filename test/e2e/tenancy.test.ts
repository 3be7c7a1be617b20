import { beforeAll, describe, expect, test } from 'vitest'
import { OPERATIONS } from '../../src/core/operations.ts'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import { ECHO, toolOf } from '../support/tools.ts'

let owner: App
let stranger: App
/** What the owner has, and ids of the same shape that nobody has. */
let theirs: { tool: string; full: string; task: string; schedule: string; path: string; file: string }
let nobodys: typeof theirs

beforeAll(async () => {
  const account = await makeAccount('owner')
  owner = await account.app()
  stranger = await (await makeAccount('stranger')).app()
  await owner.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id: 'tool:private' } })
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
    task: await run({}),
    schedule: await run({ run_at: new Date(Date.now() + 3_600_000).toISOString() }),
    path: 'notes/private.txt',
    file: kept.answer.identity,
  }
  nobodys = {
    tool: 'tool:privatf',
    full: `tool:${account.handle}/privatf`,
    task: neighbourOf(theirs.task),
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
  run_tool: ({ tool, full, task, file }) => [
    { tool_id: 'tool:takes-file', input: { file }, request_key: newKey() },
    { tool_id: tool, input: {}, request_key: 'tenancy' },
    { tool_id: full, input: {}, request_key: 'tenancy' },
    { tool_id: `${full}@1`, input: {}, request_key: 'tenancy' },
    { tool_id: 'tool:own', input: { a: { from_task: task } }, request_key: 'tenancy' },
  ],
  read_task: ({ task, schedule }) => [{ task_id: task }, { task_id: schedule }],
  list_tasks: ({ tool, task }) => [{ tool_id: tool }, { cursor: task }],
  cancel_task: ({ task, schedule }) => [{ task_id: task }, { task_id: schedule }],
  describe_tool: ({ tool, full }) => [{ tool_id: tool }, { tool_id: full }, { tool_id: `${full}@1` }],
  find_file: ({ path }) => [{ words: path }],
  list_files: ({ path }) => [{ folder: path.split('/')[0] }, { cursor: path }],
  read_file: ({ path, file }) => [{ path }, { identity: file }],
  delete_file: ({ path }) => [{ path }],
  // A path that another account has too is one's own; what is written there is the stranger's alone.
  write_file: ({ path }) => [{ path, text: 'mine' }],
  // An id of one's own that another account has too is one's own.
  save_tool: ({ full }) => [{ ...ECHO, descriptor: { ...ECHO.descriptor, id: full } }],
}

test('every operation is in the matrix', () => {
  expect(Object.keys(MATRIX).toSorted()).toEqual(OPERATIONS.map(({ name }) => name).toSorted())
})

/** What may differ between two calls however alike: new ids, times, and the id that the caller wrote itself. */
const bare = (answer: unknown, ids: Ids): string => {
  let text = JSON.stringify(answer)
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

test('what a stranger tried changed nothing', async () => {
  expect((await owner.call('read_task', { task_id: theirs.task })).answer).toMatchObject({
    state: 'completed',
    output: { got: { secret: 'canary' } },
  })
  expect((await owner.call('read_task', { task_id: theirs.schedule })).answer.state).toBe('scheduled')
  expect((await owner.call('describe_tool', { tool_id: theirs.tool })).answer.version).toBe(1)
  await owner.call('cancel_task', { task_id: theirs.schedule })
})
