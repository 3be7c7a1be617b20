import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf } from '../support/suite.ts'

let app: App

beforeAll(async () => {
  app = await (await makeAccount('waiting')).app()
})

const run = async (tool_id: string, input: Record<string, unknown>, more: Record<string, unknown> = {}) =>
  (await app.call('run_tool', { tool_id, input, request_key: newKey(), ...more })).answer

describe('waiting', () => {
  test('a run longer than its wait is read to its end later', async () => {
    await app.call(
      'save_tool',
      toolOf('tool:slow', {
        'main.py': 'import time, sys, json\ntime.sleep(json.load(sys.stdin).get("s", 0))\nprint("{}")\n',
      }),
    )
    const began = await run('tool:slow', { s: 3 }, { wait_seconds: 0 })
    expect(began).toMatchObject({ state: 'working', next_call: { tool: 'read_task' } })
    const { answer } = await app.call(began.next_call.tool, began.next_call.arguments)
    expect(answer).toMatchObject({ task_id: began.task_id, state: 'completed' })
  })

  test('the same request_key is the same task; with another input it is refused, naming it', async () => {
    const call = { tool_id: 'tool:slow', input: { s: 0, a: 1 }, request_key: newKey() }
    const answers = await Promise.all(Array.from({ length: 10 }, () => app.call('run_tool', call)))
    expect(new Set(answers.map(({ answer }) => answer.task_id)).size).toBe(1)
    const later = await app.call('run_tool', {
      ...call,
      input: { a: 1, s: 0 },
      job: 'told later',
      wait_seconds: 1,
    })
    expect(later.answer.task_id).toBe(answers[0]?.answer.task_id)
    const other = await app.call('run_tool', { ...call, input: { s: 0, a: 2 } })
    expect(other.answer).toMatchObject({
      error: { code: 'request_key_reused', message: expect.stringContaining(later.answer.task_id) },
      next_call: { tool: 'read_task', arguments: { task_id: later.answer.task_id } },
    })
  })

  test('an unknown task and a wrong selector are refused in words', async () => {
    expect(await app.call('read_task', { task_id: 'task_0' })).toMatchObject({
      isError: true,
      answer: { error: { code: 'unknown_task' } },
    })
    const done = await run('tool:slow', {})
    expect(await app.call('read_task', { task_id: done.task_id, output_selector: '$..x' })).toMatchObject({
      isError: true,
      answer: { error: { field: 'output_selector' } },
    })
  })
})
