import { and, eq, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { file, fileBytes, fileUse } from '../../db/schema/file.ts'

/** A file as an account knows it. */
export interface NamedFile {
  path: string
  hash: string
  /** Bytes. */
  size: number
  mediaType: string
  updatedAt: number
}

const columns = {
  path: file.path,
  hash: file.hash,
  size: fileBytes.size,
  mediaType: file.media_type,
  updatedAt: file.updated_at,
}

export interface NewName {
  accountId: string
  path: string
  searchKey: string
  hash: string
  mediaType: string
  now: number
  /** Bytes that the account may have in all. */
  quota: number
}

/**
 * Points a name at bytes, in one step and only when all of them are there and the account has room for them. Bytes
 * that the account has already cost nothing again. False when one of the two does not hold.
 */
export async function setName(db: Db, name: NewName): Promise<boolean> {
  const { accountId, path, hash } = name
  const rows = await db.all(sql`
    insert into file (account_id, path, search_key, hash, media_type, updated_at)
    select ${accountId}, ${path}, ${name.searchKey}, ${hash}, ${name.mediaType}, ${name.now} from file_bytes
    where hash = ${hash} and whole_at is not null and dropping_at is null
      and (select sum(size) from file_bytes where hash = ${hash}
        or hash in (select hash from file where account_id = ${accountId} and path <> ${path}
          union select hash from file_use where account_id = ${accountId})) <= ${name.quota}
    on conflict (account_id, path) do update
    set search_key = excluded.search_key, hash = excluded.hash, media_type = excluded.media_type,
      updated_at = excluded.updated_at
    returning path`)
  return rows.length > 0
}

/** Bytes that an account has: each once, however many names and tasks point at it. */
export async function usedBytes(db: Db, accountId: string): Promise<number> {
  const row = await db.get<{ used: number }>(sql`select coalesce(sum(size), 0) as used from file_bytes
    where hash in (select hash from file where account_id = ${accountId}
      union select hash from file_use where account_id = ${accountId})`)
  return row?.used ?? 0
}

export async function findByPath(db: Db, accountId: string, path: string): Promise<NamedFile | undefined> {
  return db
    .select(columns)
    .from(file)
    .innerJoin(fileBytes, eq(fileBytes.hash, file.hash))
    .where(and(eq(file.account_id, accountId), eq(file.path, path)))
    .get()
}

/** The newest name that an account has for some bytes, or how a task or version of its own calls them. */
export async function findByHash(
  db: Db,
  accountId: string,
  hash: string,
): Promise<{ path: string; size: number } | undefined> {
  const row = await db.get<{ path: string; size: number } | undefined>(sql`
    select known.path, size from (
      select path, hash, updated_at from file where account_id = ${accountId} and hash = ${hash}
      union all select path, hash, 0 from file_use where account_id = ${accountId} and hash = ${hash}
    ) known join file_bytes on file_bytes.hash = known.hash
    order by updated_at desc, path limit 1`)
  return row ?? undefined
}

/** Names below a folder (all of them for `''`), in the order of their paths, after `cursor`. */
export async function listNames(
  db: Db,
  accountId: string,
  { folder, cursor, limit }: { folder: string; cursor: string; limit: number },
): Promise<NamedFile[]> {
  return db
    .select(columns)
    .from(file)
    .innerJoin(fileBytes, eq(fileBytes.hash, file.hash))
    .where(
      and(
        eq(file.account_id, accountId),
        sql`${file.path} > ${cursor}`,
        sql`substr(${file.path}, 1, length(${folder})) = ${folder}`,
      ),
    )
    .orderBy(file.path)
    .limit(limit)
}

/** Names that hold every one of the words, newest first. `words` as `searchKey` makes them. */
export async function searchNames(
  db: Db,
  accountId: string,
  { words, limit }: { words: string[]; limit: number },
): Promise<NamedFile[]> {
  const holds = words.map((word) => sql`instr(${file.search_key}, ${word}) > 0`)
  return db
    .select(columns)
    .from(file)
    .innerJoin(fileBytes, eq(fileBytes.hash, file.hash))
    .where(and(eq(file.account_id, accountId), ...holds))
    .orderBy(sql`${file.updated_at} desc, ${file.path}`)
    .limit(limit)
}

/** Removes a name. The bytes go later, when nothing points at them. */
export async function dropName(db: Db, accountId: string, path: string): Promise<string | undefined> {
  const [row] = await db
    .delete(file)
    .where(and(eq(file.account_id, accountId), eq(file.path, path)))
    .returning({ hash: file.hash })
  return row?.hash
}

/**
 * Has a task or version point at files that its account has. Returns the hashes that it could: of others the account
 * has none, or their bytes are gone. Safe to send twice.
 */
export async function holdFiles(
  db: Db,
  { accountId, holder, hashes }: { accountId: string; holder: string; hashes: string[] },
): Promise<string[]> {
  await db.run(sql`
    insert into file_use (holder, hash, account_id, path)
    select ${holder}, hash, ${accountId}, (
      select path from (
        select path, updated_at from file where account_id = ${accountId} and file.hash = file_bytes.hash
        union all select path, 0 from file_use where account_id = ${accountId} and file_use.hash = file_bytes.hash
      ) order by updated_at desc, path limit 1)
    from file_bytes
    where hash in (select value from json_each(${JSON.stringify(hashes)}))
      and whole_at is not null and dropping_at is null
      and (exists (select 1 from file where account_id = ${accountId} and file.hash = file_bytes.hash)
        or exists (select 1 from file_use where account_id = ${accountId} and file_use.hash = file_bytes.hash))
    on conflict do nothing`)
  return (await heldFiles(db, holder)).map(({ hash }) => hash)
}

/** Has a holder point at bytes that it made itself. */
export async function holdMade(
  db: Db,
  made: { accountId: string; holder: string; hash: string; path: string },
): Promise<void> {
  const { accountId: account_id, ...row } = made
  await db
    .insert(fileUse)
    .values({ account_id, ...row })
    .onConflictDoNothing()
}

/** What a holder points at, and how each is called. */
export async function heldFiles(
  db: Db,
  holder: string,
): Promise<{ hash: string; path: string; size: number }[]> {
  return db
    .select({ hash: fileUse.hash, path: fileUse.path, size: fileBytes.size })
    .from(fileUse)
    .innerJoin(fileBytes, eq(fileBytes.hash, fileUse.hash))
    .where(eq(fileUse.holder, holder))
}

/** The holder is gone. */
export async function releaseFiles(db: Db, holder: string): Promise<void> {
  await db.delete(fileUse).where(eq(fileUse.holder, holder))
}

/** Which of some hashes an account has, by a name or by a task or version of its own. */
export async function ownedHashes(db: Db, accountId: string, hashes: string[]): Promise<Set<string>> {
  const given = sql`(select value from json_each(${JSON.stringify(hashes)}))`
  const rows = await db.all<{ hash: string }>(sql`
    select hash from file where account_id = ${accountId} and hash in ${given}
    union select hash from file_use where account_id = ${accountId} and hash in ${given}`)
  return new Set(rows.map(({ hash }) => hash))
}
