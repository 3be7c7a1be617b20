import { afterEach, beforeAll, describe, expect, test, vi } from 'vitest'
import {
  authorizeUrl,
  ORIGIN,
  redeem,
  registeredId,
  statusWith,
  type Asked,
  type Tokens,
} from '../../support/oauth.ts'
import { PASSWORD, signUp, Visitor } from '../../support/visitor.ts'

afterEach(() => {
  vi.restoreAllMocks()
})

const pathOf = async (asked: Asked) => (await authorizeUrl(asked)).slice(ORIGIN.length)
const handleIn = (page: string) => /name="handle" value="([^"]+)"/.exec(page)?.[1] ?? ''
const ticksIn = (page: string) =>
  [...page.matchAll(/name="scope" value="(\w+)" checked/g)].map(([, scope]) => scope)

/** Sends the consent form that a visitor was shown. A field may come more than once. */
function decide(visitor: Visitor, fields: [string, string][]): Promise<Response> {
  const body = new URLSearchParams([['csrf', visitor.csrf], ['handle', handleIn(visitor.page)], ...fields])
  return visitor.get('/authorize', { method: 'POST', body, headers: { origin: ORIGIN } })
}

const ALLOW: [string, string][] = [
  ['scope', 'read'],
  ['scope', 'write'],
  ['decision', 'allow'],
]

const targetOf = (response: Response) => new URL(response.headers.get('location') ?? 'none:')

let visitor: Visitor
let handle: string
beforeAll(async () => {
  ;({ visitor, handle } = await signUp('consent'))
})

describe('the consent page', () => {
  test('is shown after signing in, to who came without a session', async () => {
    const { email } = await signUp('later')
    const stranger = new Visitor()
    const path = await pathOf({ client_id: await registeredId() })
    const asked = await stranger.get(path)
    expect(asked.status).toBe(303)
    const signIn = asked.headers.get('location') ?? ''
    expect(signIn).toMatch(/^\/sign-in\?next=%2Fauthorize/)
    await stranger.get(signIn)
    const next = new URL(signIn, ORIGIN).searchParams.get('next') ?? ''
    const back = await stranger.post('/sign-in', { email, password: PASSWORD, next })
    expect(back.headers.get('location')).toBe(path)
    await stranger.get(path)
    expect(stranger.page).toContain('Connect Test app?')
  })

  test('says who asks, for what, and where it leads, and cannot be framed', async () => {
    const client_name = '<b>Claude</b>\u202e'
    const client_id = await registeredId({ client_name })
    const response = await visitor.get(await pathOf({ client_id, scope: 'read publish offline_access' }))
    expect(response.headers.get('x-frame-options')).toBe('DENY')
    expect(response.headers.get('content-security-policy')).toContain("frame-ancestors 'none'")
    expect(response.headers.get('cache-control')).toBe('no-store')
    for (const part of [
      '&lt;b&gt;Claude&lt;/b&gt;</strong> wants to use Workshop',
      `as <strong>${handle}</strong>`,
      'Unverified name',
      'Access is sent to <strong>app.example</strong>',
    ]) {
      expect(visitor.page).toContain(part)
    }
    expect(visitor.page).not.toContain('on this computer')
    expect(ticksIn(visitor.page)).toEqual(['read', 'publish'])
  })

  test('warns of programs on this computer', async () => {
    const client_id = await registeredId({ redirect_uris: ['http://127.0.0.1/cb'] })
    await visitor.get(await pathOf({ client_id, redirect_uri: 'http://127.0.0.1:33418/cb' }))
    expect(visitor.page).toContain('a program on this computer')
    expect(visitor.page).toContain('127.0.0.1:33418')
  })

  test('names the domain of an app that has a document', async () => {
    const client_id = 'https://client.example/oauth.json'
    const document = { client_id, client_name: 'Known app', redirect_uris: ['https://client.example/cb'] }
    const fetched = vi.spyOn(globalThis, 'fetch').mockImplementation(async () => Response.json(document))
    await visitor.get(await pathOf({ client_id, redirect_uri: 'https://client.example/cb' }))
    expect(fetched).toHaveBeenCalled()
    expect(visitor.page).toContain('published by <strong>client.example</strong>')
    fetched.mockImplementation(async () =>
      Response.json({ ...document, client_id: 'https://other.example/x' }),
    )
    expect((await visitor.get(await pathOf({ client_id: 'https://client.example/other.json' }))).status).toBe(
      400,
    )
    expect(visitor.page).toContain('What client.example says of the app')
  })

  test('offers what the main job needs when an app names nothing', async () => {
    await visitor.get(await pathOf({ client_id: await registeredId(), scope: '' }))
    expect(ticksIn(visitor.page)).toEqual(['read', 'write'])
  })
})

describe('an answer', () => {
  let client_id: string
  beforeAll(async () => {
    client_id = await registeredId()
  })

  test('that allows less gives a token for less', async () => {
    await visitor.get(await pathOf({ client_id }))
    const target = targetOf(
      await decide(visitor, [
        ['scope', 'read'],
        ['scope', 'offline_access'],
        ['decision', 'allow'],
      ]),
    )
    expect(target.origin + target.pathname).toBe('https://app.example/callback')
    expect([target.searchParams.get('state'), target.searchParams.get('iss')]).toEqual(['state-1', ORIGIN])
    const tokens = await (await redeem(client_id, target.searchParams.get('code') ?? '')).json<Tokens>()
    expect(tokens.scope).toBe('read offline_access')
    expect(await statusWith(tokens.access_token)).toBe(200)
  })

  test('that denies says so to the app', async () => {
    await visitor.get(await pathOf({ client_id }))
    const target = targetOf(await decide(visitor, [['decision', 'deny']]))
    expect(target.searchParams.get('error')).toBe('access_denied')
    expect(target.searchParams.get('code')).toBeNull()
  })

  test('that allows nothing is asked for again, and the page still holds', async () => {
    await visitor.get(await pathOf({ client_id }))
    const { page } = visitor
    const nothing = await decide(visitor, [
      ['scope', 'offline_access'],
      ['decision', 'allow'],
    ])
    expect(nothing.status).toBe(400)
    expect(visitor.page).toContain('Nothing is ticked')
    visitor.page = page
    expect(targetOf(await decide(visitor, ALLOW)).searchParams.get('code')).toBeTruthy()
  })

  test('cannot change who asked or where the code goes', async () => {
    await visitor.get(await pathOf({ client_id }))
    const target = targetOf(
      await decide(visitor, [
        ...ALLOW,
        ['redirect_uri', 'https://evil.example/cb'],
        ['client_id', await registeredId({ redirect_uris: ['https://evil.example/cb'] })],
      ]),
    )
    expect(target.host).toBe('app.example')
    const code = target.searchParams.get('code') ?? ''
    expect((await redeem(client_id, code)).status).toBe(200)
  })

  test('cannot allow what there is not', async () => {
    await visitor.get(await pathOf({ client_id }))
    const response = await decide(visitor, [...ALLOW, ['scope', 'admin']])
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  test('counts once, also when it comes twice at once', async () => {
    await visitor.get(await pathOf({ client_id }))
    const { page } = visitor
    const answers = await Promise.all([decide(visitor, ALLOW), decide(visitor, ALLOW)])
    expect(answers.map(({ status }) => status).toSorted((a, b) => a - b)).toEqual([303, 400])
    visitor.page = page
    expect((await decide(visitor, ALLOW)).status).toBe(400)
    expect(visitor.page).toContain('Start again from the app.')
  })

  test('counts in the browser that was asked alone', async () => {
    const { visitor: other } = await signUp('other')
    await visitor.get(await pathOf({ client_id }))
    await other.get('/sign-out')
    other.page += `name="handle" value="${handleIn(visitor.page)}"`
    const response = await decide(other, ALLOW)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })

  test.each([
    ['from elsewhere', { origin: 'https://evil.example' }, undefined],
    ['without what our forms carry', { origin: ORIGIN }, 'x'],
  ])('%s is refused', async (_what, headers, csrf) => {
    await visitor.get(await pathOf({ client_id }))
    const fields = { handle: handleIn(visitor.page), scope: 'read', decision: 'allow' }
    const response = await visitor.post('/authorize', { ...fields, ...(csrf && { csrf }) }, headers)
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
  })
})

describe('a wrong question is answered here, and leads nowhere', () => {
  let client_id: string
  beforeAll(async () => {
    client_id = await registeredId({ redirect_uris: ['https://app.example/callback', 'http://127.0.0.1/cb'] })
  })

  test.each([
    'https://app.example/callback/more',
    'https://app.example:8443/callback',
    'https://app.example@evil.example/callback',
    'https://user@app.example/callback',
    'https://app.example/callback#fragment',
    'https://evil.app.example/callback',
    'https://app.example/CALLBACK',
    'https://app.example/%63allback',
    'http://app.example/callback',
    'https://app.example/callback?next=https://evil.example',
    'https://app.example/x/../callback',
    '//evil.example/callback',
    'http://127.0.0.1.evil.example/cb',
    'http://127.0.0.1/cb/more',
    'javascript:alert(1)',
    '',
  ])('redirect_uri %j', async (redirect_uri) => {
    const response = await visitor.get(await pathOf({ client_id, redirect_uri }))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(visitor.page).not.toContain('evil.example')
  })

  test.each<[string, Record<string, string>]>([
    ['an unknown app', { client_id: 'nobody' }],
    ['another answer than a code', { response_type: 'token' }],
    ['no challenge', { code_challenge: '' }],
    ['a plain challenge', { code_challenge_method: 'plain' }],
    ['another resource', { resource: 'https://other.example/mcp' }],
    ['the resource with a slash', { resource: `${ORIGIN}/mcp/` }],
  ])('%s', async (_what, change) => {
    const response = await visitor.get(await pathOf({ client_id, ...change }))
    expect([response.status, response.headers.get('location')]).toEqual([400, null])
    expect(visitor.page).toContain('Start again from the app.')
  })
})
