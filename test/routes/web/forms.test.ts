import { describe, expect, test } from 'vitest'
import { ORIGIN, PASSWORD, signedIn, signUp, Visitor } from '../../support/visitor.ts'

describe('a form from elsewhere', () => {
  test.each<[string, Record<string, string>]>([
    ['another site', { origin: 'https://evil.example' }],
    ['a sandboxed frame', { origin: 'null' }],
    ['the same host on another port', { origin: 'http://localhost:8788' }],
    ['a host that begins like ours', { origin: 'http://localhost:8787.evil.example' }],
  ])('of %s does nothing', async (_what, headers) => {
    const { visitor } = await signedIn('csrf')
    await visitor.get('/tokens')
    const response = await visitor.post('/tokens', { name: 'evil', scope: 'read', days: '9' }, headers)
    expect(response.status).toBe(400)
    await visitor.get('/tokens')
    expect(visitor.page).not.toContain('evil')
  })

  test('that names no origin does nothing', async () => {
    const { visitor } = await signedIn('csrf')
    await visitor.get('/tokens')
    const body = new URLSearchParams({ csrf: visitor.csrf, name: 'evil', scope: 'read', days: '9' })
    expect((await visitor.get('/tokens', { method: 'POST', body })).status).toBe(400)
  })

  test.each([
    ['no token', () => ({ csrf: '' })],
    ['a made-up token', () => ({ csrf: '0'.repeat(64) })],
    ['the token of another browser', async () => ({ csrf: await otherToken() })],
  ])('with %s does nothing', async (_what, fields) => {
    const { visitor } = await signedIn('csrf')
    const typed = { name: 'evil', scope: 'read', days: '9', ...(await fields()) }
    expect((await visitor.post('/tokens', typed)).status).toBe(400)
    expect(visitor.page).toContain('reload the page')
    await visitor.get('/tokens')
    expect(visitor.page).not.toContain('evil')
  })

  test('cannot sign a browser in to somebody else’s account', async () => {
    const { email } = await signUp('csrf')
    const victim = new Visitor()
    const body = new URLSearchParams({ email, password: PASSWORD, csrf: await otherToken() })
    const headers = { origin: 'https://evil.example' }
    expect((await victim.get('/sign-in', { method: 'POST', body, headers })).status).toBe(400)
    expect(victim.cookies.has('__Host-session')).toBe(false)
  })

  test('that is too large is refused before it is read', async () => {
    const visitor = new Visitor()
    await visitor.get('/sign-in')
    expect((await visitor.post('/sign-in', { email: 'x'.repeat(1_100_000) })).status).toBe(413)
  })
})

async function otherToken(): Promise<string> {
  const other = new Visitor()
  await other.get('/sign-in')
  return other.csrf
}

describe('where a sign-in goes on to', () => {
  test.each([
    '//evil.example',
    '///evil.example',
    '/\\evil.example',
    '\\\\evil.example',
    '/%09/evil.example/..//evil.example',
    'https:evil.example',
    'https://evil.example',
    'javascript:alert(1)',
    '/\t/evil.example',
    '/\n/evil.example',
    ' //evil.example',
    '/.//evil.example',
    '/..//evil.example',
    'evil.example',
    '@evil.example',
  ])('is never another site: %j', async (next) => {
    const visitor = new Visitor()
    for (const value of [next, encodeURIComponent(next)]) {
      const path = `?next=${encodeURIComponent(value)}`
      await visitor.get(`/sign-in/recovery${path}`)
      const [, kept = ''] = /name="next" value="([^"]*)"/.exec(visitor.page) ?? []
      await visitor.post('/sign-in/recovery', { code: 'wrong', next: value })
      const [, again = ''] = /name="next" value="([^"]*)"/.exec(visitor.page) ?? []
      for (const shown of [kept, again]) {
        expect(new URL(shown, ORIGIN).origin, shown).toBe(ORIGIN)
        expect(shown).toMatch(/^\/(?![/\\])/)
      }
    }
  })

  test('is not another site after a right answer either', async () => {
    const { email } = await signUp('next')
    const visitor = new Visitor()
    await visitor.get('/sign-in')
    const typed = { email, password: PASSWORD, next: '/.//evil.example' }
    expect((await visitor.post('/sign-in', typed)).headers.get('location')).toBe('/')
  })

  test('is the page that asked for it, with its query', async () => {
    const { email } = await signUp('next')
    const visitor = new Visitor()
    const asked = await visitor.get('/tokens?from=docs&x=1')
    expect(asked.headers.get('location')).toBe('/sign-in?next=%2Ftokens%3Ffrom%3Ddocs%26x%3D1')
    await visitor.get(asked.headers.get('location') ?? '')
    expect(visitor.page).toContain('name="next" value="/tokens?from=docs&amp;x=1"')
    const typed = { email, password: PASSWORD, next: '/tokens?from=docs&x=1' }
    expect((await visitor.post('/sign-in', typed)).headers.get('location')).toBe('/tokens?from=docs&x=1')
  })
})

describe('every page', () => {
  test.each([
    '/',
    '/sign-in',
    '/sign-up',
    '/sign-up/password',
    '/sign-in/recovery',
    '/set-up?code=no',
    '/account',
  ])('%s is sent so that no site can frame it, and no script but ours runs in it', async (path) => {
    const { headers } = await new Visitor().get(path)
    expect(headers.get('content-security-policy')).toBe(
      "default-src 'none'; style-src 'self'; script-src 'self'; img-src 'self'; connect-src 'self'; form-action 'self'; base-uri 'none'; frame-ancestors 'none'",
    )
    expect(headers.get('x-frame-options')).toBe('DENY')
    expect(headers.get('x-content-type-options')).toBe('nosniff')
    expect(headers.get('referrer-policy')).toBe('same-origin')
    expect(headers.get('cache-control')).toBe('no-store')
  })

  test('holds no style and no script of its own', async () => {
    const { visitor } = await signedIn('inline')
    for (const path of ['/', '/account', '/tokens', '/sessions']) {
      await visitor.get(path)
      expect(visitor.page).not.toMatch(/<script>|<style|\son\w+=|\sstyle=/)
    }
  })

  test('is shown at one address alone', async () => {
    const response = await new Visitor().get('http://127.0.0.1:8787/sign-in?next=%2Ftokens')
    expect(response.headers.get('location')).toBe(`${ORIGIN}/sign-in?next=%2Ftokens`)
  })

  test('that is not there is told as a page to people, as data to programs', async () => {
    const visitor = new Visitor()
    const response = await visitor.get('/no-such-page', { headers: { accept: 'text/html,*/*' } })
    expect(response.status).toBe(404)
    expect(visitor.page).toContain('There is no page at this address')
    const told = await visitor.get('/no-such-page')
    expect([told.status, await told.json()]).toMatchObject([404, { error: { code: 'not_found' } }])
  })

  test('shows what somebody typed as text', async () => {
    const visitor = new Visitor()
    await visitor.get('/sign-up/password')
    const handle = '"><script>alert(1)</script>'
    await visitor.post('/sign-up/password', { handle, email: handle, password: PASSWORD })
    expect(visitor.page).not.toContain('<script>alert')
  })
})
