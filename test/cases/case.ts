import { expect, inject } from 'vitest'
import type { App, CallResult } from '../support/clients.ts'
import { makeAccount, newKey, toolOf, type Account } from '../support/suite.ts'

/** A script, and how its sample must end. `from` names the public report of the fault that it stands for. */
export interface ScriptCase {
  from: string
  what: string
  files: Record<string, string>
  /** Replaces parts of the descriptor. */
  given?: Record<string, unknown>
  /** The whole output of a completed task. */
  output?: unknown
  /** More that the task must say. */
  task?: Record<string, unknown>
}

/** An account and an app of it. */
export interface Bench {
  account: Account
  app: App
}

export async function openBench(prefix: string): Promise<Bench> {
  const account = await makeAccount(prefix)
  return { account, app: await account.app() }
}

let saved = 0

/** Saves a tool that must be accepted; gives its id and the task of its sample. */
export async function save(
  { app }: Bench,
  files: Record<string, string>,
  given: Record<string, unknown> = {},
) {
  saved += 1
  const { isError, answer } = await app.call('save_tool', toolOf(`tool:case-${saved}`, files, given))
  expect(isError, JSON.stringify(answer)).toBe(false)
  const toolId: string = answer.tool_id
  const task = await app.call('read_task', { task_id: answer.sample_check.task_id, wait_seconds: 50 })
  expect(task.answer.ended_at, task.text).toBeTruthy()
  return { toolId, sample: answer.sample_check, task: task.answer }
}

export function run({ app }: Bench, toolId: string, input: Record<string, unknown>): Promise<CallResult> {
  return app.call('run_tool', { tool_id: toolId, input, request_key: newKey(), wait_seconds: 50 })
}

/** A run whose input is sent as the very text given: what no JavaScript value can say. */
export async function runText({ account }: Bench, toolId: string, input: string): Promise<CallResult> {
  const args = `{"tool_id":${JSON.stringify(toolId)},"input":${input},"request_key":"${newKey()}"}`
  const response = await fetch(inject('workshop').mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${account.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: `{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"run_tool","arguments":${args}}}`,
  })
  const text = await response.text()
  expect(response.status, text).toBe(200)
  const { result } = JSON.parse(/^data: (.*)$/m.exec(text)?.[1] ?? text)
  expect(result, text).toBeTruthy()
  return {
    isError: result.isError === true,
    answer: result.structuredContent,
    text: result.content[0].text,
  }
}

/** Saves the case's script and holds the task of its sample against what is expected. */
export async function expectScript(
  bench: Bench,
  { files, given, output, task: expected }: ScriptCase,
): Promise<void> {
  const { task, sample } = await save(bench, files, given)
  if (output === undefined) {
    expect(task).toMatchObject({ state: 'failed', ...expected })
    expect(task).not.toHaveProperty('output')
    expect(sample).toMatchObject({ passed: false, state: 'failed' })
    return
  }
  expect(task).toMatchObject({ state: 'completed', end_reason: 'done', exit_code: 0, ...expected })
  expect(task.output).toEqual(output)
}

/** A refusal that a person can act on, about these places; never a defect of ours. */
export function expectRefusal({ isError, answer, text }: CallResult, code: string, paths: string[]): void {
  expect(isError, text).toBe(true)
  expect(answer.error.code, text).toBe(code)
  const told = (answer.error.problems ?? [{ path: answer.error.field }]) as { path: string }[]
  expect(told.map(({ path }) => path).sort()).toEqual(paths.toSorted())
}

/** A tool that takes one text as its argument, with a sample that it passes. */
export const ofText = (main: string, type: Record<string, unknown> = { type: 'string' }) => ({
  files: { 'main.py': main },
  given: {
    input_schema: { type: 'object', properties: { text: type }, required: ['text'] },
    invoke: { kind: 'container', argv: ['python3', 'main.py', { from: 'text' }], stdout: 'json' },
  },
})
