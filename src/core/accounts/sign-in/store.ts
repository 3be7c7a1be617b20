import { and, eq, lt, sql } from 'drizzle-orm'
import type { BatchItem } from 'drizzle-orm/batch'
import type { Db } from '../../../db/client.ts'
import { account } from '../../../db/schema/account.ts'
import {
  ceremony,
  linkedIdentity,
  passkey,
  password,
  recoveryCode,
  session,
  usedSetupCode,
  wrongAnswer,
} from '../../../db/schema/sign-in.ts'
import type { Provider } from './providers/provider.ts'

/** A passkey to keep. `id` and `publicKey` (COSE) are base64url. */
export interface NewPasskey {
  id: string
  publicKey: string
  counter: number
  transports: string[]
}

/** What opens an account to a person. */
export type Opener =
  | { kind: 'password'; email: string; emailKey: string; hash: string }
  | { kind: 'passkey'; passkey: NewPasskey; name: string; codeHashes: string[] }
  | { kind: 'identity'; provider: Provider; subject: string; name: string }

/** An account that is opened for the first time. `isNew` is false for one that stands and that nothing opens yet. */
export interface Opening {
  accountId: string
  handle: string
  isNew: boolean
  opener: Opener
  setupCodeSha256: string | null
  now: number
}

/** Makes an account with its opener, both or neither; says what of it is taken, if something is. */
export async function insertOpened(
  db: Db,
  opening: Opening,
): Promise<'handle' | 'opener' | 'setup code' | null> {
  const { accountId, handle, isNew, opener, setupCodeSha256, now } = opening
  const code = { code_sha256: setupCodeSha256 ?? '', account_id: accountId, used_at: now }
  const [first, ...others] = [
    ...(setupCodeSha256 ? [db.insert(usedSetupCode).values(code)] : []),
    ...(isNew ? [db.insert(account).values({ id: accountId, handle, created_at: now })] : []),
    ...openerRows(db, accountId, { opener, now }),
  ]
  try {
    if (first) await db.batch([first, ...others])
    return null
  } catch (error) {
    const column = takenColumn(error)
    if (column === 'account.handle') return 'handle'
    return column.startsWith('used_setup_code.') ? 'setup code' : 'opener'
  }
}

/** Adds an opener to an account; false when it opens another account, or this one in another way of its kind. */
export async function insertOpener(
  db: Db,
  accountId: string,
  opener: { opener: Opener; now: number },
): Promise<boolean> {
  const [first, ...others] = openerRows(db, accountId, opener)
  try {
    if (first) await db.batch([first, ...others])
    return true
  } catch (error) {
    takenColumn(error)
    return false
  }
}

function openerRows(
  db: Db,
  account_id: string,
  { opener, now }: { opener: Opener; now: number },
): BatchItem<'sqlite'>[] {
  switch (opener.kind) {
    case 'password': {
      const { email, emailKey, hash } = opener
      return [db.insert(password).values({ account_id, email, email_key: emailKey, hash, changed_at: now })]
    }
    case 'identity': {
      const { provider, subject, name } = opener
      return [db.insert(linkedIdentity).values({ provider, subject, account_id, name, created_at: now })]
    }
    case 'passkey': {
      const { id, publicKey, counter, transports } = opener.passkey
      const row = {
        id,
        account_id,
        name: opener.name,
        public_key: publicKey,
        counter,
        transports,
        created_at: now,
      }
      return [db.insert(passkey).values(row), ...codeRows(db, account_id, { hashes: opener.codeHashes, now })]
    }
  }
}

function codeRows(db: Db, account_id: string, { hashes, now }: { hashes: string[]; now: number }) {
  return hashes.map((code_sha256) =>
    db.insert(recoveryCode).values({ code_sha256, account_id, created_at: now }),
  )
}

/** The unique column that a failed write found taken. Any other failure is thrown on. */
function takenColumn(error: unknown): string {
  for (let each = error; each instanceof Error; each = each.cause) {
    const [, column] = /UNIQUE constraint failed: ([\w.]+)/.exec(each.message) ?? []
    if (column) return column
  }
  throw error
}

/** How many ways of each kind an account has to be opened by. */
export interface Ways {
  passkeys: number
  codes: number
  password: { email: string } | null
  identities: { provider: Provider; name: string; lastUsedAt: number | null }[]
}

export async function findWays(db: Db, accountId: string): Promise<Ways> {
  const [passwords, passkeys, codes, identities] = await db.batch([
    db.select({ email: password.email }).from(password).where(eq(password.account_id, accountId)),
    db.select({ id: passkey.id }).from(passkey).where(eq(passkey.account_id, accountId)),
    db
      .select({ code: recoveryCode.code_sha256 })
      .from(recoveryCode)
      .where(eq(recoveryCode.account_id, accountId)),
    db.select().from(linkedIdentity).where(eq(linkedIdentity.account_id, accountId)),
  ])
  return {
    passkeys: passkeys.length,
    codes: codes.length,
    password: passwords[0] ?? null,
    // Written by openerRows alone.
    identities: identities.map(({ provider, name, last_used_at }) => ({
      provider: provider as Provider,
      name,
      lastUsedAt: last_used_at,
    })),
  }
}

export async function isSetupCodeUsed(db: Db, codeSha256: string): Promise<boolean> {
  const row = await db
    .select({ at: usedSetupCode.used_at })
    .from(usedSetupCode)
    .where(eq(usedSetupCode.code_sha256, codeSha256))
    .get()
  return row !== undefined
}

/** Some other way opens the account than the passkey or the provider named. Recovery codes do not count: they run out. */
function isOpenOtherwise(accountId: string, { passkeyId = '', provider = '' }) {
  return sql`(exists (select 1 from ${password} where ${password.account_id} = ${accountId})
    or exists (select 1 from ${passkey} as p where p.account_id = ${accountId} and p.id <> ${passkeyId})
    or exists (select 1 from ${linkedIdentity} as i where i.account_id = ${accountId} and i.provider <> ${provider}))`
}

/** Removes a passkey of an account, if another way opens it; gives its name. */
export async function deletePasskey(
  db: Db,
  accountId: string,
  passkeyId: string,
): Promise<{ name: string } | undefined> {
  const isOwn = and(eq(passkey.account_id, accountId), eq(passkey.id, passkeyId))
  const [removed] = await db
    .delete(passkey)
    .where(and(isOwn, isOpenOtherwise(accountId, { passkeyId })))
    .returning({ name: passkey.name })
  return removed
}

/** Unlinks an account from a provider, if another way opens it; gives the name that it was known by there. */
export async function deleteIdentity(
  db: Db,
  accountId: string,
  provider: Provider,
): Promise<{ name: string } | undefined> {
  const isOwn = and(eq(linkedIdentity.account_id, accountId), eq(linkedIdentity.provider, provider))
  const [removed] = await db
    .delete(linkedIdentity)
    .where(and(isOwn, isOpenOtherwise(accountId, { provider })))
    .returning({ name: linkedIdentity.name })
  return removed
}

const DAY_MS = 86_400_000

/** Drops what counts as gone: sessions and ceremonies that ended, and wrong answers of more than a day ago. */
export async function dropEnded(db: Db, now: number): Promise<void> {
  await db.batch([
    db.delete(session).where(lt(session.expires_at, now)),
    db.delete(ceremony).where(lt(ceremony.expires_at, now)),
    db.delete(wrongAnswer).where(lt(wrongAnswer.last_at, now - DAY_MS)),
  ])
}
