import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { password, wrongAnswer } from '../../../../db/schema/sign-in.ts'

export async function findPassword(db: Db, emailKey: string) {
  return db
    .select({ accountId: password.account_id, hash: password.hash })
    .from(password)
    .where(eq(password.email_key, emailKey))
    .get()
}

const DAY_MS = 86_400_000

/**
 * Counts a try before it is looked at, so that tries at once count too. Gives how long the name has to wait: 0 when
 * this one is heard. The fifth makes the next one wait 15 s, each further one twice as long, at most 15 min.
 */
export async function countTry(db: Db, nameSha256: string, now: number): Promise<number> {
  const count = sql`case when ${wrongAnswer.last_at} < ${now - DAY_MS} then 1 else ${wrongAnswer.count} + 1 end`
  const waitMs = sql`case when ${count} < 5 then 0 else min(900000, 15000 << min(${count} - 5, 6)) end`
  const counted = await db
    .insert(wrongAnswer)
    .values({ name_sha256: nameSha256, count: 1, last_at: now, heard_from: now })
    .onConflictDoUpdate({
      target: wrongAnswer.name_sha256,
      set: { count, last_at: now, heard_from: sql`${now} + ${waitMs}` },
      setWhere: sql`${wrongAnswer.heard_from} <= ${now}`,
    })
    .returning({ count: wrongAnswer.count })
  if (counted.length > 0) return 0
  const row = await db
    .select({ heardFrom: wrongAnswer.heard_from })
    .from(wrongAnswer)
    .where(eq(wrongAnswer.name_sha256, nameSha256))
    .get()
  return Math.max((row?.heardFrom ?? now) - now, 1)
}

export async function clearWrong(db: Db, nameSha256: string): Promise<void> {
  await db.delete(wrongAnswer).where(eq(wrongAnswer.name_sha256, nameSha256))
}

/** The password's account and hash of one account. */
export async function findPasswordOf(db: Db, accountId: string) {
  return db
    .select({ email: password.email, hash: password.hash })
    .from(password)
    .where(eq(password.account_id, accountId))
    .get()
}

export async function updatePassword(
  db: Db,
  accountId: string,
  { hash, now }: { hash: string; now: number },
): Promise<void> {
  await db.update(password).set({ hash, changed_at: now }).where(eq(password.account_id, accountId))
}
