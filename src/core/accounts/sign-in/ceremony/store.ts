import { and, eq, gt } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { ceremony } from '../../../../db/schema/sign-in.ts'
import type { CeremonyData } from './ceremony.ts'

export interface NewCeremony {
  id: string
  kind: string
  data: CeremonyData
  expiresAt: number
}

export async function insertCeremony(db: Db, { id, kind, data, expiresAt }: NewCeremony): Promise<void> {
  await db.insert(ceremony).values({ id, kind, data, expires_at: expiresAt })
}

/** Takes a ceremony out, so that it can be taken once. */
export async function takeCeremony(db: Db, id: string, now: number): Promise<CeremonyData | undefined> {
  const [taken] = await db
    .delete(ceremony)
    .where(and(eq(ceremony.id, id), gt(ceremony.expires_at, now)))
    .returning({ data: ceremony.data })
  // Written by insertCeremony alone.
  return taken?.data as CeremonyData | undefined
}
