import { Hono } from 'hono'
import { composeBooks, composeSite, source } from '../../../compose.ts'
import { askForNew, askForOne } from '../../../core/accounts/sign-in/passkeys/passkey.ts'
import { checkNewHandle } from '../../../core/accounts/sign-in/sign-up.ts'
import { newId } from '../../../core/ids.ts'
import { Problem } from '../../../core/problem.ts'
import { Instead, readForm, readSession, requireRecent } from '../session.ts'
import type { Fields, Web, WebContext } from '../session.ts'
import { guard } from './guard.ts'
import { setUpOf } from './set-up.tsx'

/** What the script of the passkey forms asks for: the options that a browser makes or shows a passkey with. */
export const passkeyOptions = new Hono<Web>()

/** A refusal here makes the script send the form as it is, and its page tells what is wrong. */
passkeyOptions.onError((error, c) => {
  if (error instanceof Problem || error instanceof Instead) return c.json({ error: error.message }, 400)
  throw error
})

passkeyOptions.post('/known', async (c) => {
  await readForm(c)
  await guard(c)
  return c.json(await askForOne(composeBooks(c.env), composeSite(c.env), c.get('csrf')))
})

passkeyOptions.post('/new', async (c) => {
  const form = await readForm(c)
  await guard(c)
  const whose = (await readSession(c)) ? await requireRecent(c) : await newcomer(c, form)
  const options = { accountId: whose.accountId, handle: whose.handle, browser: c.get('csrf') }
  return c.json(await askForNew(composeBooks(c.env), composeSite(c.env), options))
})

/** Who signs up: the account is made when the passkey is there. */
async function newcomer(c: WebContext, form: Fields) {
  const setUp = await setUpOf(c, form.text('code'))
  if (setUp?.takesOver) return { accountId: setUp.takesOver.id, handle: setUp.takesOver.handle }
  const handle = form.text('handle')
  await checkNewHandle(composeBooks(c.env), handle)
  return { accountId: newId('acc', source), handle }
}
