import { env } from 'cloudflare:workers'
import { expect, test } from 'vitest'
import { signUp } from '../../support/visitor.ts'

const VALUE = 'sk-canary-of-a-page-0123'

test('a person sets a connection, which no page shows and no row holds, and removes it', async () => {
  const { visitor, handle } = await signUp('connector')
  await visitor.get('/connections?name=openai')
  expect(visitor.page).toMatch(/<input[^>]*name="name"[^>]*value="openai"/)
  const set = await visitor.post('/connections', { name: 'openai', value: ` ${VALUE}\r\n` })
  expect([set.status, set.headers.get('location')]).toEqual([303, '/connections?set=openai'])
  await visitor.get('/connections?set=openai')
  expect(visitor.page).toContain('openai is set.')
  expect(visitor.page).not.toContain(VALUE)
  const rows = () =>
    env.DB.prepare('select c.* from connection c join account a on a.id = c.account_id where a.handle = ?')
      .bind(handle)
      .all()
  const [row] = (await rows()).results
  expect(row).toMatchObject({ name: 'openai', kind: 'text', key_name: 'k1' })
  expect(atob(String(row?.sealed))).not.toContain('canary')
  expect((await visitor.post('/connections/remove', { name: 'openai' })).status).toBe(303)
  expect((await rows()).results).toEqual([])
})

test.each([
  ['name', { name: 'no blanks', value: VALUE }],
  ['value', { name: 'short', value: 'canary' }],
])('a bad %s is told beside it, and the value is not sent back', async (field, typed) => {
  const { visitor } = await signUp('misconnector')
  await visitor.get('/connections')
  expect((await visitor.post('/connections', typed)).status).toBe(400)
  expect(visitor.page).toContain(`id="${field}-fault"`)
  expect(visitor.page).toContain(`value="${typed.name}"`)
  expect(visitor.page).not.toContain('canary')
})

test('the page is for whoever is signed in, and its form for nobody else', async () => {
  const { visitor } = await signUp('lone')
  await visitor.get('/connections')
  const forged = await visitor.post('/connections', { name: 'k', value: VALUE, csrf: 'other' })
  expect(forged.status).toBe(400)
  await visitor.get('/sign-out')
  await visitor.post('/sign-out', {})
  expect((await visitor.get('/connections?name=k')).headers.get('location')).toBe(
    '/sign-in?next=%2Fconnections%3Fname%3Dk',
  )
})
