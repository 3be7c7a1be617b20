import { and, desc, eq, gt, ne } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { account } from '../../../db/schema/account.ts'
import { session } from '../../../db/schema/sign-in.ts'

export interface NewSession {
  id: string
  tokenSha256: string
  accountId: string
  device: string
  now: number
  expiresAt: number
}

export async function insertSession(db: Db, row: NewSession): Promise<void> {
  await db.insert(session).values({
    id: row.id,
    token_sha256: row.tokenSha256,
    account_id: row.accountId,
    device: row.device,
    created_at: row.now,
    confirmed_at: row.now,
    last_used_at: row.now,
    expires_at: row.expiresAt,
  })
}

export async function findSessionRow(db: Db, tokenSha256: string) {
  return db
    .select({
      id: session.id,
      accountId: session.account_id,
      handle: account.handle,
      confirmedAt: session.confirmed_at,
      lastUsedAt: session.last_used_at,
      expiresAt: session.expires_at,
    })
    .from(session)
    .innerJoin(account, eq(account.id, session.account_id))
    .where(eq(session.token_sha256, tokenSha256))
    .get()
}

export async function touchSession(
  db: Db,
  id: string,
  { now, expiresAt }: { now: number; expiresAt: number },
) {
  await db.update(session).set({ last_used_at: now, expires_at: expiresAt }).where(eq(session.id, id))
}

export async function deleteSessionByToken(db: Db, tokenSha256: string): Promise<void> {
  await db.delete(session).where(eq(session.token_sha256, tokenSha256))
}

/** A signed-in browser as a person is shown it. */
export interface SessionRow {
  id: string
  device: string
  createdAt: number
  lastUsedAt: number
}

/** Living sessions of an account, the last used first. */
export async function listSessions(db: Db, accountId: string, now: number): Promise<SessionRow[]> {
  return db
    .select({
      id: session.id,
      device: session.device,
      createdAt: session.created_at,
      lastUsedAt: session.last_used_at,
    })
    .from(session)
    .where(and(eq(session.account_id, accountId), gt(session.expires_at, now)))
    .orderBy(desc(session.last_used_at))
    .limit(200)
}

/** Ends one session of an account; gives what browser it was, if the account has it. */
export async function deleteSession(
  db: Db,
  accountId: string,
  id: string,
): Promise<{ device: string } | undefined> {
  const [ended] = await db
    .delete(session)
    .where(and(eq(session.account_id, accountId), eq(session.id, id)))
    .returning({ device: session.device })
  return ended
}

/** Ends all sessions of an account but one; how many. */
export async function deleteOtherSessions(db: Db, accountId: string, keptId: string): Promise<number> {
  const ended = await db
    .delete(session)
    .where(and(eq(session.account_id, accountId), ne(session.id, keptId)))
    .returning({ id: session.id })
  return ended.length
}
