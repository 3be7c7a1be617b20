import { and, desc, eq, gt, isNotNull, isNull, lt, ne, notExists, or, sql } from 'drizzle-orm'
import { alias } from 'drizzle-orm/sqlite-core'
import type { Db } from '../../db/client.ts'
import { account, token } from '../../db/schema/account.ts'
import { tool, toolVersion } from '../../db/schema/tool.ts'
import type { Scope } from '../caller.ts'
import type { NewToken, TokenRow } from './token.ts'

const other = alias(account, 'other')

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

/** A token as its owner is shown it. */
export interface ListedToken {
  id: string
  name: string
  scopes: string[]
  createdAt: number
  expiresAt: number
  lastUsedAt: number | null
}

/** Living tokens of an account, the newest first. */
export async function listTokens(db: Db, accountId: string, now: number): Promise<ListedToken[]> {
  return db
    .select({
      id: token.id,
      name: token.name,
      scopes: token.scopes,
      createdAt: token.created_at,
      expiresAt: token.expires_at,
      lastUsedAt: token.last_used_at,
    })
    .from(token)
    .where(and(eq(token.account_id, accountId), gt(token.expires_at, now)))
    .orderBy(desc(token.created_at))
    .limit(200)
}

/** Removes a token of an account; gives its name, if the account has it. */
export async function deleteToken(
  db: Db,
  accountId: string,
  id: string,
): Promise<{ name: string } | undefined> {
  const [removed] = await db
    .delete(token)
    .where(and(eq(token.account_id, accountId), eq(token.id, id)))
    .returning({ name: token.name })
  return removed
}

/** Versions of an account's tools that others could have at some time, deleted tools too. */
const onceOpen = (db: Db, accountId: string) =>
  db
    .select({ one: sql`1` })
    .from(toolVersion)
    .innerJoin(tool, eq(tool.id, toolVersion.tool_id))
    .where(and(eq(tool.account_id, accountId), isNotNull(toolVersion.published_at)))

/**
 * Whether an account must keep its handle: once it has published, others know its tools by it. Accounts are never
 * removed, so no other one gets it.
 */
export async function isHandleFixed(db: Db, accountId: string): Promise<boolean> {
  return (await onceOpen(db, accountId).limit(1)).length > 0
}

/** Gives an account another handle. False when it is taken, or must stay. */
export async function updateHandle(db: Db, accountId: string, handle: string): Promise<boolean> {
  const isOthers = and(eq(other.handle, handle), ne(other.id, accountId))
  const taken = db
    .select({ one: sql`1` })
    .from(other)
    .where(isOthers)
  const changed = await db
    .update(account)
    .set({ handle })
    .where(and(eq(account.id, accountId), notExists(taken), notExists(onceOpen(db, accountId))))
    .returning({ id: account.id })
  return changed.length > 0
}
