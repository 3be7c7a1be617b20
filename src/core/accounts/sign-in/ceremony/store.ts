import { and, eq, gt, lt } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'
import { ceremony } from '../../../../db/schema/sign-in.ts'
import type { CeremonyData } from './ceremony.ts'

export interface NewCeremony {
  id: string
  kind: string
  data: CeremonyData
  expiresAt: number
}

/** Keeps a ceremony, and drops those that nobody finished in time. */
export async function insertCeremony(db: Db, row: NewCeremony, now: number): Promise<void> {
  const { id, kind, data, expiresAt } = row
  await db.batch([
    db.delete(ceremony).where(lt(ceremony.expires_at, now)),
    db.insert(ceremony).values({ id, kind, data, expires_at: expiresAt }),
  ])
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
