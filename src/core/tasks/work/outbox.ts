import type { Log } from '../../context.ts'
import type { Db } from '../../../db/client.ts'
import { setSampleState } from '../../tools/store.ts'
import { hasPassed, type Task } from '../task.ts'
import type { Wheel } from './wheel.ts'

/**
 * Does elsewhere what follows from ends: tells machines to stop, tells the catalogue how samples ended. Each is dropped
 * only after it was done, so it may be done twice; what fails is logged, stays for the next time and holds up nothing
 * else.
 */
export async function emptyOutbox(wheel: Wheel, { db, log }: { db: Db; log: Log }): Promise<void> {
  const { store } = wheel
  const tried = await Promise.allSettled([
    ...store.outbox('stop').map((task) => stopMachine(task, wheel)),
    ...store.outbox('tell').map((task) => tellCatalogue(task, wheel, db)),
  ])
  for (const each of tried) {
    if (each.status === 'rejected') log('outbox_failed', { error: String(each.reason) })
  }
}

async function stopMachine(task: Task, { store, invokes, host }: Wheel): Promise<void> {
  const invoke = invokes[store.spec(task.specHash).descriptor.invoke.kind]
  if (task.handle) await invoke?.stop(task.handle, { ...host, recordHandle: () => false })
  store.dropFromOutbox(task.id, 'stop')
}

async function tellCatalogue(task: Task, { store }: Wheel, db: Db): Promise<void> {
  const { versionId } = store.spec(task.specHash)
  await setSampleState(db, versionId, hasPassed(task) ? 'passed' : 'failed')
  store.dropFromOutbox(task.id, 'tell')
}
