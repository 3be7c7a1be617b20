import type { Db } from '../../../db/client.ts'
import { setSampleState } from '../../tools/store.ts'
import type { Wheel } from './wheel.ts'

/**
 * Does elsewhere what follows from ends: tells the catalogue how samples ended, tells machines to stop. Each is
 * dropped only after it was done, so it may be done twice; what fails stays for the next time.
 */
export async function emptyOutbox(wheel: Wheel, db: Db): Promise<void> {
  const { store, invokes, host } = wheel
  for (const task of store.outbox('stop')) {
    const invoke = invokes[store.spec(task.specHash).descriptor.invoke.kind]
    if (task.handle) await invoke?.stop(task.handle, { ...host, recordHandle: () => false })
    store.dropFromOutbox(task.id, 'stop')
  }
  for (const task of store.outbox('tell')) {
    const { versionId } = store.spec(task.specHash)
    const hasPassed = task.verdict?.state === 'completed' && task.verdict.contract.passed
    await setSampleState(db, versionId, hasPassed ? 'passed' : 'failed')
    store.dropFromOutbox(task.id, 'tell')
  }
}
