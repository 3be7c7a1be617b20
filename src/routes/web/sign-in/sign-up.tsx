import { Hono } from 'hono'
import type { PropsWithChildren } from 'hono/jsx'
import { composeBooks, composeSite } from '../../../compose.ts'
import { readNew } from '../../../core/accounts/sign-in/passkeys/passkey.ts'
import { passwordOpener } from '../../../core/accounts/sign-in/passwords/password.ts'
import { newCodes } from '../../../core/accounts/sign-in/recovery/code.ts'
import { checkNewHandle, openAccount } from '../../../core/accounts/sign-in/sign-up.ts'
import { faultsOf, Field, Form, statusOf, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { PasskeyForm } from '../passkey-form.tsx'
import {
  localPath,
  readForm,
  readSession,
  signIn,
  type Fields,
  type Web,
  type WebContext,
} from '../session.ts'
import { CodesPage } from './codes.tsx'
import { guard } from './guard.ts'
import { OtherWays } from './other-ways.tsx'
import { setUpOf } from './set-up.tsx'

/** Makes an account. */
export const signUpPage = new Hono<Web>()

/** What a newcomer has typed, and brought along: where they go on to, and a set-up code if they have one. */
interface Typed {
  handle: string
  email: string
  next: string
  code: string
}

const broughtTo = (c: WebContext): Typed => ({
  handle: '',
  email: '',
  next: localPath(c, c.req.query('next')),
  code: c.req.query('code') ?? '',
})

const typedIn = (c: WebContext, form: Fields): Typed => ({
  handle: form.text('handle'),
  email: form.text('email'),
  next: localPath(c, form.text('next')),
  code: form.text('code'),
})

signUpPage.get('/', (c) => showPasskey(c, broughtTo(c)))
signUpPage.get('/password', (c) => showPassword(c, broughtTo(c)))

signUpPage.post('/', async (c) => {
  const form = await readForm(c)
  const typed = typedIn(c, form)
  try {
    await guard(c)
    const books = composeBooks(c.env)
    const answer = { credential: form.exact('credential'), browser: c.get('csrf') }
    const setUp = await setUpOf(c, typed.code)
    const handle = setUp?.takesOver?.handle ?? typed.handle
    if (!setUp?.takesOver) await checkNewHandle(books, handle)
    const { accountId, passkey } = await readNew(books, composeSite(c.env), answer)
    const { codes, hashes } = await newCodes(books)
    const opener = { kind: 'passkey', passkey, name: 'First passkey', codeHashes: hashes } as const
    await signIn(c, await openAccount(books, { accountId, handle, opener, setUp }), 'passkey')
    return c.html(<CodesPage codes={codes} person={await readSession(c)} next={typed.next} />)
  } catch (error) {
    return showPasskey(c, typed, error)
  }
})

signUpPage.post('/password', async (c) => {
  const form = await readForm(c)
  const typed = typedIn(c, form)
  try {
    await guard(c)
    const books = composeBooks(c.env)
    const setUp = await setUpOf(c, typed.code)
    const secret = { email: typed.email, password: form.exact('password') }
    const opener = await passwordOpener(books, composeSite(c.env), secret)
    const handle = setUp?.takesOver?.handle ?? typed.handle
    await signIn(c, await openAccount(books, { handle, opener, setUp }), 'password')
    return c.redirect(typed.next, 303)
  } catch (error) {
    return showPassword(c, typed, error)
  }
})

async function showPasskey(c: WebContext, typed: Typed, error?: unknown) {
  const faults = faultsOf(error)
  return c.html(
    <Frame typed={typed}>
      <PasskeyForm c={c} action="/sign-up" kind="create" faults={faults}>
        <Whose c={c} typed={typed} faults={faults} />
        <Submit>Sign up with a passkey</Submit>
      </PasskeyForm>
      <p class="hint">
        A passkey is kept by your phone, computer or password manager. You sign in with a finger, face or PIN.
      </p>
      <OtherWays c={c} next={typed.next}>
        <a class="button quiet" href={`/sign-up/password${queryOf(typed)}`}>
          E-mail and password
        </a>
      </OtherWays>
    </Frame>,
    statusOf(c, error),
  )
}

async function showPassword(c: WebContext, typed: Typed, error?: unknown) {
  const faults = faultsOf(error)
  return c.html(
    <Frame typed={typed}>
      <Form c={c} action="/sign-up/password" faults={faults}>
        <Whose c={c} typed={typed} faults={faults} />
        <Field
          label="E-mail"
          name="email"
          type="email"
          value={typed.email}
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
        <Submit>Sign up</Submit>
      </Form>
      <p>
        <a href={`/sign-up${queryOf(typed)}`}>Use a passkey instead</a>
      </p>
    </Frame>,
    statusOf(c, error),
  )
}

function Frame({ typed, children }: PropsWithChildren<{ typed: Typed }>) {
  return (
    <Page title={typed.code ? 'Set up your Workshop' : 'Make an account'} person={null}>
      {children}
      <p>
        You have an account? <a href={`/sign-in?next=${encodeURIComponent(typed.next)}`}>Sign in</a>.
      </p>
    </Page>
  )
}

/** Whose account it becomes: a new handle, or that of the account which a set-up code takes over. */
async function Whose({ c, typed, faults }: { c: WebContext; typed: Typed; faults: Faults }) {
  const setUp = await setUpOf(c, typed.code).catch(() => null)
  return (
    <>
      <input type="hidden" name="next" value={typed.next} />
      <input type="hidden" name="code" value={typed.code} />
      {setUp?.takesOver ? (
        <p>
          The account <strong>{setUp.takesOver.handle}</strong> was made when Workshop started here, with a
          first tool. It becomes yours; its handle can be changed later.
        </p>
      ) : (
        <Field
          label="Handle"
          name="handle"
          value={typed.handle}
          faults={faults}
          hint="Your tools are known by it: 2 to 31 lower-case letters, digits and hyphens, a letter first."
          autocomplete="nickname"
          maxlength={31}
        />
      )}
    </>
  )
}

function queryOf({ next, code }: Typed): string {
  const query = new URLSearchParams({ ...(next !== '/' && { next }), ...(code && { code }) })
  return query.size > 0 ? `?${query.toString()}` : ''
}
