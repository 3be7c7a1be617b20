import { eq, sql } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { account } from '../../../db/schema/account.ts'
import { password, wrongAnswer } from '../../../db/schema/sign-in.ts'

/** What opens an account to a person. */
export type Opener = { kind: 'password'; email: string; emailKey: string; hash: string }

export interface Opened {
  accountId: string
  handle: string
  opener: Opener
  now: number
}

/** Makes an account with its opener, both or neither; says which of them is taken, if one is. */
export async function insertOpened(
  db: Db,
  { accountId, handle, opener, now }: Opened,
): Promise<'handle' | 'opener' | null> {
  try {
    await db.batch([
      db.insert(account).values({ id: accountId, handle, created_at: now }),
      db.insert(password).values({
        account_id: accountId,
        email: opener.email,
        email_key: opener.emailKey,
        hash: opener.hash,
        changed_at: now,
      }),
    ])
    return null
  } catch (error) {
    return takenIn(error)
  }
}

/** Which unique value a failed write found taken. */
function takenIn(error: unknown): 'handle' | 'opener' {
  for (let each = error; each instanceof Error; each = each.cause) {
    const [, column] = /UNIQUE constraint failed: ([\w.]+)/.exec(each.message) ?? []
    if (column) return column === 'account.handle' ? 'handle' : 'opener'
  }
  throw error
}

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
 * this one is heard. The fifth makes the next one wait 2 s, each further one twice as long, at most 15 min.
 */
export async function countTry(db: Db, nameSha256: string, now: number): Promise<number> {
  const count = sql`case when ${wrongAnswer.last_at} < ${now - DAY_MS} then 1 else ${wrongAnswer.count} + 1 end`
  const waitMs = sql`case when ${count} < 5 then 0 else min(900000, 2000 << min(${count} - 5, 9)) end`
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
