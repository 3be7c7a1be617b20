import type { Db } from '../../../db/client.ts'
import type { Log } from '../../context.ts'
import type { TaskStore } from '../store.ts'
import type { Wheel } from '../work/wheel.ts'
import { dropPoke, setPokeAt } from './store.ts'

/** How much later than its own alarm an object is looked after. */
const GRACE_MS = 30_000

/** Times that the registry is being told right now, so that calls at once tell it once. */
const beingTold = new WeakMap<TaskStore, number>()

/**
 * Has the watchdog look after an object whose next alarm is at `due` (null: nothing is). Writes only when the time
 * that the registry knows is past or too late: an object with ever new short runs writes about once a minute. A
 * failure is logged: the object tells it again when it is next at work.
 */
export async function keepWatched(
  { accountId, store }: Pick<Wheel, 'accountId' | 'store'>,
  { db, log }: { db: Db; log: Log },
  { due, now }: { due: number | null; now: number },
): Promise<void> {
  const known = beingTold.get(store) ?? store.pokeAt
  const wanted = due === null ? null : Math.max(due, now) + GRACE_MS
  const isTold = wanted === null ? known === null : known !== null && known > now && known <= wanted
  if (isTold) return
  if (wanted !== null) beingTold.set(store, wanted)
  try {
    await (wanted === null ? dropPoke(db, accountId) : setPokeAt(db, accountId, wanted))
    // Only what was told is remembered: a cut before this line costs one more write.
    store.pokeAt = wanted
  } catch (error) {
    log('watch_failed', { error: String(error) })
  } finally {
    beingTold.delete(store)
  }
}
