import { and, asc, eq, inArray, ne, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { connection } from '../../db/schema/connection.ts'
import type { Invoke } from '../tools/descriptor/descriptor.ts'
import type { Connection } from './connection.ts'
import type { Owner, Sealed } from './keyring.ts'

/** Connections that one account may have. */
export const MOST_CONNECTIONS = 100

export interface SealedConnection extends Connection, Sealed {}

const columns = {
  name: connection.name,
  kind: connection.kind,
  keyName: connection.key_name,
  sealed: connection.sealed,
  updatedAt: connection.updated_at,
}

const isOf = ({ accountId, name }: Owner) =>
  and(eq(connection.account_id, accountId), eq(connection.name, name))

/** Keeps a value under its name, in place of an earlier one. False: the account has as many as it may. */
export async function putConnection(
  db: Db,
  accountId: string,
  { name, kind, keyName, sealed, updatedAt }: SealedConnection,
): Promise<boolean> {
  const kept = await db.all(sql`insert into connection
    (account_id, name, kind, key_name, sealed, created_at, updated_at)
    select ${accountId}, ${name}, ${kind}, ${keyName}, ${sealed}, ${updatedAt}, ${updatedAt}
    where exists (select 1 from connection where account_id = ${accountId} and name = ${name})
      or (select count(*) from connection where account_id = ${accountId}) < ${MOST_CONNECTIONS}
    on conflict (account_id, name) do update set kind = excluded.kind, key_name = excluded.key_name,
      sealed = excluded.sealed, updated_at = excluded.updated_at
    returning name`)
  return kept.length > 0
}

/** False: there was none. */
export async function dropConnection(db: Db, owner: Owner): Promise<boolean> {
  const dropped = await db.delete(connection).where(isOf(owner)).returning({ name: connection.name })
  return dropped.length > 0
}

export async function listConnectionRows(db: Db, accountId: string): Promise<SealedConnection[]> {
  return db
    .select(columns)
    .from(connection)
    .where(eq(connection.account_id, accountId))
    .orderBy(asc(connection.name))
}

/** Those of an account that have these names; others are left out. */
export async function findConnections(
  db: Db,
  accountId: string,
  names: string[],
): Promise<SealedConnection[]> {
  if (names.length === 0) return []
  return db
    .select(columns)
    .from(connection)
    .where(and(eq(connection.account_id, accountId), inArray(connection.name, names)))
}

/** Values that another key encrypted, of whatever account. */
export async function findSealedByOther(
  db: Db,
  keyNames: { current: string; known: string[] },
  limit: number,
): Promise<(Owner & Sealed)[]> {
  return db
    .select({
      accountId: connection.account_id,
      name: connection.name,
      keyName: connection.key_name,
      sealed: connection.sealed,
    })
    .from(connection)
    .where(and(ne(connection.key_name, keyNames.current), inArray(connection.key_name, keyNames.known)))
    .limit(limit)
}

/** Puts the same value, sealed anew, in place of what was read, unless another value came meanwhile. */
export async function resealConnection(
  db: Db,
  owner: Owner,
  { from, to }: { from: Sealed; to: Sealed },
): Promise<void> {
  await db
    .update(connection)
    .set({ key_name: to.keyName, sealed: to.sealed })
    .where(and(isOf(owner), eq(connection.sealed, from.sealed)))
}

/** How the newest versions of an account's own tools work, those alone that may name a connection. */
export async function listNamingInvokes(
  db: Db,
  accountId: string,
): Promise<{ toolId: string; invoke: Invoke }[]> {
  const rows = await db.all<{ slug: string; invoke: string }>(sql`select t.slug,
      json_extract(v.descriptor, '$.invoke') as invoke
    from tool t join tool_version v on v.tool_id = t.id and v.number = t.last_version
    where t.account_id = ${accountId} and t.deleted_at is null and instr(v.descriptor, '"secret_name"') > 0
    order by t.slug`)
  // Only accepted descriptors are stored.
  return rows.map(({ slug, invoke }) => ({ toolId: `tool:${slug}`, invoke: JSON.parse(invoke) as Invoke }))
}
