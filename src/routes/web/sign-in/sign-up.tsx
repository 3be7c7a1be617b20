import { Hono } from 'hono'
import { source } from '../../../compose.ts'
import { passwordOpener } from '../../../core/accounts/sign-in/by-password.ts'
import { openAccount } from '../../../core/accounts/sign-in/sign-up.ts'
import { openDb } from '../../../db/client.ts'
import { readSettings } from '../../../env.ts'
import { faultsOf, Field, Form, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { localPath, readForm, signIn, type Web, type WebContext } from '../session.ts'
import { guard } from './guard.ts'

/** Makes an account. */
export const signUpPage = new Hono<Web>()

interface Typed {
  handle: string
  email: string
  next: string
}

signUpPage.get('/', (c) => show(c, { handle: '', email: '', next: localPath(c, c.req.query('next')) }))

signUpPage.post('/', async (c) => {
  const form = await readForm(c)
  const handle = form.text('handle')
  const email = form.text('email')
  const next = localPath(c, form.text('next'))
  try {
    await guard(c)
    const pepper = readSettings(c.env).passwordPepper()
    const opener = await passwordOpener(source, pepper, { email, password: form.exact('password') })
    await signIn(c, await openAccount(openDb(c.env.DB), source, { handle, opener }))
    return c.redirect(next, 303)
  } catch (error) {
    return show(c, { handle, email, next }, faultsOf(error))
  }
})

function show(c: WebContext, { handle, email, next }: Typed, faults?: Faults) {
  return c.html(
    <Page title="Make an account" person={null}>
      <Form c={c} action="/sign-up" faults={faults}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="Handle"
          name="handle"
          value={handle}
          faults={faults}
          hint="Your tools are known by it: 2 to 31 lower-case letters, digits and hyphens, a letter first."
          autocomplete="nickname"
          maxlength={31}
        />
        <Field
          label="E-mail"
          name="email"
          type="email"
          value={email}
          faults={faults}
          hint="To sign in with. Nothing is sent to it."
          autocomplete="username"
        />
        <Field
          label="Password"
          name="password"
          type="password"
          faults={faults}
          hint="At least 10 characters."
          autocomplete="new-password"
        />
        <Submit>Make the account</Submit>
      </Form>
      <p>
        You have one? <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in</a>.
      </p>
    </Page>,
    faults ? 400 : 200,
  )
}
