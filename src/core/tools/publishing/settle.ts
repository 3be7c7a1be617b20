import type { Context } from '../../context.ts'
import { hasPassed, type Task } from '../../tasks/task.ts'
import type { Descriptor } from '../descriptor/descriptor.ts'
import { searchText } from '../search/text.ts'
import { nextCheckAt } from './check-time.ts'
import { commitPublishing, dropPublishing, findMaker } from './store.ts'

/**
 * What follows from the end of a sample that was run to publish its version: it is published or it is not. Safe to do
 * twice; who called it off or began another meanwhile has won.
 */
export async function settlePublishing(
  { db, now }: Pick<Context, 'db' | 'now'>,
  task: Task,
  { id, descriptor }: { id: number; descriptor: Descriptor },
): Promise<void> {
  const maker = hasPassed(task) ? await findMaker(db, id) : undefined
  if (!maker) return dropPublishing(db, id, task.id)
  await commitPublishing(db, {
    versionId: id,
    taskId: task.id,
    now: now(),
    nextCheckAt: mayBeRepeated(descriptor) ? nextCheckAt(maker.toolRow, now()) : null,
    text: searchText(descriptor, maker.handle),
    placements: descriptor.placements,
  })
}

/** A call that may change something elsewhere is not made each day. */
const mayBeRepeated = ({ invoke }: Descriptor): boolean => invoke.kind !== 'http' || invoke.method === 'GET'
