import { SCOPES, type Scope } from '../caller.ts'
import { Problem } from '../problem.ts'
import { noteAct } from './audit/act.ts'
import type { Books } from './books.ts'
import type { Owner } from './sign-in/ways.ts'
import { deleteToken, insertToken } from './store.ts'
import { makeToken, TOKEN_DAYS } from './token.ts'

const DAY_MS = 86_400_000
const NAME_CHARS = 60

/** What a person asks of a token. `days`: how long it opens their account. */
export interface Wanted {
  name: string
  scopes: string[]
  days: number
}

/** Makes a personal access token; its text is given here and never again. */
export async function grantToken(
  books: Books,
  owner: Owner,
  { name, scopes, days }: Wanted,
): Promise<string> {
  const refuse = (field: string, message: string) => new Problem('invalid_request', message, { field })
  if (!name || name.length > NAME_CHARS) {
    throw refuse('name', `Give it a name of 1 to ${NAME_CHARS} characters: where you will use it.`)
  }
  const granted = SCOPES.filter((scope): scope is Scope => scopes.includes(scope))
  if (granted.length === 0) throw refuse('scopes', 'Tick at least one thing that it may do.')
  if (!Number.isInteger(days) || days < 1 || days > TOKEN_DAYS) {
    throw refuse('days', `A token lives 1 to ${TOKEN_DAYS} days.`)
  }
  const token = await makeToken(books)
  const createdAt = books.now()
  const life = { createdAt, expiresAt: createdAt + days * DAY_MS }
  await insertToken(books.db, token, { accountId: owner.accountId, name, scopes: granted, ...life })
  await noteAct(books, { ...owner, act: 'token_made', subject: name })
  return token.text
}

/** Takes a token back: its next call is refused. Nothing when it is gone already. */
export async function revokeToken(books: Books, owner: Owner, id: string): Promise<void> {
  const revoked = await deleteToken(books.db, owner.accountId, id)
  if (revoked) await noteAct(books, { ...owner, act: 'token_revoked', subject: revoked.name })
}
