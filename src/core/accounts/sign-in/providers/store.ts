import { and, eq } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { linkedIdentity } from '../../../../db/schema/sign-in.ts'
import type { Identity } from './provider.ts'

/** The account that an identity opens; notes its use. */
export async function useIdentity(
  db: Db,
  { provider, subject, name }: Identity,
  now: number,
): Promise<string | undefined> {
  const [used] = await db
    .update(linkedIdentity)
    .set({ last_used_at: now, name })
    .where(and(eq(linkedIdentity.provider, provider), eq(linkedIdentity.subject, subject)))
    .returning({ accountId: linkedIdentity.account_id })
  return used?.accountId
}
