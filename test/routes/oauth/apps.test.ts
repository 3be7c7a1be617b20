import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import worker from '../../../src/index.ts'
import { oauthApi, readableName } from '../../../src/routes/oauth/server.ts'
import {
  authorizeUrl,
  callMcp,
  connect,
  LIST,
  ORIGIN,
  register,
  registeredId,
  send,
  statusWith,
} from '../../support/oauth.ts'

const DAY_MS = 86_400_000
const METADATA = `resource_metadata="${ORIGIN}/.well-known/oauth-protected-resource/mcp"`

afterEach(() => {
  vi.useRealTimers()
})

/** Only the clock: timers go on. */
const setClock = (at: number) => vi.useFakeTimers({ toFake: ['Date'], now: at })

describe('discovery', () => {
  test.each(['/.well-known/oauth-protected-resource/mcp', '/.well-known/oauth-protected-resource'])(
    '%s names the resource and who gives tokens for it',
    async (path) => {
      const response = await send(path, { headers: { origin: 'https://app.example' } })
      expect(response.headers.get('access-control-allow-origin')).toBe('*')
      expect(await response.json()).toEqual({
        resource: `${ORIGIN}/mcp`,
        authorization_servers: [ORIGIN],
        scopes_supported: ['read', 'write'],
        bearer_methods_supported: ['header'],
        resource_name: 'Workshop',
      })
    },
  )

  test('the server says what it takes', async () => {
    const response = await send('/.well-known/oauth-authorization-server')
    expect(await response.json()).toMatchObject({
      issuer: ORIGIN,
      authorization_endpoint: `${ORIGIN}/authorize`,
      token_endpoint: `${ORIGIN}/token`,
      registration_endpoint: `${ORIGIN}/register`,
      scopes_supported: ['read', 'write', 'publish', 'offline_access'],
      code_challenge_methods_supported: ['S256'],
      token_endpoint_auth_methods_supported: expect.arrayContaining(['none']),
      client_id_metadata_document_supported: true,
      authorization_response_iss_parameter_supported: true,
    })
  })

  test('who comes without a token is told where to look', async () => {
    const response = await callMcp(null, LIST)
    expect(response.status).toBe(401)
    expect(response.headers.get('www-authenticate')).toBe(
      `Bearer realm="workshop", ${METADATA}, scope="read write"`,
    )
    expect((await send('/v1/activity')).headers.get('www-authenticate')).toContain(METADATA)
  })
})

describe('registration', () => {
  test.each([
    'JaVaScRiPt:alert(1)',
    ' javascript:alert(1)',
    'java\tscript:alert(1)',
    'data:text/html,x',
    'vbscript:x',
    'blob:https://x/1',
    'file:///etc/passwd',
    'https://ok.example/cb#frag',
    'http://not-loopback.example/cb',
    'https://user@ok.example/cb',
    'com.example.app:/cb',
    'not an address',
  ])('the redirect address %j is refused', async (uri) => {
    const response = await register({ redirect_uris: [uri] })
    expect(response.status).toBe(400)
    expect(await response.json()).toMatchObject({ error: expect.stringMatching(/^invalid_/) })
  })

  test('an address beside good ones that cannot be used is kept and never used', async () => {
    const uri = 'cursor://anysphere.cursor-mcp/oauth/callback'
    const client_id = await registeredId({ redirect_uris: ['http://127.0.0.1/cb', uri] })
    const request = new Request(await authorizeUrl({ client_id, redirect_uri: uri }))
    await expect(oauthApi(env).parseAuthRequest(request)).rejects.toThrow()
  })

  test('too many from one address are told to wait; others go on', async () => {
    const answers = await Promise.all(Array.from({ length: 40 }, () => register({}, '203.0.113.7')))
    const refused = answers.filter(({ status }) => status === 429)
    expect(refused.length).toBeGreaterThanOrEqual(10)
    expect(refused[0]?.headers.get('retry-after')).toBe('60')
    expect((await register({}, '203.0.113.8')).status).toBe(201)
  })

  test('an app that is never used is forgotten after 90 days', async () => {
    const clientId = await registeredId()
    const isKnown = async () => (await oauthApi(env).lookupClient(clientId)) !== null
    expect(await isKnown()).toBe(true)
    setClock(Date.now() + 90 * DAY_MS + 1_000)
    expect(await isKnown()).toBe(false)
  })
})

test('what expired is dropped each hour, and nothing else', async () => {
  const { tokens } = await connect()
  const old = 'token:acc_gone:x:y'
  await env.DB.prepare("insert into oauth_entry (key, value, expires_at) values (?, '{}', 1)").bind(old).run()
  await worker.scheduled({ scheduledTime: Date.UTC(2026, 0, 1, 5), cron: '', noRetry() {} }, env)
  const left = await env.DB.prepare('select 1 from oauth_entry where key = ?').bind(old).all()
  expect(left.results).toEqual([])
  expect(await statusWith(tokens.access_token)).toBe(200)
})

test.each([
  ['Claude', 'Claude'],
  [' \u202egnp.exe ', 'gnp.exe'],
  ['a\u0000b\nc', 'abc'],
  ['\u200b', 'An app'],
  ['x'.repeat(100), 'x'.repeat(80)],
])('an app that calls itself %j is called %j', (name, shown) => {
  expect(readableName(name)).toBe(shown)
})
