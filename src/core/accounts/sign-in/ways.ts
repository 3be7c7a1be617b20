import type { Caller } from '../../caller.ts'
import { Problem } from '../../problem.ts'
import { noteAct, type Act } from '../audit/act.ts'
import type { Books, Site } from '../books.ts'
import { changePassword } from './passwords/password.ts'
import { PROVIDERS, type Provider } from './providers/provider.ts'
import { newCodes } from './recovery/code.ts'
import { replaceCodes } from './recovery/store.ts'
import { openerTaken } from './sign-up.ts'
import { deleteIdentity, deletePasskey, insertOpener, type Opener } from './store.ts'

/** Who changes how their account is opened. They have proved a moment ago that they are it. */
export type Owner = Pick<Caller, 'accountId' | 'via'>

const ADDED: Record<Opener['kind'], Act> = {
  password: 'password_changed',
  passkey: 'passkey_added',
  identity: 'identity_linked',
}

/** Adds a way to open the account. Throws when it opens another one, or this one already. */
export async function addWay(books: Books, owner: Owner, opener: Opener): Promise<void> {
  const { accountId } = owner
  if (!(await insertOpener(books.db, accountId, { opener, now: books.now() }))) throw openerTaken(opener)
  await note(books, owner, { act: ADDED[opener.kind], subject: nameOf(opener) })
}

function nameOf(opener: Opener): string {
  if (opener.kind === 'password') return opener.email
  return opener.kind === 'passkey' ? opener.name : `${PROVIDERS[opener.provider].label}: ${opener.name}`
}

/** Replaces the account's password. */
export async function renewPassword(
  books: Books,
  site: Site,
  { owner, password }: { owner: Owner; password: string },
): Promise<void> {
  await changePassword(books, site, { accountId: owner.accountId, password })
  await note(books, owner, { act: 'password_changed', subject: null })
}

/** Ten new recovery codes in the place of all earlier ones, shown here and never again. */
export async function renewCodes(books: Books, owner: Owner): Promise<string[]> {
  const { codes, hashes } = await newCodes(books)
  await replaceCodes(books.db, owner.accountId, { hashes, now: books.now() })
  await note(books, owner, { act: 'recovery_codes_made', subject: null })
  return codes
}

export async function removePasskey(books: Books, owner: Owner, id: string): Promise<void> {
  const removed = await deletePasskey(books.db, owner.accountId, id)
  if (!removed) throw lastWay('passkey')
  await note(books, owner, { act: 'passkey_removed', subject: removed.name })
}

export async function unlinkIdentity(books: Books, owner: Owner, provider: Provider): Promise<void> {
  const removed = await deleteIdentity(books.db, owner.accountId, provider)
  if (!removed) throw lastWay('link')
  await note(books, owner, {
    act: 'identity_unlinked',
    subject: `${PROVIDERS[provider].label}: ${removed.name}`,
  })
}

const lastWay = (what: string): Problem =>
  new Problem('invalid_request', `This ${what} is gone already, or is the only way into your account.`, {
    hint: 'Add another way first.',
  })

const note = (
  books: Books,
  { accountId, via }: Owner,
  { act, subject }: { act: Act; subject: string | null },
) => noteAct(books, { accountId, act, subject, via })
