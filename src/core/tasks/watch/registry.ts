import type { Db } from '../../../db/client.ts'
import type { TaskStore } from '../store.ts'
import { dropPoke, setPokeAt } from './store.ts'

/** How much later than its own alarm an object is looked after. */
const GRACE_MS = 30_000

/** Times that the registry is being told right now, so that calls at once tell it once. */
const beingTold = new WeakMap<TaskStore, number>()

/**
 * Has the watchdog look after an object whose next alarm is at `due` (null: nothing is). Writes only when the time
 * that the registry knows is past or too late: an object with ever new short runs writes about once a minute.
 */
export async function keepWatched(
  store: TaskStore,
  db: Db,
  { accountId, due, now }: { accountId: string; due: number | null; now: number },
): Promise<void> {
  const known = beingTold.get(store) ?? store.pokeAt
  if (due === null) {
    if (known === null) return
    await dropPoke(db, accountId)
    store.pokeAt = null
    return
  }
  const wanted = Math.max(due, now) + GRACE_MS
  if (known !== null && known > now && known <= wanted) return
  beingTold.set(store, wanted)
  try {
    await setPokeAt(db, accountId, wanted)
    // Only what was told is remembered: a cut before this line costs one more write.
    store.pokeAt = wanted
  } finally {
    beingTold.delete(store)
  }
}
