import { env, exports } from 'cloudflare:workers'
import { describe, expect, test } from 'vitest'
import { PASSWORD, signedIn, signInAgain, signUp, Visitor } from '../../support/visitor.ts'

describe('a token', () => {
  /** The status of a call with a token. */
  async function statusWith(token: string, name = 'list_tasks'): Promise<number> {
    const body = { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: {} } }
    const headers = {
      authorization: `Bearer ${token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      host: 'localhost:8787',
    }
    const init = { method: 'POST', headers, body: JSON.stringify(body) }
    return (await exports.default.fetch(new Request('http://localhost:8787/mcp', init))).status
  }

  async function made(visitor: Visitor, fields: Record<string, string> = {}): Promise<string> {
    await visitor.get('/tokens')
    await visitor.post('/tokens', { name: 'CI', scope: 'read', days: '30', ...fields })
    return /<pre>(wks_pat_\w+)<\/pre>/.exec(visitor.page)?.[1] ?? ''
  }

  test('opens what it may until it is revoked', async () => {
    const { visitor, handle } = await signedIn('tokens')
    const token = await made(visitor)
    expect(await statusWith(token)).toBe(200)
    const row = await env.DB.prepare(
      "select scopes, expires_at - created_at as life from token where name = 'CI' and account_id = (select id from account where handle = ?)",
    )
      .bind(handle)
      .first()
    expect(row).toEqual({ scopes: '["read"]', life: 30 * 86_400_000 })
    await visitor.get('/tokens')
    const [, id = ''] = /wks_pat_([0-9a-f]{16})/.exec(token) ?? []
    await visitor.post('/tokens/revoke', { id })
    expect(await statusWith(token)).toBe(401)
    const acts = await env.DB.prepare(
      'select kind, subject from act where account_id = (select id from account where handle = ?)',
    )
      .bind(handle)
      .all()
    expect(acts.results).toContainEqual({ kind: 'token_made', subject: 'CI' })
    expect(acts.results).toContainEqual({ kind: 'token_revoked', subject: 'CI' })
  })

  test('of another account is not revoked', async () => {
    const token = await made((await signedIn('tokens')).visitor)
    const stranger = (await signedIn('tokens')).visitor
    await stranger.get('/tokens')
    await stranger.post('/tokens/revoke', { id: token.split('_')[2] ?? '' })
    expect(await statusWith(token)).toBe(200)
  })

  test.each([
    ['name', { name: '' }],
    ['name', { name: 'x'.repeat(61) }],
    ['scopes', { scope: 'admin' }],
    ['days', { days: '91' }],
    ['days', { days: '0' }],
    ['days', { days: '1.5' }],
    ['days', { days: 'long' }],
  ])('with a bad %s is told beside it, and nothing typed is lost', async (field, fields) => {
    const { visitor } = await signedIn('tokens')
    await visitor.get('/tokens')
    const typed = { name: 'Kept name', scope: 'publish', days: '7', ...fields }
    expect((await visitor.post('/tokens', typed)).status).toBe(400)
    expect(visitor.page).toContain(`id="${field}-fault"`)
    expect(visitor.page).toContain(`value="${typed.name}"`)
    expect(visitor.page).not.toContain('wks_pat_')
  })
})

describe('the handle', () => {
  test('changes, and the earlier one is free', async () => {
    const { visitor, handle } = await signedIn('handle')
    await visitor.get('/account')
    expect((await visitor.post('/account/handle', { handle: `${handle}-new` })).status).toBe(303)
    await visitor.get('/account')
    expect(visitor.page).toContain(`Signed in as <strong>${handle}-new</strong>`)
  })

  test.each(['Upper', 'x', 'with space'])('%j is refused beside its field, and kept there', async (bad) => {
    const { visitor } = await signedIn('handle')
    await visitor.get('/account')
    expect((await visitor.post('/account/handle', { handle: bad })).status).toBe(400)
    expect(visitor.page).toContain('id="handle-fault"')
    expect(visitor.page).toContain(`value="${bad}"`)
  })

  test('of another account is not taken over', async () => {
    const other = await signedIn('handle')
    const { visitor } = await signedIn('handle')
    await visitor.get('/account')
    await visitor.post('/account/handle', { handle: other.handle })
    expect(visitor.page).toContain('is taken')
  })
})

test('a handle under which something was published stays, also after the tool was deleted', async () => {
  const { visitor, handle, accountId } = await signedIn('published')
  await env.DB.batch([
    env.DB.prepare(
      `insert into tool (id, account_id, slug, slug_key, last_version, created_at, updated_at, deleted_at)
       values (?1, ?2, 'shared', 'shared', 1, 1, 1, 1)`,
    ).bind(`tl_${handle}`, accountId),
    env.DB.prepare(
      `insert into tool_version (tool_id, number, hash, descriptor, sample_state, created_at, published_at)
       values (?1, 1, 'h', '{}', 'passed', 1, 1)`,
    ).bind(`tl_${handle}`),
  ])
  await visitor.get('/account')
  expect(visitor.page).toContain('It stays, because tools were published under it')
  expect((await visitor.post('/account/handle', { handle: `${handle}-new` })).status).toBe(400)
  await visitor.get('/account')
  expect(visitor.page).toContain(`Signed in as <strong>${handle}</strong>`)
})

describe('what opens an account', () => {
  test('a password can be set where there was none', async () => {
    const { visitor, handle } = await signedIn('ways')
    await visitor.get('/account')
    const email = `${handle}@example.com`
    await visitor.post('/account/password', { email: 'no mail', password: PASSWORD })
    expect(visitor.page).toContain('id="email-fault"')
    expect((await visitor.post('/account/password', { email, password: PASSWORD })).status).toBe(303)
    const later = new Visitor()
    await later.get('/sign-in')
    expect((await later.post('/sign-in', { email, password: PASSWORD })).status).toBe(303)
  })

  test('new recovery codes end the earlier ones; only hashes are kept', async () => {
    const { visitor } = await signedIn('ways')
    const codes = async () => {
      await visitor.get('/account')
      await visitor.post('/account/codes', {})
      return (/<pre class="codes">([^<]+)/.exec(visitor.page)?.[1] ?? '').split('\n')
    }
    const [earlier = ''] = await codes()
    const [code = ''] = await codes()
    const rows = await env.DB.prepare('select * from recovery_code').all()
    expect(JSON.stringify(rows.results)).not.toContain(code)
    const later = new Visitor()
    await later.get('/sign-in/recovery')
    expect((await later.post('/sign-in/recovery', { code: earlier })).status).toBe(401)
    expect((await later.post('/sign-in/recovery', { code })).status).toBe(303)
  })

  test('a recovery code used by twenty at once opens once', async () => {
    const { visitor } = await signedIn('ways')
    await visitor.get('/account')
    await visitor.post('/account/codes', {})
    const [code = ''] = (/<pre class="codes">([^<]+)/.exec(visitor.page)?.[1] ?? '').split('\n')
    const thief = new Visitor()
    await thief.get('/sign-in/recovery')
    const tries = await Promise.all(
      Array.from({ length: 20 }, () => thief.post('/sign-in/recovery', { code })),
    )
    expect(tries.filter(({ status }) => status === 303)).toHaveLength(1)
  })

  test('a passkey that is not one is refused, whatever is sent', async () => {
    const { visitor } = await signedIn('ways')
    await visitor.get('/account')
    for (const credential of [
      '',
      '{',
      'null',
      '{"id":"x"}',
      '{"id":"x","response":{"clientDataJSON":"e30"}}',
    ]) {
      const response = await visitor.post('/account/passkeys', { name: 'x', credential })
      expect(response.status, credential).toBeGreaterThanOrEqual(400)
      expect(response.status, credential).toBeLessThan(500)
    }
  })
})

describe('wrong tries', () => {
  test('from one address are held to so many a minute', async () => {
    const visitor = new Visitor()
    await visitor.get('/sign-in/recovery')
    const answers = new Set<string>()
    for (let i = 0; i < 40; i += 1) {
      const { status, headers } = await visitor.post('/sign-in/recovery', { code: `no-${i}` })
      answers.add(`${status} ${headers.get('retry-after')}`)
    }
    expect(answers).toEqual(new Set(['401 null', '429 60']))
    expect(visitor.page).toContain('Wait a minute')
  })

  test('at one e-mail address make it wait, from wherever they come, known or not', async () => {
    const { email } = await signUp('slowed')
    for (const name of [email, 'nobody-at-all@example.com']) {
      const answers = await Promise.all(
        Array.from({ length: 12 }, async () => {
          const visitor = new Visitor()
          await visitor.get('/sign-in')
          const tried = await visitor.post('/sign-in', { email: name, password: 'wrong wrong wrong' })
          const waits = Number(tried.headers.get('retry-after'))
          return { status: tried.status, words: /role="alert">([^<]*)/.exec(visitor.page)?.[1] ?? '', waits }
        }),
      )
      const heard = answers.filter(({ status }) => status === 401)
      expect(heard).toHaveLength(5)
      expect(new Set(heard.map(({ words }) => words))).toEqual(
        new Set(['This e-mail address and password do not belong together. Check both.']),
      )
      for (const { status, words, waits } of answers.filter((each) => !heard.includes(each))) {
        expect({ status, words }).toEqual({
          status: 429,
          words: expect.stringContaining(`too many wrong tries. Wait ${waits} s.`),
        })
      }
    }
    const right = new Visitor()
    await right.get('/sign-in')
    await env.DB.prepare('update wrong_answer set heard_from = heard_from + 3600000').run()
    expect((await right.post('/sign-in', { email, password: PASSWORD })).status).toBe(429)
    await env.DB.prepare('update wrong_answer set heard_from = 0').run()
    expect((await right.post('/sign-in', { email, password: PASSWORD })).status).toBe(303)
    const noted = await env.DB.prepare(
      "select count(*) as n from act where kind = 'sign_in_failed' and account_id = (select account_id from password where email_key = ?)",
    )
      .bind(email)
      .first('n')
    expect(noted).toBe(5)
  })
})

test('signing in to another account in the same browser shows nothing of the first', async () => {
  const first = await signedIn('shared')
  const second = await signedIn('shared')
  await signInAgain(first.visitor, second.accountId)
  await first.visitor.get('/account')
  expect(first.visitor.page).toContain(second.handle)
  expect(first.visitor.page).not.toContain(`>${first.handle}<`)
})
