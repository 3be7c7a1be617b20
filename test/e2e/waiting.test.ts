import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf, type Account } from '../support/suite.ts'

let account: Account
let app: App

beforeAll(async () => {
  account = await makeAccount('waiting')
  app = await account.app()
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

  test('a caller that goes away loses nothing, and its key starts nothing new', async () => {
    const { mcpUrl } = inject('workshop')
    const call = { tool_id: 'tool:slow', input: { s: 4 }, request_key: newKey() }
    const left = fetch(mcpUrl, {
      method: 'POST',
      signal: AbortSignal.timeout(1_500),
      headers: {
        authorization: `Bearer ${account.token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name: 'run_tool', arguments: call },
      }),
    }).then((response) => response.text())
    await expect(left).rejects.toThrow(/timeout/)
    const { answer } = await app.call('run_tool', call)
    expect(answer).toMatchObject({ state: 'completed' })
    const listed = await app.call('list_tasks', { limit: 1 })
    expect(listed.answer.tasks[0].task_id).toBe(answer.task_id)
    const tookMs = Date.parse(answer.ended_at) - Date.parse(answer.created_at)
    expect(tookMs).toBeLessThan(8_000)
  })

  test('the key of a failed run answers with it, and advises a new one', async () => {
    await app.call('save_tool', toolOf('tool:exits-3', { 'main.py': 'import sys\nsys.exit(3)\n' }))
    const call = { tool_id: 'tool:exits-3', input: {}, request_key: newKey() }
    const first = await app.call('run_tool', call)
    expect(first.answer).toMatchObject({ state: 'failed', exit_code: 3 })
    for (let i = 0; i < 3; i += 1) {
      const again = await app.call('run_tool', call)
      expect(again.answer).toEqual({ ...first.answer, note: expect.stringContaining('new request_key') })
    }
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
