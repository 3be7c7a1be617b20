import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { account, token } from '../../db/schema/account.ts'
import type { Scope } from '../caller.ts'
import type { NewToken, TokenRow } from './token.ts'

/** Makes an account. False when the handle is taken. */
export async function insertAccount(
  db: Db,
  row: { id: string; handle: string; createdAt: number },
): Promise<boolean> {
  const made = await db
    .insert(account)
    .values({ id: row.id, handle: row.handle, created_at: row.createdAt })
    .onConflictDoNothing()
    .returning({ id: account.id })
  return made.length > 0
}

export async function findAccount(db: Db, handle: string): Promise<{ id: string } | undefined> {
  return db.select({ id: account.id }).from(account).where(eq(account.handle, handle)).get()
}

export interface TokenGrant {
  accountId: string
  name: string
  scopes: readonly Scope[]
  createdAt: number
  expiresAt: number
}

export async function insertToken(db: Db, made: NewToken, grant: TokenGrant): Promise<void> {
  await db.insert(token).values({
    id: made.id,
    account_id: grant.accountId,
    name: grant.name,
    secret_sha256: made.secretSha256,
    scopes: [...grant.scopes],
    created_at: grant.createdAt,
    expires_at: grant.expiresAt,
  })
}

export async function findToken(db: Db, id: string): Promise<TokenRow | undefined> {
  const row = await db
    .select()
    .from(token)
    .innerJoin(account, eq(account.id, token.account_id))
    .where(eq(token.id, id))
    .get()
  if (!row) return undefined
  return {
    accountId: row.account.id,
    handle: row.account.handle,
    name: row.token.name,
    secretSha256: row.token.secret_sha256,
    // Written by insertToken alone.
    scopes: row.token.scopes as Scope[],
    expiresAt: row.token.expires_at,
    lastUsedAt: row.token.last_used_at,
  }
}

/** Notes a use, unless one was noted after `staleAt`. */
export async function touchToken(db: Db, id: string, { now, staleAt }: { now: number; staleAt: number }) {
  const isStale = or(isNull(token.last_used_at), lt(token.last_used_at, staleAt))
  await db
    .update(token)
    .set({ last_used_at: now })
    .where(and(eq(token.id, id), isStale))
}
