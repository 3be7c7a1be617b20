import { eq } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { recoveryCode } from '../../../../db/schema/sign-in.ts'

/** Takes a code out, so that it opens once; gives its account. */
export async function takeCode(db: Db, codeSha256: string): Promise<string | undefined> {
  const [taken] = await db
    .delete(recoveryCode)
    .where(eq(recoveryCode.code_sha256, codeSha256))
    .returning({ accountId: recoveryCode.account_id })
  return taken?.accountId
}

/** Gives an account these codes in the place of all that it had. */
export async function replaceCodes(
  db: Db,
  accountId: string,
  { hashes, now }: { hashes: string[]; now: number },
): Promise<void> {
  await db.batch([
    db.delete(recoveryCode).where(eq(recoveryCode.account_id, accountId)),
    db
      .insert(recoveryCode)
      .values(hashes.map((code_sha256) => ({ code_sha256, account_id: accountId, created_at: now }))),
  ])
}
