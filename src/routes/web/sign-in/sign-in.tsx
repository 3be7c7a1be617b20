import { Hono } from 'hono'
import { composeBooks, composeSite } from '../../../compose.ts'
import { signInByPasskey } from '../../../core/accounts/sign-in/passkeys/passkey.ts'
import { signInByPassword } from '../../../core/accounts/sign-in/passwords/password.ts'
import { signInByCode } from '../../../core/accounts/sign-in/recovery/code.ts'
import { findWays } from '../../../core/accounts/sign-in/store.ts'
import { faultsOf, Field, Form, statusOf, Submit } from '../form.tsx'
import { Page } from '../page.tsx'
import { PasskeyForm } from '../passkey-form.tsx'
import {
  localPath,
  readForm,
  readSession,
  signIn,
  type Person,
  type Web,
  type WebContext,
} from '../session.ts'
import { guard } from './guard.ts'
import { OtherWays } from './other-ways.tsx'

/** Signs in, and goes on to the page that asked for it. */
export const signInPage = new Hono<Web>()

/** What is filled in beforehand, or was refused. */
interface Shown {
  next: string
  email?: string
  /** Which form the error is about. */
  form?: 'passkey' | 'password'
  error?: unknown
}

const nextOf = (c: WebContext) => localPath(c, c.req.query('next'))

signInPage.get('/', async (c) => {
  const next = nextOf(c)
  return (await readSession(c)) ? c.redirect(next, 303) : show(c, { next })
})

/** Who is signed in proves again that it is them, by signing in again. */
signInPage.get('/again', (c) => show(c, { next: nextOf(c) }))

signInPage.post('/', async (c) => {
  const form = await readForm(c)
  const email = form.text('email')
  const next = localPath(c, form.text('next'))
  try {
    await guard(c)
    const later = (work: Promise<void>) => c.executionCtx.waitUntil(work)
    const typed = { email, password: form.exact('password'), later }
    await signIn(c, await signInByPassword(composeBooks(c.env), composeSite(c.env), typed), 'password')
    return c.redirect(next, 303)
  } catch (error) {
    return show(c, { next, email, form: 'password', error })
  }
})

signInPage.post('/passkey', async (c) => {
  const form = await readForm(c)
  const next = localPath(c, form.text('next'))
  try {
    await guard(c)
    const answer = { credential: form.exact('credential'), browser: c.get('csrf') }
    await signIn(c, await signInByPasskey(composeBooks(c.env), composeSite(c.env), answer), 'passkey')
    return c.redirect(next, 303)
  } catch (error) {
    return show(c, { next, form: 'passkey', error })
  }
})

signInPage.get('/recovery', (c) => showRecovery(c, nextOf(c)))

signInPage.post('/recovery', async (c) => {
  const form = await readForm(c)
  const next = localPath(c, form.text('next'))
  try {
    await guard(c)
    await signIn(c, await signInByCode(composeBooks(c.env), form.text('code')), 'recovery code')
    // Whoever needs a recovery code needs a new way in.
    return c.redirect(next === '/' ? '/account' : next, 303)
  } catch (error) {
    return showRecovery(c, next, error)
  }
})

async function show(c: WebContext, { next, email, form, error }: Shown) {
  const person = await readSession(c)
  const ways = person && (await findWays(composeBooks(c.env).db, person.accountId))
  const faults = faultsOf(error)
  const query = `?next=${encodeURIComponent(next)}`
  return c.html(
    <Page title={person ? 'Is it still you?' : 'Sign in'} person={person}>
      {person && <Again person={person} />}
      {(!ways || ways.passkeys > 0) && (
        <PasskeyForm c={c} action="/sign-in/passkey" kind="get" faults={form === 'passkey' ? faults : {}}>
          <input type="hidden" name="next" value={next} />
          <Submit>{person ? 'Use your passkey' : 'Sign in with a passkey'}</Submit>
        </PasskeyForm>
      )}
      {!ways && <p class="or">or</p>}
      {(!ways || ways.password) && (
        <Form c={c} action="/sign-in" faults={form === 'password' ? faults : {}}>
          <input type="hidden" name="next" value={next} />
          <Field
            label="E-mail"
            name="email"
            type="email"
            value={email ?? ways?.password?.email}
            autocomplete="username"
          />
          <Field label="Password" name="password" type="password" autocomplete="current-password" />
          <Submit kind={ways && ways.passkeys === 0 ? 'primary' : 'quiet'}>Sign in with a password</Submit>
        </Form>
      )}
      <OtherWays c={c} next={next} only={ways?.identities.map(({ provider }) => provider)}>
        <a class="button quiet" href={`/sign-in/recovery${query}`}>
          Recovery code
        </a>
      </OtherWays>
      {!person && (
        <p>
          New here? <a href={`/sign-up${query}`}>Make an account</a>.
        </p>
      )}
    </Page>,
    statusOf(c, error),
  )
}

function Again({ person }: { person: Person }) {
  return (
    <p>
      This needs a sign-in of the last 10 minutes. Sign in again as <strong>{person.handle}</strong>, and it
      goes on where you were.
    </p>
  )
}

async function showRecovery(c: WebContext, next: string, error?: unknown) {
  return c.html(
    <Page title="Use a recovery code" person={await readSession(c)}>
      <Form c={c} action="/sign-in/recovery" faults={faultsOf(error)}>
        <input type="hidden" name="next" value={next} />
        <Field
          label="Recovery code"
          name="code"
          hint="One of the ten that you kept, such as 4fk2m-9xw3e-… Each works once."
          faults={faultsOf(error)}
          autocomplete="off"
        />
        <Submit>Sign in</Submit>
      </Form>
      <p>
        <a href={`/sign-in?next=${encodeURIComponent(next)}`}>Sign in another way</a>
      </p>
    </Page>,
    statusOf(c, error),
  )
}
