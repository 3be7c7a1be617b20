import { and, eq, isNotNull, isNull, lt, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { fileBytes } from '../../../db/schema/file.ts'

/** Says that bytes of this hash come in now, which keeps them for a day. False while such bytes are being dropped. */
export async function reserveBytes(
  db: Db,
  { hash, size, now }: { hash: string; size: number; now: number },
): Promise<boolean> {
  const rows = await db
    .insert(fileBytes)
    .values({ hash, size, touched_at: now })
    .onConflictDoUpdate({
      target: fileBytes.hash,
      set: { touched_at: now, doomed_at: null },
      setWhere: isNull(fileBytes.dropping_at),
    })
    .returning({ hash: fileBytes.hash })
  return rows.length > 0
}

/** All the bytes are there: from now on names may point at them. */
export async function setWhole(db: Db, hash: string, now: number): Promise<void> {
  await db
    .update(fileBytes)
    .set({ whole_at: now })
    .where(and(eq(fileBytes.hash, hash), isNull(fileBytes.whole_at), isNull(fileBytes.dropping_at)))
}

/** Keeps whole bytes for another day. False when there are none. */
export async function touchBytes(db: Db, hash: string, now: number): Promise<boolean> {
  const rows = await db
    .update(fileBytes)
    .set({ touched_at: now, doomed_at: null })
    .where(and(eq(fileBytes.hash, hash), isNotNull(fileBytes.whole_at), isNull(fileBytes.dropping_at)))
    .returning({ hash: fileBytes.hash })
  return rows.length > 0
}

const UNUSED = sql`not exists (select 1 from file where file.hash = file_bytes.hash)
  and not exists (select 1 from file_use where file_use.hash = file_bytes.hash)`

/** First phase: dooms bytes that nothing points at and nobody touched since. */
export async function doomUnused(db: Db, { now, before }: { now: number; before: number }): Promise<void> {
  await db
    .update(fileBytes)
    .set({ doomed_at: now })
    .where(and(isNull(fileBytes.doomed_at), lt(fileBytes.touched_at, before), UNUSED))
}

/** Second phase: takes what was doomed in time and is still unused, so that nothing can point at it any more. */
export async function takeDoomed(
  db: Db,
  { now, before }: { now: number; before: number },
): Promise<string[]> {
  await db
    .update(fileBytes)
    .set({ dropping_at: now, whole_at: null })
    .where(and(lt(fileBytes.doomed_at, before), isNull(fileBytes.dropping_at), UNUSED))
  const rows = await db
    .select({ hash: fileBytes.hash })
    .from(fileBytes)
    .where(isNotNull(fileBytes.dropping_at))
    .limit(500)
  return rows.map(({ hash }) => hash)
}

/** The bytes are gone. */
export async function forgetBytes(db: Db, hash: string): Promise<void> {
  await db.delete(fileBytes).where(and(eq(fileBytes.hash, hash), isNotNull(fileBytes.dropping_at)))
}
