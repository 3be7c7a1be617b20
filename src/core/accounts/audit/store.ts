import { and, desc, eq, lt } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { act } from '../../../db/schema/act.ts'
import type { Via } from '../../caller.ts'
import type { Act, NewAct } from './act.ts'

/** An act as it is kept. */
export type NotedAct = Omit<NewAct, 'accountId'> & { id: string; at: number }

export async function insertAct(db: Db, { accountId, via, ...noted }: NotedAct & NewAct): Promise<void> {
  await db.insert(act).values({
    id: noted.id,
    account_id: accountId,
    kind: noted.act,
    subject: noted.subject,
    via_kind: via?.kind,
    via_id: via?.id,
    via_name: via?.name,
    at: noted.at,
  })
}

/** An account's acts, newest first, those before an id. */
export async function findActs(
  db: Db,
  accountId: string,
  { before, limit }: { before?: string; limit: number },
): Promise<NotedAct[]> {
  const isOlder = before === undefined ? undefined : lt(act.id, before)
  const rows = await db
    .select()
    .from(act)
    .where(and(eq(act.account_id, accountId), isOlder))
    .orderBy(desc(act.id))
    .limit(limit)
  return rows.map(({ id, kind, subject, at, via_kind, via_id, via_name }) => ({
    id,
    // Both were written by insertAct alone.
    act: kind as Act,
    via: via_kind === null ? null : { kind: via_kind as Via['kind'], id: via_id ?? '', name: via_name ?? '' },
    subject,
    at,
  }))
}

export async function dropActsBefore(db: Db, at: number): Promise<void> {
  await db.delete(act).where(lt(act.at, at))
}
