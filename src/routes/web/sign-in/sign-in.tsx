import { Hono } from 'hono'
import { source } from '../../../compose.ts'
import { signInByPassword } from '../../../core/accounts/sign-in/by-password.ts'
import { openDb } from '../../../db/client.ts'
import { readSettings } from '../../../env.ts'
import { faultsOf, Field, Form, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { localPath, readForm, signIn, type Web, type WebContext } from '../session.ts'
import { guard } from './guard.ts'

/** Signs in, and goes on to the page that asked for it. */
export const signInPage = new Hono<Web>()

interface Typed {
  email: string
  next: string
}

signInPage.get('/', (c) => show(c, { email: '', next: localPath(c, c.req.query('next')) }))

signInPage.post('/', async (c) => {
  const form = await readForm(c)
  const email = form.text('email')
  const next = localPath(c, form.text('next'))
  try {
    await guard(c)
    const pepper = readSettings(c.env).passwordPepper()
    const typed = { email, password: form.exact('password'), pepper }
    await signIn(c, await signInByPassword(openDb(c.env.DB), source, typed))
    return c.redirect(next, 303)
  } catch (error) {
    return show(c, { email, next }, faultsOf(error))
  }
})

function show(c: WebContext, { email, next }: Typed, faults?: Faults) {
  return c.html(
    <Page title="Sign in" person={null}>
      <Form c={c} action="/sign-in" faults={faults}>
        <input type="hidden" name="next" value={next} />
        <Field label="E-mail" name="email" type="email" value={email} autocomplete="username" />
        <Field label="Password" name="password" type="password" autocomplete="current-password" />
        <Submit>Sign in</Submit>
      </Form>
      <p>
        New here? <a href={`/sign-up?next=${encodeURIComponent(next)}`}>Make an account</a>.
      </p>
    </Page>,
    faults ? 400 : 200,
  )
}
