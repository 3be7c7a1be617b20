import { env } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { PASSWORD, signUp, Visitor } from '../../support/visitor.ts'

describe('signing up and in by password', () => {
  test('makes an account and signs in; out again, the page is nobody’s', async () => {
    const { visitor, handle, email } = await signUp('person')
    await visitor.get('/')
    expect(visitor.page).toContain(`Signed in as <strong>${handle}</strong>`)
    await visitor.get('/sign-out')
    expect((await visitor.post('/sign-out', {})).headers.get('location')).toBe('/')
    await visitor.get('/')
    expect(visitor.page).not.toContain('Signed in as')
    await visitor.get('/sign-in')
    const back = await visitor.post('/sign-in', { email: email.toUpperCase(), password: PASSWORD })
    expect(back.status).toBe(303)
    await visitor.get('/')
    expect(visitor.page).toContain(handle)
  })

  test('only hashes are kept', async () => {
    const { visitor, email } = await signUp('kept')
    const row = await env.DB.prepare('select * from password where email_key = ?').bind(email).first()
    expect(row).toMatchObject({
      hash: expect.stringMatching(/^scrypt\$16384\$8\$5\$[0-9a-f]{32}\$[0-9a-f]{64}$/),
    })
    const sessions = await env.DB.prepare('select * from session').all()
    expect(JSON.stringify(sessions.results)).not.toContain(visitor.cookies.get('__Host-session'))
  })

  test.each([
    ['handle', { handle: 'No', email: 'n@example.com', password: PASSWORD }],
    ['email', { handle: 'no-mail', email: 'no mail', password: PASSWORD }],
    ['password', { handle: 'no-pass', email: 'n@example.com', password: 'short' }],
    ['password', { handle: 'no-pass', email: 'n@example.com', password: 'aaaaaaaaaaaa' }],
    ['password', { handle: 'no-pass', email: 'somebody@example.com', password: 'somebodysomebody' }],
  ])('a bad %s is told beside it, and nothing typed is lost', async (field, typed) => {
    const visitor = new Visitor()
    await visitor.get('/sign-up/password')
    expect((await visitor.post('/sign-up/password', typed)).status).toBe(400)
    expect(visitor.page).toContain(`id="${field}-fault"`)
    expect(visitor.page).toContain(`value="${typed.handle}"`)
    expect(visitor.page).toContain(`value="${typed.email}"`)
    expect(visitor.page).not.toContain(typed.password)
  })

  test('a taken handle or e-mail address leaves no half account', async () => {
    const { handle, email } = await signUp('taken')
    const visitor = new Visitor()
    await visitor.get('/sign-up/password')
    await visitor.post('/sign-up/password', { handle, email: 'other@example.com', password: PASSWORD })
    expect(visitor.page).toContain('is taken')
    await visitor.post('/sign-up/password', { handle: 'half-made', email, password: PASSWORD })
    expect(visitor.page).toContain('signs in to an account already')
    const made = await env.DB.prepare("select * from account where handle = 'half-made'").all()
    const kept = await env.DB.prepare("select * from password where email_key = 'other@example.com'").all()
    expect([made.results, kept.results]).toEqual([[], []])
  })
})
