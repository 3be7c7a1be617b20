import { and, asc, eq, gt, gte, inArray, isNull, lt, lte, or, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { account } from '../../db/schema/account.ts'
import { oauthEntry as entry } from '../../db/schema/oauth.ts'

export interface Entry {
  key: string
  value: string
  metadata: unknown
  /** Milliseconds since 1970; null: it stays. */
  expiresAt: number | null
}

const isLive = (now: number) => or(isNull(entry.expires_at), gt(entry.expires_at, now))

/** As a range, which the key's index serves. */
const hasPrefix = (prefix: string) => {
  const end = prefix.slice(0, -1) + String.fromCharCode(prefix.charCodeAt(prefix.length - 1) + 1)
  return and(gte(entry.key, prefix), lt(entry.key, end))
}

export async function readValue(db: Db, key: string, now: number): Promise<string | null> {
  const row = await db
    .select({ value: entry.value })
    .from(entry)
    .where(and(eq(entry.key, key), isLive(now)))
    .get()
  return row?.value ?? null
}

/** An access token with whose it is, in one read. */
export async function readAccessToken(
  db: Db,
  { key, accountId, now }: { key: string; accountId: string; now: number },
): Promise<{ value: string; usedAt: number | null; handle: string } | undefined> {
  return db
    .select({ value: entry.value, usedAt: entry.used_at, handle: account.handle })
    .from(entry)
    .innerJoin(account, eq(account.id, accountId))
    .where(and(eq(entry.key, key), isLive(now)))
    .get()
}

/** Keeps an entry, whatever was there. */
export async function putEntry(db: Db, { key, ...rest }: Entry): Promise<void> {
  const set = columnsOf(rest)
  await db
    .insert(entry)
    .values({ key, ...set })
    .onConflictDoUpdate({ target: entry.key, set })
}

/** Keeps an entry where there is none. False: there is one. */
export async function insertEntry(db: Db, { key, ...rest }: Entry, now: number): Promise<boolean> {
  const set = columnsOf(rest)
  const made = await db
    .insert(entry)
    .values({ key, ...set })
    .onConflictDoUpdate({ target: entry.key, set, setWhere: lte(entry.expires_at, now) })
    .returning({ key: entry.key })
  return made.length > 0
}

/** Puts an entry in the place of what was read. False: it is gone, or another request was quicker. */
export async function replaceEntry(db: Db, { key, ...rest }: Entry, read: string): Promise<boolean> {
  const changed = await db
    .update(entry)
    .set(columnsOf(rest))
    .where(and(eq(entry.key, key), eq(entry.value, read)))
    .returning({ key: entry.key })
  return changed.length > 0
}

/** Keeps an entry that belongs to another one. False: the other one is gone. */
export async function insertBelow(db: Db, parent: string, made: Entry): Promise<boolean> {
  const { key, value, expiresAt } = made
  const row = await db.get(
    sql`insert into ${entry} (key, value, expires_at) select ${key}, ${value}, ${expiresAt}
    where exists (select 1 from ${entry} where key = ${parent}) returning key`,
  )
  return row !== undefined
}

/** Drops an entry and, in the same moment, all below a prefix. False: the entry was gone. */
export async function deleteEntry(db: Db, key: string, below?: string): Promise<boolean> {
  const rest = below === undefined ? undefined : hasPrefix(below)
  const gone = await db
    .delete(entry)
    .where(or(eq(entry.key, key), rest))
    .returning({ key: entry.key })
  return gone.some((each) => each.key === key)
}

/** Live entries whose key begins with a prefix, by key, after another key. */
export async function listEntries(
  db: Db,
  { prefix, after, limit, now }: { prefix: string; after: string; limit: number; now: number },
): Promise<{ key: string; metadata: unknown }[]> {
  return db
    .select({ key: entry.key, metadata: entry.metadata })
    .from(entry)
    .where(and(hasPrefix(prefix), gt(entry.key, after), isLive(now)))
    .orderBy(asc(entry.key))
    .limit(limit)
}

/** What apps were allowed by an account, and when each called last. */
export async function listGrants(
  db: Db,
  accountId: string,
  now: number,
): Promise<{ value: string; usedAt: number | null }[]> {
  return db
    .select({ value: entry.value, usedAt: entry.used_at })
    .from(entry)
    .where(and(hasPrefix(`grant:${accountId}:`), isLive(now)))
}

/** Notes a use, unless one was noted after `staleAt`. */
export async function noteUse(db: Db, keys: string[], { now, staleAt }: { now: number; staleAt: number }) {
  await db
    .update(entry)
    .set({ used_at: now })
    .where(and(inArray(entry.key, keys), or(isNull(entry.used_at), lt(entry.used_at, staleAt))))
}

export async function purgeExpired(db: Db, now: number): Promise<void> {
  await db.delete(entry).where(lte(entry.expires_at, now))
}

const columnsOf = ({ value, metadata, expiresAt }: Omit<Entry, 'key'>) => ({
  value,
  metadata: metadata ?? null,
  expires_at: expiresAt,
})
