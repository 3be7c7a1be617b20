import { env, exports } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { source } from '../../src/compose.ts'
import { addToken, createAccount } from '../../src/core/accounts/create.ts'
import { insertToken } from '../../src/core/accounts/store.ts'
import { makeToken } from '../../src/core/accounts/token.ts'
import { openDb } from '../../src/db/client.ts'

const db = openDb(env.DB)
let token: string

beforeAll(async () => {
  token = (await createAccount(db, source, 'callers')).token
})

/** A plain request to the MCP address, as any program can send it. */
function send(headers: Record<string, string>, url = 'http://localhost:8787/mcp'): Promise<Response> {
  return exports.default.fetch(
    new Request(url, {
      method: 'POST',
      headers: {
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
        host: new URL(url).host,
        ...headers,
      },
      body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }),
    }),
  )
}

const bearer = (text: string) => ({ authorization: `Bearer ${text}` })

describe('tokens', () => {
  test('a current one opens the address; only hashes of it are stored', async () => {
    expect((await send(bearer(token))).status).toBe(200)
    const rows = await env.DB.prepare('select * from token').all()
    expect(JSON.stringify(rows.results)).not.toContain(token.split('_').at(-1))
    expect(rows.results).toContainEqual(expect.objectContaining({ last_used_at: expect.any(Number) }))
  })

  test('a further token of the account opens it too', async () => {
    expect((await send(bearer((await addToken(db, source, 'callers')).token))).status).toBe(200)
    await expect(addToken(db, source, 'nobody-here')).rejects.toMatchObject({ code: 'not_found' })
  })

  test.each<[string, () => Record<string, string> | Promise<Record<string, string>>]>([
    ['none', () => ({})],
    ['an unknown one', () => bearer(`wks_pat_${'0'.repeat(16)}_${'0'.repeat(48)}`)],
    ['a right id with another secret', () => bearer(token.replace(/.{4}$/, '0000'))],
    ['one letter more', () => bearer(`${token}0`)],
    ['upper case', () => bearer(token.toUpperCase())],
    ['a scheme that is not Bearer', () => ({ authorization: `Basic ${token}` })],
    ['two tokens', () => bearer(`${token} ${token}`)],
    ['an empty one', () => ({ authorization: 'Bearer ' })],
    ['an expired one', async () => bearer(await expired())],
  ])('%s is answered with 401 and a challenge', async (_what, headers) => {
    const response = await send(await headers())
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toMatch(/^Bearer realm="workshop"/)
    expect(await response.json()).toMatchObject({
      error: { code: 'unauthorized', message: expect.any(String) },
    })
  })

  test('a token in the address opens nothing', async () => {
    expect((await send({}, `http://localhost:8787/mcp?access_token=${token}`)).status).toBe(401)
  })
})

async function expired(): Promise<string> {
  const made = await makeToken(source)
  const accountId = await env.DB.prepare("select id from account where handle = 'callers'").first<string>(
    'id',
  )
  await insertToken(db, made, {
    accountId: accountId ?? '',
    name: 'old',
    scopes: ['read'],
    createdAt: 0,
    expiresAt: Date.now() - 1,
  })
  return made.text
}

describe('accounts', () => {
  test.each(['a', 'A-b', '1ab', 'a_b', 'a'.repeat(32), '', 'callers'])(
    'the handle %j is refused',
    async (handle) => {
      await expect(createAccount(db, source, handle)).rejects.toMatchObject({
        code: 'invalid_request',
        details: { field: 'handle' },
      })
    },
  )
})
