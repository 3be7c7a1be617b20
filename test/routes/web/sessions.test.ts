import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { dropEnded } from '../../../src/core/accounts/sign-in/store.ts'
import { openDb } from '../../../src/db/client.ts'
import { ORIGIN, PASSWORD, signedIn, signInAgain, signUp, Visitor } from '../../support/visitor.ts'

const HOUR_MS = 3_600_000

/** The cookie's own words, as the Worker set it. */
async function cookieOf(prefix: string) {
  const { email } = await signUp(prefix)
  const visitor = new Visitor()
  await visitor.get('/sign-in')
  const response = await visitor.post('/sign-in', { email, password: PASSWORD })
  return {
    visitor,
    email,
    line: response.headers.getSetCookie().find((each) => each.includes('session')) ?? '',
  }
}

/** Moves all moments of an account's sessions into the past. */
const age = (handle: string, ms: number) =>
  env.DB.prepare(
    `update session set confirmed_at = confirmed_at - ?1, last_used_at = last_used_at - ?1, expires_at = expires_at - ?1
     where account_id = (select id from account where handle = ?2)`,
  )
    .bind(ms, handle)
    .run()

describe('the cookie', () => {
  test('is for this host, this browser and 30 days alone', async () => {
    const { line } = await cookieOf('cookie')
    const [value, ...flags] = line.split('; ')
    expect(value).toMatch(/^__Host-session=[0-9a-f]{64}$/)
    expect(flags.toSorted()).toEqual(['HttpOnly', 'Max-Age=2592000', 'Path=/', 'SameSite=Lax', 'Secure'])
  })

  test('is another one after each sign-in, and the earlier one opens nothing', async () => {
    const { visitor, email } = await cookieOf('rotated')
    const earlier = visitor.cookies.get('__Host-session') ?? ''
    await visitor.get('/sign-in/again')
    await visitor.post('/sign-in', { email, password: PASSWORD })
    expect(visitor.cookies.get('__Host-session')).not.toBe(earlier)
    const thief = new Visitor()
    thief.cookies.set('__Host-session', earlier)
    expect((await thief.get('/account')).status).toBe(303)
  })

  test.each(['0'.repeat(64), "' or 1=1 --"])(
    'that somebody planted (%j) is not what signing in makes valid',
    async (planted) => {
      const { email } = await signUp('fixed')
      const visitor = new Visitor()
      visitor.cookies.set('__Host-session', planted)
      await visitor.get('/sign-in')
      await visitor.post('/sign-in', { email, password: PASSWORD })
      expect(visitor.cookies.get('__Host-session')).toMatch(/^(?!0{64})[0-9a-f]{64}$/)
      const thief = new Visitor()
      thief.cookies.set('__Host-session', planted)
      expect((await thief.get('/account')).headers.get('location')).toBe('/sign-in?next=%2Faccount')
    },
  )

  test('opens nothing without the prefix that ties it to this host', async () => {
    const { visitor } = await signedIn('prefix')
    const thief = new Visitor()
    thief.cookies.set('session', visitor.cookies.get('__Host-session') ?? '')
    expect((await thief.get('/account')).status).toBe(303)
  })
})

describe('30 days', () => {
  test('begin anew with use, at most once an hour, and end without', async () => {
    const { visitor, handle } = await signedIn('sliding')
    const expiry = () =>
      env.DB.prepare(
        'select expires_at from session where account_id = (select id from account where handle = ?)',
      )
        .bind(handle)
        .first<number>('expires_at')
    const atFirst = await expiry()
    await visitor.get('/account')
    expect(await expiry()).toBe(atFirst)
    await age(handle, 29 * 24 * HOUR_MS)
    const response = await visitor.get('/account')
    expect(response.headers.getSetCookie().join()).toContain('Max-Age=2592000')
    expect(await expiry()).toBeGreaterThanOrEqual(atFirst ?? 0)
    await age(handle, 30 * 24 * HOUR_MS + 1)
    expect((await visitor.get('/account')).status).toBe(303)
    await dropEnded(openDb(env.DB), Date.now())
    expect(await expiry()).toBe(null)
  })
})

describe('a recent sign-in', () => {
  test.each([
    '/tokens',
    '/tokens/revoke',
    '/sessions/end',
    '/sessions/end-others',
    '/account/handle',
    '/account/passkeys',
    '/account/remove-passkey',
    '/account/password',
    '/account/codes',
    '/account/unlink',
  ])('is asked for before %s, and leads back to its page', async (path) => {
    const { visitor, handle, accountId } = await signedIn('recent')
    await age(handle, 11 * 60_000)
    const page = path.replace(/^(\/[a-z]+).*/, '$1')
    await visitor.get(page)
    expect(visitor.page).not.toContain(`action="${path}"`)
    await visitor.get('/sign-out')
    const response = await visitor.post(path, { name: 'x' }, { referer: ORIGIN + page })
    expect(response.headers.get('location')).toBe(`/sign-in/again?next=${encodeURIComponent(page)}`)
    await visitor.get(response.headers.get('location') ?? '')
    expect(visitor.page).toContain(`/sign-in/recovery?next=${encodeURIComponent(page)}`)
    await signInAgain(visitor, accountId)
    await visitor.get(page)
    expect(visitor.page).not.toContain('/sign-in/again')
  })

  test('is asked for before a browser makes another passkey', async () => {
    const { visitor, handle } = await signedIn('recent')
    await age(handle, 11 * 60_000)
    await visitor.get('/sign-out')
    expect((await visitor.post('/passkeys/new', {})).status).toBe(400)
  })
})

describe('the list of browsers', () => {
  /** Somebody signed in by two browsers. */
  async function twice() {
    const { visitor, handle, accountId } = await signedIn('browsers')
    const phone = new Visitor()
    const agent = 'Mozilla/5.0 (iPhone; CPU iPhone OS 19_0 like Mac OS X) Version/19.0 Mobile Safari/604.1'
    await signInAgain(phone, accountId, agent)
    await visitor.get('/sessions')
    return { visitor, phone, handle }
  }

  test('names each; one can be ended', async () => {
    const { visitor, phone } = await twice()
    expect(visitor.page).toContain('Safari on iPhone')
    const [, id = ''] = /action="\/sessions\/end".*?name="id" value="([^"]+)"/s.exec(visitor.page) ?? []
    await visitor.post('/sessions/end', { id })
    expect((await phone.get('/account')).status).toBe(303)
    expect((await visitor.get('/account')).status).toBe(200)
  })

  test('all others can be ended', async () => {
    const { visitor, phone } = await twice()
    await visitor.post('/sessions/end-others', {})
    expect((await phone.get('/account')).status).toBe(303)
    expect((await visitor.get('/account')).status).toBe(200)
  })

  test('another account’s session is not ended', async () => {
    const { phone, handle } = await twice()
    const id = await env.DB.prepare(
      'select id from session where account_id = (select id from account where handle = ?)',
    )
      .bind(handle)
      .first<string>('id')
    const stranger = await signedIn('stranger')
    await stranger.visitor.get('/sign-out')
    expect((await stranger.visitor.post('/sessions/end', { id: id ?? '' })).status).toBe(303)
    expect((await phone.get('/account')).status).toBe(200)
  })

  test('a changed password signs other browsers out, and the earlier one opens nothing', async () => {
    const { visitor, email } = await signUp('changed')
    const phone = new Visitor()
    await phone.get('/sign-in')
    await phone.post('/sign-in', { email, password: PASSWORD })
    await visitor.get('/account')
    const changed = await visitor.post('/account/password', { password: 'another quiet lamp' })
    expect(changed.status).toBe(303)
    expect((await phone.get('/account')).status).toBe(303)
    expect((await visitor.get('/account')).status).toBe(200)
    const later = new Visitor()
    await later.get('/sign-in')
    expect((await later.post('/sign-in', { email, password: PASSWORD })).status).toBe(401)
    expect((await later.post('/sign-in', { email, password: 'another quiet lamp' })).status).toBe(303)
  })
})
