import { Hono } from 'hono'
import { composeBooks } from '../../../compose.ts'
import { begin, finish } from '../../../core/accounts/sign-in/ceremony/ceremony.ts'
import {
  arriveFrom,
  leaveFor,
  PROVIDERS,
  type Identity,
  type ProviderClient,
} from '../../../core/accounts/sign-in/providers/provider.ts'
import { useIdentity } from '../../../core/accounts/sign-in/providers/store.ts'
import { openAccount } from '../../../core/accounts/sign-in/sign-up.ts'
import { addWay } from '../../../core/accounts/sign-in/ways.ts'
import { toHex } from '../../../core/ids.ts'
import { Problem } from '../../../core/problem.ts'
import { readSettings } from '../../../env.ts'
import { faultsOf, Field, Form, statusOf, Submit } from '../form.tsx'
import { Page } from '../page.tsx'
import { callerOf, localPath, readForm, readSession, requireRecent } from '../session.ts'
import { signIn, type Web, type WebContext } from '../session.ts'
import { guard } from './guard.ts'

/** Signing in with what somebody is known by elsewhere. An account is never found by an e-mail address. */
export const providerPages = new Hono<Web>()

providerPages.get('/:provider', async (c) => {
  await guard(c)
  const visit = { browser: c.get('csrf'), next: localPath(c, c.req.query('next')), accountId: null }
  return c.redirect(await leaveFor(composeBooks(c.env), clientOf(c), visit), 303)
})

/** To link an account to a provider. */
providerPages.get('/:provider/link', async (c) => {
  const { accountId } = await requireRecent(c)
  const visit = { browser: c.get('csrf'), next: '/account', accountId }
  return c.redirect(await leaveFor(composeBooks(c.env), clientOf(c), visit), 303)
})

providerPages.get('/:provider/back', async (c) => {
  await guard(c)
  const books = composeBooks(c.env)
  const { code = '', state = '' } = c.req.query()
  const { identity, next, accountId } = await arriveFrom(books, clientOf(c), {
    code,
    state,
    browser: c.get('csrf'),
  })
  if (accountId !== null) {
    const person = await requireRecent(c)
    if (person.accountId !== accountId)
      throw new Problem('invalid_request', 'You signed in to another account.')
    await addWay(books, callerOf(person), { kind: 'identity', ...identity })
    return c.redirect(next, 303)
  }
  const known = await useIdentity(books.db, identity, books.now())
  if (!known) return showNewcomer(c, { identity, next, handle: suggested(identity) })
  await signIn(c, known, PROVIDERS[identity.provider].label)
  return c.redirect(next, 303)
})

providerPages.post('/new', async (c) => {
  const form = await readForm(c)
  await guard(c)
  const books = composeBooks(c.env)
  const data = await finish(books, form.text('arrival'), { kind: 'arrival', browser: c.get('csrf') })
  // Written by showNewcomer alone.
  const identity = JSON.parse(data.identity ?? '') as Identity
  const next = localPath(c, data.next ?? '/')
  const handle = form.text('handle')
  try {
    const opener = { kind: 'identity', ...identity } as const
    await signIn(
      c,
      await openAccount(books, { handle, opener, setUp: null }),
      PROVIDERS[identity.provider].label,
    )
    return c.redirect(next, 303)
  } catch (error) {
    return showNewcomer(c, { identity, next, handle, error })
  }
})

/** Asks somebody whom no account knows for a handle. Who they are waits here, for this browser alone. */
async function showNewcomer(
  c: WebContext,
  { identity, next, handle, error }: { identity: Identity; next: string; handle: string; error?: unknown },
) {
  const books = composeBooks(c.env)
  const arrival = toHex(books.random(32))
  const data = { browser: c.get('csrf'), next, identity: JSON.stringify(identity) }
  await begin(books, arrival, { kind: 'arrival', data })
  return c.html(
    <Page title="Make an account" person={await readSession(c)}>
      <p>
        {PROVIDERS[identity.provider].label} knows you as <strong>{identity.name}</strong>. No account here is
        linked to that yet.
      </p>
      <Form c={c} action="/sign-in/with/new" faults={faultsOf(error)}>
        <input type="hidden" name="arrival" value={arrival} />
        <Field
          label="Handle"
          name="handle"
          value={handle}
          faults={faultsOf(error)}
          hint="Your tools are known by it: 2 to 31 lower-case letters, digits and hyphens, a letter first."
          autocomplete="nickname"
          maxlength={31}
        />
        <Submit>Make the account</Submit>
      </Form>
      <p>
        You have an account? <a href="/sign-in?next=%2Faccount">Sign in to it</a> and link it there.
      </p>
    </Page>,
    statusOf(c, error),
  )
}

/** A handle like the name that somebody has elsewhere. */
const suggested = ({ name }: Identity): string =>
  (name.split('@')[0] ?? '')
    .toLowerCase()
    .replaceAll(/[^a-z0-9]+/g, '-')
    .replaceAll(/^[^a-z]+|-+$/g, '')
    .slice(0, 31)

function clientOf(c: WebContext): ProviderClient {
  const name = c.req.param('provider')
  const { origin, providers } = readSettings(c.env)
  const provider = name === 'github' || name === 'google' ? name : null
  const client = provider && providers[provider]
  if (!client) throw new Problem('not_found', 'This Workshop does not offer this way to sign in.')
  const redirectUri = `${origin}/sign-in/with/${provider}/back`
  // Called as it stands: workerd refuses a `fetch` that is called as part of another object.
  return { provider, ...client, redirectUri, fetch: (to, init) => fetch(to, init) }
}
