import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { oauthApi } from '../../../src/routes/oauth/server.ts'
import {
  askToken,
  codeFor,
  connect,
  newAccount,
  redeem,
  refresh,
  registeredId,
  statusWith,
  type Tokens,
} from '../../support/oauth.ts'

const DAY_MS = 86_400_000

afterEach(() => {
  vi.useRealTimers()
})

/** Only the clock: timers go on. */
const setClock = (at: number) => vi.useFakeTimers({ toFake: ['Date'], now: at })

describe('a code', () => {
  test('redeemed by six at once is redeemed by one', async () => {
    for (let round = 0; round < 5; round += 1) {
      const accountId = await newAccount()
      const clientId = await registeredId()
      const code = await codeFor(accountId, { client_id: clientId })
      const answers = await Promise.all(Array.from({ length: 6 }, () => redeem(clientId, code)))
      expect(answers.filter(({ ok }) => ok).length).toBe(1)
      for (const answer of answers.filter(({ ok }) => !ok)) {
        expect([answer.status, await answer.json()]).toMatchObject([400, { error: 'invalid_grant' }])
      }
      expect(await tokensWithoutGrant(accountId)).toEqual([])
    }
  })

  test('used again takes back what it gave', async () => {
    const { clientId, code, tokens } = await connect()
    expect((await redeem(clientId, code)).status).toBe(400)
    expect(await statusWith(tokens.access_token)).toBe(401)
    expect((await refresh(clientId, tokens.refresh_token)).status).toBe(400)
  })

  test.each([
    ['another verifier', { code_verifier: 'w'.repeat(43) }, 'invalid_grant'],
    ['no verifier', { code_verifier: '' }, 'invalid_request'],
    ['another redirect address', { redirect_uri: 'https://app.example/other' }, 'invalid_grant'],
    ['another resource', { resource: 'https://other.example/mcp' }, 'invalid_target'],
    ['another code', { code: 'acc_x:y:z' }, 'invalid_grant'],
  ])('with %s is refused', async (_what, change, error) => {
    const accountId = await newAccount()
    const clientId = await registeredId()
    const code = await codeFor(accountId, { client_id: clientId })
    const answer = await redeem(clientId, code, change)
    expect([answer.status, await answer.json()]).toMatchObject([400, { error }])
  })

  test('of another app is refused', async () => {
    const code = await codeFor(await newAccount(), { client_id: await registeredId() })
    expect(await (await redeem(await registeredId(), code)).json()).toMatchObject({ error: 'invalid_grant' })
  })
})

/** What nobody could see or take back. */
async function tokensWithoutGrant(accountId: string): Promise<unknown[]> {
  const keys = await env.DB.prepare('select key from oauth_entry where key like ?')
    .bind(`%:${accountId}:%`)
    .all<{ key: string }>()
  const grants = keys.results.filter(({ key }) => key.startsWith('grant:')).map(({ key }) => key.slice(6))
  const isBelow = (key: string) => grants.some((grant) => key.startsWith(`token:${grant}:`))
  return keys.results.filter(({ key }) => key.startsWith('token:') && !isBelow(key))
}

describe('a refresh', () => {
  test('gives new tokens; the old refresh token ends when the new one is used', async () => {
    const { clientId, tokens } = await connect()
    const second = await (await refresh(clientId, tokens.refresh_token)).json<Tokens>()
    expect(second.refresh_token).not.toBe(tokens.refresh_token)
    expect(await statusWith(second.access_token)).toBe(200)
    const third = await (await refresh(clientId, second.refresh_token)).json<Tokens>()
    expect(await statusWith(third.access_token)).toBe(200)
    const old = await refresh(clientId, tokens.refresh_token)
    expect(await old.json()).toMatchObject({ error: 'invalid_grant' })
  })

  test('asked for by six at once gives nobody a token that is dead', async () => {
    const { clientId, tokens } = await connect()
    const answers = await Promise.all(
      Array.from({ length: 6 }, () => refresh(clientId, tokens.refresh_token)),
    )
    const won = answers.filter(({ ok }) => ok)
    expect(won.length).toBeGreaterThanOrEqual(1)
    for (const lost of answers.filter(({ ok }) => !ok)) {
      expect([lost.status, lost.headers.get('retry-after')]).toEqual([503, '1'])
    }
  })

  test('keeps a connection that is used, and ends one that was not for 90 days', async () => {
    const { clientId, tokens } = await connect()
    const at = Date.now()
    setClock(at + 80 * DAY_MS)
    const later = await (await refresh(clientId, tokens.refresh_token)).json<Tokens>()
    setClock(at + 160 * DAY_MS)
    const latest = await (await refresh(clientId, later.refresh_token)).json<Tokens>()
    expect(latest.access_token).toBeTruthy()
    setClock(at + 251 * DAY_MS)
    expect((await refresh(clientId, latest.refresh_token)).ok).toBe(false)
  })
})

describe('revoking', () => {
  test('by the person ends all tokens of the app at once', async () => {
    const { accountId, clientId, tokens } = await connect()
    const again = await (await refresh(clientId, tokens.refresh_token)).json<Tokens>()
    await revokeAll(accountId)
    for (const { access_token, refresh_token } of [tokens, again]) {
      expect(await statusWith(access_token)).toBe(401)
      const refused = await refresh(clientId, refresh_token)
      expect(await refused.json()).toMatchObject({ error: 'invalid_grant' })
    }
  })

  test('while the app refreshes leaves nothing that nobody can take back', async () => {
    for (let round = 0; round < 5; round += 1) {
      const { accountId, clientId, tokens } = await connect()
      await Promise.all([refresh(clientId, tokens.refresh_token), revokeAll(accountId)])
      expect(await tokensWithoutGrant(accountId)).toEqual([])
      expect(await statusWith(tokens.access_token)).toBe(401)
    }
  })

  test('by the app itself works too', async () => {
    const { clientId, tokens } = await connect()
    await askToken({ client_id: clientId, token: tokens.refresh_token })
    expect(await statusWith(tokens.access_token)).toBe(401)
  })
})

async function revokeAll(accountId: string): Promise<void> {
  const { items } = await oauthApi(env).listUserGrants(accountId)
  for (const { id } of items) await oauthApi(env).revokeGrant(id, accountId)
}
