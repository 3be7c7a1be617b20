import { afterEach, beforeEach, describe, expect, test, vi } from 'vitest'
import { FakeGithub } from '../../support/fake-github.ts'
import { signedIn, signUp, Visitor } from '../../support/visitor.ts'

const github = new FakeGithub()
let people = 0

beforeEach(() => {
  github.install()
  github.isDown = false
  people += 1
  github.person = { id: 9_000 + people, login: `Octo-Cat${people}`, email: `octo${people}@example.com` }
})
afterEach(() => vi.restoreAllMocks())

const location = (response: Response) => response.headers.get('location') ?? ''

/** Goes to GitHub and says yes there; gives the way back, not yet taken. */
async function visit(visitor: Visitor, path = '/sign-in/with/github'): Promise<string> {
  return github.agree(location(await visitor.get(path)))
}

/** Somebody whom no account knows makes one. */
async function newcomer(): Promise<Visitor> {
  const visitor = new Visitor()
  await visitor.get(await visit(visitor, '/sign-in/with/github?next=%2Ftokens'))
  const [, arrival = ''] = /name="arrival" value="([^"]+)"/.exec(visitor.page) ?? []
  const [, handle = ''] = /name="handle"[^>]*value="([^"]+)"/.exec(visitor.page) ?? []
  expect(handle).toBe(`octo-cat${people}`)
  expect(location(await visitor.post('/sign-in/with/new', { arrival, handle }))).toBe('/tokens')
  return visitor
}

describe('signing in with GitHub', () => {
  test('asks a newcomer for a handle, and knows them the next time', async () => {
    await newcomer()
    github.person.login = 'renamed'
    const later = new Visitor()
    const back = await later.get(await visit(later, '/sign-in/with/github?next=%2Faccount'))
    expect(location(back)).toBe('/account')
    await later.get('/account')
    expect(later.page).toContain(`Signed in as <strong>octo-cat${people}</strong>`)
    expect(later.page).toContain('renamed')
  })

  test('a taken handle is told, and another one can be chosen', async () => {
    const { handle } = await signedIn('taken')
    const visitor = new Visitor()
    await visitor.get(await visit(visitor))
    const arrival = () => /name="arrival" value="([^"]+)"/.exec(visitor.page)?.[1] ?? ''
    await visitor.post('/sign-in/with/new', { arrival: arrival(), handle })
    expect(visitor.page).toContain('is taken')
    const other = { arrival: arrival(), handle: `${handle}-other` }
    expect((await visitor.post('/sign-in/with/new', other)).status).toBe(303)
  })

  test('never finds an account by an e-mail address', async () => {
    const { email, handle } = await signUp('same-mail')
    github.person.email = email
    const visitor = new Visitor()
    await visitor.get(await visit(visitor))
    expect(visitor.page).toContain('No account here is linked to that yet')
    expect(visitor.page).not.toContain(`Signed in as <strong>${handle}`)
    expect(visitor.cookies.has('__Host-session')).toBe(false)
  })

  test('the way back works once, and in the browser that left alone', async () => {
    const visitor = new Visitor()
    const back = await visit(visitor)
    const victim = new Visitor()
    await victim.get('/sign-in')
    expect((await victim.get(back)).status).toBe(400)
    expect((await visitor.get(back)).status).toBe(400)
    const again = await visit(visitor)
    expect((await visitor.get(again)).status).toBe(200)
    expect((await visitor.get(again)).status).toBe(400)
  })

  test.each<[string, (back: string) => string]>([
    ['another state', (back) => back.replace(/state=\w{8}/, 'state=00000000')],
    ['no state', (back) => back.replace(/state=\w+/, '')],
    ['another code', (back) => back.replace(/code=[^&]{8}/, 'code=00000000')],
    ['no code, because the person said no', (back) => back.replace(/code=[^&]+/, 'error=access_denied')],
  ])('a way back with %s signs nobody in', async (_what, change) => {
    const visitor = new Visitor()
    const response = await visitor.get(change(await visit(visitor)))
    expect([400, 401]).toContain(response.status)
    expect(visitor.cookies.has('__Host-session')).toBe(false)
  })

  test('GitHub out of order is told in words', async () => {
    const visitor = new Visitor()
    const back = await visit(visitor)
    github.isDown = true
    expect((await visitor.get(back)).status).toBe(401)
    expect(visitor.page).toContain('GitHub did not say who you are')
  })

  test('a provider whose secrets are not set is not offered', async () => {
    const visitor = new Visitor()
    await visitor.get('/sign-in')
    expect(visitor.page).toContain('/sign-in/with/github')
    expect(visitor.page).not.toContain('/sign-in/with/google')
    expect((await visitor.get('/sign-in/with/google')).status).toBe(404)
    expect((await visitor.get('/sign-in/with/toString')).status).toBe(404)
  })
})

describe('linking GitHub to an account', () => {
  test('opens the account from then on; unlinked, no more', async () => {
    const { visitor, handle } = await signedIn('linked')
    expect(location(await visitor.get(await visit(visitor, '/sign-in/with/github/link')))).toBe('/account')
    const later = new Visitor()
    expect((await later.get(await visit(later))).status).toBe(303)
    await later.get('/account')
    expect(later.page).toContain(handle)
    await visitor.get('/account')
    await visitor.post('/account/unlink', { provider: 'github' })
    expect(visitor.page).toContain('only way into your account')
    await visitor.post('/account/password', {
      email: `${handle}@example.com`,
      password: 'a quiet green lamp',
    })
    await visitor.get('/account')
    expect((await visitor.post('/account/unlink', { provider: 'github' })).status).toBe(303)
    const last = new Visitor()
    await last.get(await visit(last))
    expect(last.page).toContain('No account here is linked')
  })

  test('of somebody whom another account knows is refused', async () => {
    await newcomer()
    const { visitor } = await signedIn('linked')
    expect((await visitor.get(await visit(visitor, '/sign-in/with/github/link'))).status).toBe(400)
    expect(visitor.page).toContain('opens an account already')
  })

  test('begun by one account is not finished in another', async () => {
    const { visitor } = await signedIn('linked')
    const back = await visit(visitor, '/sign-in/with/github/link')
    const other = await signedIn('linked')
    expect((await other.visitor.get(back)).status).toBe(400)
  })
})
