import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  callMcp,
  callTool,
  connect,
  LIST,
  newAccount,
  ORIGIN,
  send,
  statusWith,
  type Tokens,
} from '../../support/oauth.ts'

const DAY_MS = 86_400_000
const METADATA = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`

afterEach(() => {
  vi.useRealTimers()
})

/** Only the clock: timers go on. */
const setClock = (at: number) => vi.useFakeTimers({ toFake: ['Date'], now: at })

describe('a token', () => {
  let connected: Awaited<ReturnType<typeof connect>>
  beforeAll(async () => {
    connected = await connect()
  })

  test('is for a day, for this server, for what was allowed, and opens both interfaces', async () => {
    const { tokens } = connected
    expect(tokens).toMatchObject({
      expires_in: 86_400,
      resource: `${ORIGIN}/mcp`,
      scope: 'read write offline_access',
    })
    expect(await statusWith(tokens.access_token)).toBe(200)
    const bearer = { headers: { authorization: `Bearer ${tokens.access_token}` } }
    expect((await send('/v1/activity', bearer)).status).toBe(200)
  })

  test('is kept as a hash alone, and so are codes', async () => {
    const { results } = await env.DB.prepare('select * from oauth_entry').all()
    const kept = JSON.stringify(results)
    const { access_token, refresh_token } = connected.tokens
    for (const text of [access_token, refresh_token, connected.code]) {
      expect(kept).not.toContain(text.split(':')[2])
    }
  })

  test.each<[string, (token: string) => Promise<string> | string]>([
    ['for another server', async () => (await otherServers()).access_token],
    ['that expired', async () => (await expired()).access_token],
    ['with one character changed', (token) => token.slice(0, -1) + (token.endsWith('a') ? 'b' : 'a')],
    ['of another account', (token) => token.replace(/^[^:]+/, 'acc_other')],
    ['that is a refresh token', () => connected.tokens.refresh_token],
    ['that is a code', () => connected.code],
    ['of three empty parts', () => '::'],
  ])('%s opens nothing', async (_what, make) => {
    const response = await callMcp(await make(connected.tokens.access_token), LIST)
    expect(response.status).toBe(401)
    const challenge = response.headers.get('www-authenticate')
    expect(challenge).toContain('error="invalid_token"')
    expect(challenge).toContain(METADATA)
  })

  test('in the address opens nothing, and is refused in words', async () => {
    for (const header of [null, connected.tokens.access_token]) {
      const path = `/mcp?access_token=${connected.tokens.access_token}`
      const response = await callMcp(header, LIST, path)
      expect(response.status).toBe(401)
      expect((await response.json<{ error: { message: string } }>()).error.message).toContain('address')
    }
  })

  test('stands for its own account, whatever the address says', async () => {
    const other = await newAccount()
    const write = callTool('write_file', { path: 'whose.txt', text: 'mine' })
    const { access_token } = connected.tokens
    const answer = await callMcp(access_token, write, `/mcp?account=${other}`)
    expect(await answer.text()).toContain('whose.txt')
    const rows = await env.DB.prepare("select account_id from file where path = 'whose.txt'").all()
    expect(rows.results).toEqual([{ account_id: connected.accountId }])
  })

  test('is noted to be used at most once an hour', async () => {
    const { accountId, tokens } = await connect()
    const at = Date.now()
    const used = async () => {
      const query = env.DB.prepare('select used_at from oauth_entry where key like ?')
      const { results } = await query.bind(`%:${accountId}:%`).all<{ used_at: number }>()
      return results.map(({ used_at }) => used_at)
    }
    for (const [after, noted] of [
      [0, 0],
      [3_599_000, 0],
      [3_601_000, 3_601_000],
    ] as const) {
      setClock(at + after)
      expect(await statusWith(tokens.access_token)).toBe(200)
      expect(await used()).toEqual([at + noted, at + noted])
    }
  })
})

/** A token of the same server for an address that is not ours. */
async function otherServers(): Promise<Tokens> {
  const { tokens, accountId } = await connect()
  await env.DB.prepare('update oauth_entry set value = replace(value, ?, ?) where key like ?')
    .bind(`${ORIGIN}/mcp`, 'https://other.example/mcp', `token:${accountId}:%`)
    .run()
  return tokens
}

async function expired(): Promise<Tokens> {
  setClock(Date.now() - DAY_MS - 1_000)
  const { tokens } = await connect()
  vi.useRealTimers()
  return tokens
}

describe('scopes', () => {
  const call = (token: string, body: unknown, headers: Record<string, string>) =>
    send('/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        host: 'localhost:8787',
        ...headers,
      },
      body: JSON.stringify(body),
    })

  test('that an app lacks are asked for before MCP is spoken, in both generations', async () => {
    const { tokens } = await connect({ scope: 'read' })
    const body = callTool('run_tool', { tool_id: 'tool:x', input: {}, request_key: 'k' })
    const answers = [
      await callMcp(tokens.access_token, body),
      await callMcp(tokens.access_token, [LIST, body]),
      await call(tokens.access_token, body, { 'mcp-method': 'tools/call', 'mcp-name': 'run_tool' }),
    ]
    for (const answer of answers) {
      expect(answer.status).toBe(403)
      expect(answer.headers.get('www-authenticate')).toBe(
        `Bearer realm="workshop", ${METADATA}, scope="read write", error="insufficient_scope"`,
      )
      expect(await answer.json()).toMatchObject({ error: { code: 'insufficient_scope' } })
    }
    expect((await callMcp(tokens.access_token, callTool('list_files'))).status).toBe(200)
  })

  test('for publishing are asked for when it comes to that', async () => {
    const { tokens } = await connect()
    const answer = await callMcp(tokens.access_token, callTool('publish_tool', { tool_id: 'tool:x' }))
    expect(answer.status).toBe(403)
    expect(answer.headers.get('www-authenticate')).toContain('scope="read write publish"')
  })

  test('are checked once more by the operation, whatever a header says', async () => {
    const { tokens } = await connect({ scope: 'read' })
    const body = callTool('write_file', { path: 'x', text: 'x' })
    const headers = { 'mcp-method': 'tools/call', 'mcp-name': 'list_files' }
    expect(await (await call(tokens.access_token, body, headers)).text()).not.toContain('"identity"')
    const rows = await env.DB.prepare("select * from file where path = 'x'").all()
    expect(rows.results).toEqual([])
  })
})
