import type { Db } from '../../../db/client.ts'
import { findOverdue } from './store.ts'

/** Objects that one sweep pokes at most; the next minute goes on with the others. */
const MOST = 1_000
const AT_ONCE = 20

/**
 * Pokes every object whose time has passed by the registry, so that a lost alarm costs a minute and no more. An
 * object that was poked tells the registry its next time itself; one that fails stays overdue for the next sweep.
 */
export async function sweep(
  db: Db,
  now: number,
  poke: (accountId: string) => Promise<void>,
): Promise<number> {
  const overdue = await findOverdue(db, now, MOST)
  for (let i = 0; i < overdue.length; i += AT_ONCE) {
    await Promise.allSettled(overdue.slice(i, i + AT_ONCE).map(poke))
  }
  return overdue.length
}
