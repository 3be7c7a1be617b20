import { beforeAll, describe, expect, inject, test } from 'vitest'
import { EXAMPLE } from '../../src/core/tools/example.ts'
import type { App, Generation } from '../support/clients.ts'
import { makeAccount, newKey, type Account } from '../support/suite.ts'

test('a first start does the main job before your eyes', () => {
  const { printed, mcpUrl } = inject('workshop')
  expect(printed).toContain(
    `claude mcp add --transport http workshop ${mcpUrl} --header "Authorization: Bearer wks_pat_`,
  )
  expect(printed).toMatch(/save_tool {10}tool:count-words, its sample passed/)
  expect(printed).toMatch(/run_tool {11}\{"words":8\}/)
  expect(printed).toMatch(/task {15}task_[0-9a-z]{26}, completed, in \d+ ms/)
})

describe.each<Generation>(['v1', 'v2', 'v2 stateless'])('through the SDK client %s', (generation) => {
  let account: Account
  let app: App
  let taskId: string

  beforeAll(async () => {
    account = await makeAccount('main')
    app = await account.app(generation)
  })

  test('the tools are announced, with instructions', async () => {
    const names = (await app.listTools()).map(({ name }) => name)
    expect(names).toEqual([
      'find_tool_for_job',
      'run_tool',
      'read_task',
      'list_tasks',
      'cancel_task',
      'report_result',
      'describe_tool',
      'save_tool',
      'publish_tool',
      'unpublish_tool',
      'delete_tool',
      'write_file',
      'find_file',
      'list_files',
      'read_file',
      'delete_file',
      'list_connections',
    ])
    expect(app.instructions()).toContain('find_tool_for_job')
  })

  test('the complete example is saved and its sample passes', async () => {
    const { isError, answer, text } = await app.call('save_tool', { ...EXAMPLE })
    expect(isError).toBe(false)
    expect(JSON.parse(text)).toEqual(answer)
    expect(answer).toMatchObject({
      tool_id: 'tool:count-words',
      version: 1,
      hash: expect.stringMatching(/^[0-9a-f]{64}$/),
      sample_check: { passed: true, state: 'completed', output: { words: 5 } },
      next_call: { tool: 'run_tool', arguments: { tool_id: 'tool:count-words' } },
    })
    const again = await app.call('save_tool', { ...EXAMPLE })
    expect(again.answer).toMatchObject({ version: 1, is_unchanged: true, hash: answer.hash })
    expect(again.answer.sample_check.task_id).toBe(answer.sample_check.task_id)
  })

  test('it is found in plain words, and its next_call runs as it is', async () => {
    const { answer } = await app.call('find_tool_for_job', { job: 'count the words in a text' })
    expect(answer.nothing_fits).toBe(false)
    const [best] = answer.candidates
    expect(best).toMatchObject({
      tool_id: 'tool:count-words',
      version: 1,
      runs_on: ['placement:deployed-container'],
      made_by: account.handle,
    })
    const run = await app.call(best.next_call.tool, best.next_call.arguments)
    expect(run.answer).toMatchObject({ state: 'completed', output: { words: 5 } })
  })

  test('it is run', async () => {
    const { answer } = await app.call('run_tool', {
      tool_id: 'tool:count-words',
      input: { text: 'one two  three\nfour' },
      request_key: newKey(),
      job: 'count my words',
    })
    expect(answer).toMatchObject({
      state: 'completed',
      end_reason: 'done',
      output: { words: 4 },
      contract: { passed: true },
      exit_code: 0,
      job: 'count my words',
    })
    taskId = answer.task_id
  })

  test('the task is read by another app with another token of the account', async () => {
    const other = await (await account.otherToken()).app()
    const { answer } = await other.call('read_task', { task_id: taskId })
    expect(answer).toMatchObject({ task_id: taskId, state: 'completed', output: { words: 4 } })
    const part = await other.call('read_task', { task_id: taskId, output_selector: '$.words' })
    expect(part.answer.output).toBe(4)
    await other.close()
  })

  test('another account sees nothing of it', async () => {
    const stranger = await (await makeAccount('stranger')).app(generation)
    const found = await stranger.call('find_tool_for_job', { job: 'count the words in a text' })
    const makers = found.answer.candidates.map(({ made_by }: { made_by: string }) => made_by)
    expect(makers).not.toContain(account.handle)
    const nothing = await stranger.call('find_tool_for_job', { job: 'xylograph quincunx' })
    expect(nothing.answer).toEqual({
      candidates: [],
      nothing_fits: true,
      make_one: { offers: [], save_tool: EXAMPLE },
    })
    for (const [name, args] of [
      ['read_task', { task_id: taskId }],
      ['describe_tool', { tool_id: 'tool:count-words' }],
      ['describe_tool', { tool_id: `tool:${account.handle}/count-words` }],
      ['run_tool', { tool_id: 'tool:count-words', input: { text: 'a' }, request_key: newKey() }],
    ] as const) {
      const refused = await stranger.call(name, args)
      expect(refused.isError).toBe(true)
      expect(refused.answer.error.code).toMatch(/^unknown_(task|tool)$/)
    }
    await stranger.close()
  })

  test('a refusal reaches the model as one, after the tools were listed', async () => {
    await app.listTools()
    const bad = await app.call('run_tool', {
      tool_id: 'tool:count-words',
      input: { txt: 'a' },
      request_key: newKey(),
    })
    expect(bad.isError).toBe(true)
    expect(JSON.parse(bad.text)).toEqual(bad.answer)
    expect(bad.answer.error).toMatchObject({ code: 'invalid_input' })
    expect(bad.answer.error.problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'input.text',
      'input.txt',
    ])
    expect(bad.answer.next_call).toEqual({
      tool: 'describe_tool',
      arguments: { tool_id: 'tool:count-words' },
    })

    const unknown = await app.call('run_tool', { tool_id: 'tool:nothing', input: {}, request_key: newKey() })
    expect(unknown).toMatchObject({
      isError: true,
      answer: { error: { code: 'unknown_tool', field: 'tool_id' } },
    })

    const misspelt = await app.call('find_tool_for_job', { jbo: 'x' })
    expect(misspelt).toMatchObject({ isError: true, answer: { error: { code: 'invalid_request' } } })
    await expect(app.call('no_such_tool', {})).rejects.toThrow(/find_tool_for_job/)
  })

  test('a bad save lists every problem at once and offers the working example', async () => {
    const { isError, answer } = await app.call('save_tool', {
      descriptor: {
        ...EXAMPLE.descriptor,
        id: 'count words',
        job: 'short',
        placement: [],
        invoke: { kind: 'container', argv: ['python3', 'main.py', { from: 'txt' }], stdout: 'json' },
      },
      files: { '../main.py': 'x' },
    })
    expect(isError).toBe(true)
    const paths = answer.error.problems.map(({ path }: { path: string }) => path)
    for (const path of [
      'descriptor.id',
      'descriptor.job',
      'descriptor.placement',
      'descriptor.invoke.argv[2].from',
      'files["../main.py"]',
    ]) {
      expect(paths).toContain(path)
    }
    const saved = await app.call(answer.next_call.tool, answer.next_call.arguments)
    expect(saved.answer.sample_check.passed).toBe(true)
  })
})
