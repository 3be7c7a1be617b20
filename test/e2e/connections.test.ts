import { beforeAll, describe, expect, inject, test } from 'vitest'
import type { App, CallResult } from '../support/clients.ts'
import { change, usingKey } from '../support/connections.ts'
import { makeAccount, newKey, type Account } from '../support/suite.ts'

const sha256 = async (text: string): Promise<string> =>
  Buffer.from(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))).toString('hex')

const run = (app: App, tool_id: string, more: Record<string, unknown> = {}): Promise<CallResult> =>
  app.call('run_tool', { tool_id, request_key: newKey(), ...more })

describe('a tool with a connection, used by two accounts', () => {
  let accounts: { account: Account; app: App; value: string }[]

  beforeAll(async () => {
    accounts = await Promise.all(
      ['one', 'two'].map(async (name) => {
        const account = await makeAccount(`connected-${name}`)
        return { account, app: await account.app(), value: `sk-canary-of-${name}-0123` }
      }),
    )
  })

  test('is saved without it: the sample waits for the person, who is told where', async () => {
    for (const { app } of accounts) {
      const { answer } = await app.call('save_tool', usingKey('tool:uses-key', 'my.key'))
      expect(answer).toMatchObject({
        tool_id: 'tool:uses-key',
        sample_check: {
          passed: false,
          state: 'not_run',
          error: {
            code: 'connection_missing',
            message: expect.stringContaining('my.key'),
            hint: expect.stringContaining(`${inject('workshop').url}/connections?name=my.key`),
          },
        },
        next_call: { tool: 'list_connections', arguments: {} },
      })
      const listed = await app.call('list_connections', {})
      expect(listed.answer).toEqual({
        connections: [{ name: 'my.key', is_set: false, named_by: ['tool:uses-key'] }],
        page: `${inject('workshop').url}/connections`,
      })
      const found = await app.call('find_tool_for_job', { job: 'tool:uses-key' })
      expect(found.answer.candidates[0].needs_connections).toEqual([{ name: 'my.key', connected: false }])
    }
  })

  test('is not run without it: nothing happens before the refusal', async () => {
    const [{ app }] = accounts as [(typeof accounts)[0]]
    const refused = await run(app, 'tool:uses-key')
    expect(refused).toMatchObject({
      isError: true,
      answer: {
        error: {
          code: 'connection_missing',
          message: expect.stringContaining('the connection my.key, which is not set'),
          hint: expect.stringContaining('/connections?name=my.key'),
        },
      },
    })
    expect((await app.call('list_tasks', {})).answer.tasks).toEqual([])
  })

  test('gets the value of whoever runs it, and nobody is shown it', async () => {
    for (const { account, app, value } of accounts) {
      const set = await change(account, 'my.key', value)
      expect([set.status, set.body]).toEqual([200, { name: 'my.key', kind: 'text', is_set: true }])
      const saved = await app.call('save_tool', usingKey('tool:uses-key', 'my.key'))
      expect(saved.answer).toMatchObject({ is_unchanged: true, sample_check: { passed: true } })
    }
    for (const { app, value } of accounts) {
      const { answer, text } = await run(app, 'tool:uses-key')
      expect(answer).toMatchObject({
        state: 'completed',
        output: { sha256: await sha256(value), said: '[connection my.key]' },
      })
      expect(text).not.toContain(value)
      const described = await app.call('describe_tool', { tool_id: 'tool:uses-key' })
      expect(described.answer.needs_connections).toEqual([{ name: 'my.key', connected: true }])
      expect((await app.call('list_connections', {})).answer.connections).toEqual([
        {
          name: 'my.key',
          kind: 'text',
          is_set: true,
          named_by: ['tool:uses-key'],
          updated_at: expect.stringMatching(/^\d{4}-/),
        },
      ])
    }
  })

  test('takes another value from the next run on, and none once it is removed', async () => {
    const [{ account, app }] = accounts as [(typeof accounts)[0]]
    await change(account, 'my.key', 'sk-canary-anew-4567')
    expect((await run(app, 'tool:uses-key')).answer.output.sha256).toBe(await sha256('sk-canary-anew-4567'))
    expect(await change(account, 'my.key')).toMatchObject({ status: 200, body: { is_set: false } })
    expect((await run(app, 'tool:uses-key')).answer.error.code).toBe('connection_missing')
    expect(await change(account, 'my.key')).toMatchObject({ status: 404 })
  })
})

test('a value that is JSON is hidden in all its parts', async () => {
  const account = await makeAccount('connected-json')
  const app = await account.app()
  const value = '{"user":"u1","password":"hunter2-long"}'
  await change(account, 'DB', value)
  const script = `import base64, json, os, sys, urllib.parse
key = os.environ["KEY"]
password = json.loads(key)["password"]
print(password, base64.b64encode(("x" + password).encode()).decode(), file=sys.stderr)
print(json.dumps([password, key, urllib.parse.quote_plus(key), base64.b64encode(key.encode()).decode(), list(password)]))
`
  const saved = await app.call('save_tool', usingKey('tool:prints-password', 'DB', script))
  expect(saved.answer.sample_check).toMatchObject({ state: 'completed' })
  const { answer, text } = await run(app, 'tool:prints-password')
  expect(answer).toMatchObject({ state: 'completed', stderr: expect.stringContaining('[connection DB]') })
  expect(answer.output.slice(0, 4)).toEqual([
    '[connection DB]',
    '[connection DB]',
    '[connection DB]',
    expect.stringMatching(/^\[connection DB\].{0,2}$/),
  ])
  // What comes back in parts cannot be told from anything else.
  expect(answer.output[4].join('')).toBe('hunter2-long')
  for (const secret of ['hunter2-long', btoa('hunter2-long').slice(0, 12), btoa(value).slice(0, 40)]) {
    expect(text).not.toContain(secret)
  }
})

describe('PUT /v1/connections/<name>', () => {
  let account: Account

  beforeAll(async () => {
    account = await makeAccount('connecting')
  })

  test.each<[what: string, name: string, value: unknown, status: number, says: RegExp]>([
    ['a name with a blank', 'a%20b', 'sk-canary-0123', 400, /a letter, then up to 63/],
    ['a name that is too long', 'a'.repeat(65), 'sk-canary-0123', 400, /a letter, then up to 63/],
    ['a short value', 'k', 'canary', 400, /fewer than 8/],
    ['a number', 'k', 12_345_678, 400, /must be a text/],
    ['a value past 8 KB', 'k', 'canary--'.repeat(1_025), 400, /8200 bytes; at most 8192/],
    ['a body past all measure', 'k', 'canary--'.repeat(7_500), 413, /at most 8192/],
  ])('%s is refused in words that do not repeat it', async (...row) => {
    const [, name, value, status, says] = row
    const refused = await change(account, name, value)
    expect(refused.status).toBe(status)
    expect(refused.text).toMatch(says)
    expect(refused.text).not.toContain('canary')
  })

  test('another body is refused, and so is a caller without a token', async () => {
    const put = (body: string, token = account.token) =>
      fetch(`${inject('workshop').url}/v1/connections/k`, {
        method: 'PUT',
        headers: { authorization: `Bearer ${token}` },
        body,
      })
    for (const body of ['', 'sk-canary-0123', '"sk-canary-0123"', '{"value":"sk-canary-0123","name":"k"}']) {
      const refused = await put(body)
      expect(refused.status).toBe(400)
      expect(await refused.text()).not.toContain('canary')
    }
    expect((await put('{"value":"sk-canary-0123"}', 'wks_pat_none')).status).toBe(401)
    const app = await account.app()
    expect((await app.call('list_connections', {})).answer.connections).toEqual([])
  })
})

test('what is said of a run tells no value either', async () => {
  const account = await makeAccount('connected-report')
  const app = await account.app()
  await change(account, 'my.key', 'sk-canary-of-notes')
  await app.call('save_tool', usingKey('tool:reported', 'my.key'))
  const { answer } = await run(app, 'tool:reported')
  const note = `It printed sk-canary-of-notes and ${btoa('sk-canary-of-notes')}.`
  const reported = await app.call('report_result', { task_id: answer.task_id, met: true, note })
  expect(reported.answer.reports).toMatchObject([
    { met: true, note: 'It printed [connection my.key] and [connection my.key].' },
  ])
  expect((await app.call('read_task', { task_id: answer.task_id })).text).not.toContain('canary')
})
