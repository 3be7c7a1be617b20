import type { Db } from '../../db/client.ts'
import { setSampleState } from '../tools/store.ts'
import type { TaskStore } from './store.ts'

/** Tells the catalogue how samples ended. What was told is dropped only after it was written, so it may be told twice. */
export async function tellCatalogue(store: TaskStore, { db }: { db: Db }): Promise<void> {
  for (const task of store.outbox()) {
    const { versionId } = store.spec(task.specHash)
    const hasPassed = task.verdict?.state === 'completed' && task.verdict.contract.passed
    await setSampleState(db, versionId, hasPassed ? 'passed' : 'failed')
    store.dropFromOutbox(task.id)
  }
}
