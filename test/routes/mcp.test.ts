import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { source } from '../../src/compose.ts'
import { createAccount } from '../../src/core/accounts/create.ts'
import { insertToken } from '../../src/core/accounts/store.ts'
import { makeToken } from '../../src/core/accounts/token.ts'
import { openDb } from '../../src/db/client.ts'

const db = openDb(env.DB)
let token: string

beforeAll(async () => {
  token = (await createAccount(db, source, 'mcp-route')).token
})

interface Sent {
  url?: string
  method?: string
  headers?: Record<string, string>
  body?: string
}

function send({ url = 'http://localhost:8787/mcp', method = 'POST', headers = {}, body }: Sent) {
  return exports.default.fetch(
    new Request(url, {
      method,
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        host: new URL(url).host,
        ...headers,
      },
      ...(body !== undefined && { body }),
    }),
  )
}

const rpc = (method: string, params: unknown) => JSON.stringify({ jsonrpc: '2.0', id: 1, method, params })

async function call(name: string, args: unknown, headers: Record<string, string> = {}) {
  const response = await send({ body: rpc('tools/call', { name, arguments: args }), headers })
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data: '))
  return JSON.parse(line?.slice(6) ?? text)
}

describe('the MCP address', () => {
  test.each(['GET', 'DELETE', 'PUT'])('%s is answered with 405 and Allow', async (method) => {
    const response = await send({ method })
    expect([response.status, response.headers.get('allow')]).toEqual([405, 'POST'])
  })

  test('foreign host names and origins are turned away before any sign-in', async () => {
    expect((await send({ url: 'http://evil.example/mcp', body: rpc('ping', {}) })).status).toBe(403)
    const origin = { origin: 'https://evil.example', authorization: 'none' }
    expect((await send({ headers: origin, body: rpc('ping', {}) })).status).toBe(403)
  })

  test('a browser may ask what it may send', async () => {
    const response = await send({
      method: 'OPTIONS',
      headers: { origin: 'http://localhost:3000', 'access-control-request-method': 'POST' },
    })
    expect(response.status).toBe(204)
    expect(response.headers.get('access-control-allow-headers')).toContain('mcp-protocol-version')
  })

  test('a body that is no JSON, or too big, is refused', async () => {
    expect((await send({ body: '{' })).status).toBe(400)
    expect((await send({ body: rpc('tools/call', { pad: 'x'.repeat(4 * 1024 * 1024) }) })).status).toBe(413)
  })

  test('an unknown tool is an error that names the tools', async () => {
    const { error } = await call('nothing', {})
    expect(error).toMatchObject({ code: -32602, message: expect.stringContaining('find_tool_for_job') })
  })

  test('null for an optional input means absent, for a needed one it is refused', async () => {
    const { result } = await call('find_tool_for_job', { job: 'count words', limit: null })
    expect(result.structuredContent.nothing_fits).toBe(true)
    const refused = await call('find_tool_for_job', { job: null })
    expect(refused.result.structuredContent.error).toMatchObject({ code: 'invalid_request', field: 'job' })
  })

  test('every problem of the arguments is told at once, with the nearest name', async () => {
    const { result } = await call('read_task', { task: 'x', wait_seconds: 51 })
    const { problems } = result.structuredContent.error
    expect(problems.map(({ path }: { path: string }) => path).sort()).toEqual([
      'task',
      'task_id',
      'wait_seconds',
    ])
    expect(result.isError).toBe(true)
  })

  test('a token without the scope is refused in words', async () => {
    const made = await makeToken(source)
    const accountId = await env.DB.prepare("select id from account where handle = 'mcp-route'").first<string>(
      'id',
    )
    await insertToken(db, made, {
      accountId: accountId ?? '',
      name: 'reader',
      scopes: ['read'],
      createdAt: Date.now(),
      expiresAt: Date.now() + 60_000,
    })
    const run = { tool_id: 'tool:x', input: {}, request_key: 'k' }
    const { result } = await call('run_tool', run, { authorization: `Bearer ${made.text}` })
    expect(result.structuredContent.error).toMatchObject({
      code: 'insufficient_scope',
      message: expect.stringContaining('"write"'),
    })
  })

  test('a defect is logged under an id, and the id is all that is told', async () => {
    const log = vi.spyOn(console, 'log').mockImplementation(() => {})
    await env.DB.prepare('alter table tool rename to tool_away').run()
    const { result } = await call('find_tool_for_job', { job: 'count words' })
    await env.DB.prepare('alter table tool_away rename to tool').run()
    const { code, message, retryable } = result.structuredContent.error
    expect({ code, retryable }).toEqual({ code: 'internal', retryable: true })
    const [, id] = /\(([0-9a-f-]{36})\)/.exec(message) ?? []
    expect(message).not.toMatch(/tool_search|SQL|no such/)
    expect(log.mock.calls.flat().join('\n')).toContain(id)
    log.mockRestore()
  })
})

test('an address that is not there is answered in JSON', async () => {
  const response = await exports.default.fetch(new Request('http://localhost:8787/nothing'))
  expect(response.status).toBe(404)
  expect(await response.json()).toEqual({ error: { code: 'not_found', message: 'There is nothing here.' } })
})
