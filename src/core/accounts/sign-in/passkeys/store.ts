import { and, asc, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { passkey } from '../../../../db/schema/sign-in.ts'

/** A passkey as a person is shown it. */
export interface PasskeyRow {
  id: string
  name: string
  transports: string[]
  createdAt: number
  lastUsedAt: number | null
}

export async function listPasskeys(db: Db, accountId: string): Promise<PasskeyRow[]> {
  return db
    .select({
      id: passkey.id,
      name: passkey.name,
      transports: passkey.transports,
      createdAt: passkey.created_at,
      lastUsedAt: passkey.last_used_at,
    })
    .from(passkey)
    .where(eq(passkey.account_id, accountId))
    .orderBy(asc(passkey.created_at))
}

export async function findPasskey(db: Db, id: string) {
  return db
    .select({
      id: passkey.id,
      accountId: passkey.account_id,
      publicKey: passkey.public_key,
      counter: passkey.counter,
    })
    .from(passkey)
    .where(eq(passkey.id, id))
    .get()
}

/** Notes a use, if the passkey's count is still what it was. */
export async function usePasskey(
  db: Db,
  id: string,
  { counter, newCounter, now }: { counter: number; newCounter: number; now: number },
): Promise<boolean> {
  const used = await db
    .update(passkey)
    .set({ counter: newCounter, last_used_at: now })
    .where(and(eq(passkey.id, id), eq(passkey.counter, counter)))
    .returning({ id: passkey.id })
  return used.length > 0
}
