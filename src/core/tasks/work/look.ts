import { isEnded } from '../task.ts'
import { drive } from './drive.ts'
import { fire } from './fire.ts'
import type { Wheel } from './wheel.ts'

/** Does what is due for one task, whatever that is: run it, fire its slot, or drop it at the end of its keeping. */
export async function look(taskId: string, wheel: Wheel): Promise<void> {
  const task = wheel.store.find(taskId)
  if (!task) return
  if (isEnded(task)) {
    wheel.store.forget(taskId, wheel.host.now())
    return
  }
  if (task.schedule) {
    await fire(task, wheel)
    return
  }
  await drive(taskId, wheel)
  wakeFollowers(taskId, wheel)
}

/** Tasks that waited for the end of this one go on. */
export function wakeFollowers(taskId: string, { store, host, take }: Wheel): void {
  const task = store.find(taskId)
  if (!task || !isEnded(task)) return
  for (const follower of store.waitingFor(taskId)) {
    if (store.apply(follower, { kind: 'woken' }, host.now())) take(follower)
  }
}
