import { Hono } from 'hono'
import { composeBooks, composeSite } from '../../../compose.ts'
import { changeHandle } from '../../../core/accounts/handle.ts'
import { endOthers } from '../../../core/accounts/sessions/session.ts'
import { readNew } from '../../../core/accounts/sign-in/passkeys/passkey.ts'
import { listPasskeys } from '../../../core/accounts/sign-in/passkeys/store.ts'
import { passwordOpener } from '../../../core/accounts/sign-in/passwords/password.ts'
import { findWays } from '../../../core/accounts/sign-in/store.ts'
import {
  addWay,
  removePasskey,
  renewCodes,
  renewPassword,
  unlinkIdentity,
} from '../../../core/accounts/sign-in/ways.ts'
import { isHandleFixed } from '../../../core/accounts/store.ts'
import { Problem } from '../../../core/problem.ts'
import { faultsOf, statusOf } from '../form.tsx'
import { Page } from '../page.tsx'
import { ConfirmFirst } from '../parts.tsx'
import { callerOf, isRecent, readForm, requirePerson, requireRecent } from '../session.ts'
import type { Fields, Person, Web, WebContext } from '../session.ts'
import { CodesPage } from '../sign-in/codes.tsx'
import { Codes, Handle, Passkeys, Password, Providers } from './ways.tsx'

/** The account: its handle, and all that opens it. */
export const accountPage = new Hono<Web>()

accountPage.get('/', async (c) => show(c, await requirePerson(c)))

/** What a form changes. Gives a page where there is something to show, else the account is shown again. */
type Change = (c: WebContext, person: Person, form: Fields) => Promise<Response | void>

const CHANGES: Record<string, Change> = {
  async handle(c, person, form) {
    await changeHandle(composeBooks(c.env), callerOf(person), form.text('handle'))
  },
  async passkeys(c, person, form) {
    const books = composeBooks(c.env)
    const answer = { credential: form.exact('credential'), browser: c.get('csrf') }
    const { accountId, passkey } = await readNew(books, composeSite(c.env), answer)
    if (accountId !== person.accountId)
      throw new Problem('invalid_request', 'You signed in to another account.')
    const name = form.text('name').slice(0, 60) || 'Passkey'
    await addWay(books, callerOf(person), { kind: 'passkey', passkey, name, codeHashes: [] })
  },
  async 'remove-passkey'(c, person, form) {
    await removePasskey(composeBooks(c.env), callerOf(person), form.exact('id'))
  },
  async password(c, person, form) {
    const [books, site, owner] = [composeBooks(c.env), composeSite(c.env), callerOf(person)]
    const password = form.exact('password')
    const { password: known } = await findWays(books.db, person.accountId)
    if (known) await renewPassword(books, site, { owner, password })
    else
      await addWay(books, owner, await passwordOpener(books, site, { email: form.text('email'), password }))
    await endOthers(books, { accountId: person.accountId, id: person.sessionId })
  },
  async codes(c, person) {
    const codes = await renewCodes(composeBooks(c.env), callerOf(person))
    return c.html(<CodesPage codes={codes} person={person} next="/account" />)
  },
  async unlink(c, person, form) {
    const provider = form.exact('provider') === 'google' ? 'google' : 'github'
    await unlinkIdentity(composeBooks(c.env), callerOf(person), provider)
  },
}

for (const [name, change] of Object.entries(CHANGES)) {
  accountPage.post(`/${name}`, async (c) => {
    const person = await requireRecent(c)
    const form = await readForm(c)
    try {
      return (await change(c, person, form)) ?? c.redirect(`/account#${name}`, 303)
    } catch (error) {
      return show(c, person, { error, form, name })
    }
  })
}

/** A form that was refused. */
interface Refused {
  error: unknown
  form: Fields
  name: string
}

async function show(c: WebContext, person: Person, refused?: Refused) {
  const books = composeBooks(c.env)
  const [ways, passkeys, isFixed] = await Promise.all([
    findWays(books.db, person.accountId),
    listPasskeys(books.db, person.accountId),
    isHandleFixed(books.db, person.accountId),
  ])
  /** The faults of a form that was refused, and what was typed into it. */
  const about = (...names: string[]) => ({
    c,
    mayChange: isRecent(person),
    faults: refused && names.includes(refused.name) ? faultsOf(refused.error) : {},
    typed: (field: string) =>
      refused && names.includes(refused.name) ? refused.form.text(field) : undefined,
  })
  return c.html(
    <Page title="Account" person={person}>
      {!isRecent(person) && <ConfirmFirst next="/account" to="change anything here" />}
      <Handle {...about('handle')} handle={person.handle} isFixed={isFixed} />
      <Passkeys {...about('passkeys', 'remove-passkey')} passkeys={passkeys} />
      <Password {...about('password')} email={ways.password?.email} />
      <Codes {...about('codes')} left={ways.codes} />
      <Providers {...about('unlink')} linked={ways.identities} />
    </Page>,
    statusOf(c, refused?.error),
  )
}
