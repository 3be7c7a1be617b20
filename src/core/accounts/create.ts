import type { Db } from '../../db/client.ts'
import { SCOPES } from '../caller.ts'
import { newId, type Source } from '../ids.ts'
import { Problem } from '../problem.ts'
import { checkHandle, handleTaken } from './handle.ts'
import { findAccount, insertAccount, insertToken } from './store.ts'
import { makeToken, TOKEN_DAYS } from './token.ts'

const DAY_MS = 86_400_000

/** Makes an account with one token of every scope, which is shown here and never again. */
export async function createAccount(
  db: Db,
  source: Source,
  handle: string,
): Promise<{ handle: string; token: string }> {
  checkHandle(handle)
  const id = newId('acc', source)
  const createdAt = source.now()
  if (!(await insertAccount(db, { id, handle, createdAt }))) throw handleTaken(handle)
  return grantToken(db, source, { accountId: id, handle, name: 'first token' })
}

/** Makes a further token of every scope for an account, shown here and never again. */
export async function addToken(
  db: Db,
  source: Source,
  handle: string,
): Promise<{ handle: string; token: string }> {
  const account = await findAccount(db, handle)
  if (!account) {
    throw new Problem('not_found', `There is no account "${handle.slice(0, 40)}".`, { field: 'handle' })
  }
  return grantToken(db, source, { accountId: account.id, handle, name: 'further token' })
}

async function grantToken(
  db: Db,
  source: Source,
  { accountId, handle, name }: { accountId: string; handle: string; name: string },
): Promise<{ handle: string; token: string }> {
  const token = await makeToken(source)
  const createdAt = source.now()
  const expiresAt = createdAt + TOKEN_DAYS * DAY_MS
  await insertToken(db, token, { accountId, name, scopes: SCOPES, createdAt, expiresAt })
  return { handle, token: token.text }
}
