import { fileInputs } from '../../tools/descriptor/descriptor.ts'
import { KEEP_MS } from '../state.ts'
import { isEnded, type Task } from '../task.ts'
import { drive } from './drive.ts'
import { fire } from './fire.ts'
import type { Wheel } from './wheel.ts'

/** Does what is due for one task, whatever that is: run it, fire its slot, or drop it at the end of its keeping. */
export async function look(taskId: string, wheel: Wheel): Promise<void> {
  const task = wheel.store.find(taskId)
  if (!task) return
  if (isEnded(task)) {
    await releaseForgotten(task, wheel)
    wheel.store.forget(taskId, wheel.host.now())
    return
  }
  if (task.schedule) {
    await fire(task, wheel)
    return
  }
  await drive(taskId, wheel)
}

/** A task that is about to be forgotten lets go of the files that it may hold. */
async function releaseForgotten(task: Task, { store, files, host }: Wheel): Promise<void> {
  if ((task.endedAt ?? Infinity) + KEEP_MS > host.now()) return
  const { descriptor } = store.spec(task.specHash)
  const makesFiles = descriptor.invoke.kind === 'container' && descriptor.invoke.outputs !== undefined
  if (makesFiles || task.verdict?.outputFile || fileInputs(descriptor).size > 0) await files.release(task.id)
}

/** Tasks that waited for the end of this one go on. */
export function wakeFollowers(taskId: string, { store, host, take }: Wheel): void {
  const task = store.find(taskId)
  if (!task || !isEnded(task)) return
  for (const follower of store.waitingFor(taskId)) {
    if (store.apply(follower, { kind: 'woken' }, host.now())) take(follower)
  }
}
