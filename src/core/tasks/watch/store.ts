import { asc, eq, lte } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { watch } from '../../../db/schema/watch.ts'

/** Asks the watchdog to look after an account's object at a time. */
export async function setPokeAt(db: Db, accountId: string, pokeAt: number): Promise<void> {
  await db
    .insert(watch)
    .values({ account_id: accountId, poke_at: pokeAt })
    .onConflictDoUpdate({ target: watch.account_id, set: { poke_at: pokeAt } })
}

/** Nothing is due there any more. */
export async function dropPoke(db: Db, accountId: string): Promise<void> {
  await db.delete(watch).where(eq(watch.account_id, accountId))
}

/** Accounts whose objects should have been at work, the longest overdue first. */
export async function findOverdue(db: Db, now: number, limit: number): Promise<string[]> {
  const rows = await db
    .select({ id: watch.account_id })
    .from(watch)
    .where(lte(watch.poke_at, now))
    .orderBy(asc(watch.poke_at))
    .limit(limit)
  return rows.map(({ id }) => id)
}
