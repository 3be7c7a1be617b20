import { Hono } from 'hono'
import { composeBooks } from '../../../compose.ts'
import { readSetUp, type SetUp } from '../../../core/accounts/sign-in/sign-up.ts'
import { readSettings } from '../../../env.ts'
import type { Web, WebContext } from '../session.ts'
import { guard } from './guard.ts'

/** The link that a deployment's owner is given: signing up by it takes over the account that stands there, once. */
export const setUpPage = new Hono<Web>()

setUpPage.get('/', async (c) => {
  await guard(c)
  const code = c.req.query('code') ?? ''
  await readSetUp(composeBooks(c.env), code, readSettings(c.env).setupCode)
  return c.redirect(`/sign-up?code=${encodeURIComponent(code)}`, 303)
})

/** What the set-up code of a form or an address may do; null without one. Throws when it may nothing. */
export async function setUpOf(c: WebContext, code: string): Promise<SetUp | null> {
  return code ? readSetUp(composeBooks(c.env), code, readSettings(c.env).setupCode) : null
}
