import { describe, expect, test } from 'vitest'
import { PASSWORD, Visitor } from '../../support/visitor.ts'

const CODE = 'test-setup-code'

/** Somebody who followed the set-up link and fills in the form that it leads to. */
async function follow(handle: string): Promise<() => Promise<Response>> {
  const visitor = new Visitor()
  const led = await visitor.get(`/set-up?code=${CODE}`)
  expect(led.headers.get('location')).toBe(`/sign-up?code=${CODE}`)
  await visitor.get(`/sign-up/password?code=${CODE}`)
  expect(visitor.page).toContain(`name="code" value="${CODE}"`)
  const typed = { handle, email: `${handle}@example.com`, password: PASSWORD, code: CODE }
  return () => visitor.post('/sign-up/password', typed)
}

describe('the set-up link', () => {
  test.each(['', 'wrong', 'test-setup-cod', 'test-setup-codee'])(
    'with the code %j opens nothing',
    async (code) => {
      const visitor = new Visitor()
      expect((await visitor.get(`/set-up?code=${code}`)).status).toBe(404)
      await visitor.get('/sign-up/password')
      const typed = {
        handle: 'no-set-up',
        email: 'no-set-up@example.com',
        password: PASSWORD,
        code: code || 'x',
      }
      expect((await visitor.post('/sign-up/password', typed)).status).toBe(404)
    },
  )

  test('followed by several at once makes one account, and is used then', async () => {
    const several = await Promise.all(['set-up-a', 'set-up-b', 'set-up-c'].map(follow))
    const statuses = await Promise.all(several.map(async (send) => (await send()).status))
    expect(statuses.toSorted((a, b) => a - b)).toEqual([303, 410, 410])
    const late = new Visitor()
    expect((await late.get(`/set-up?code=${CODE}`)).status).toBe(410)
    expect(late.page).toContain('was used already')
  })
})
