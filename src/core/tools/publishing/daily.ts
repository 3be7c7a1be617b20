import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import type { Submission } from '../../tasks/port.ts'
import { sampleSubmission } from '../../tasks/submit.ts'
import { hasPassed, saysOfTool, type Task } from '../../tasks/task.ts'
import { nextCheckAt } from './check-time.ts'
import { countCheck, findDueChecks, moveCheck, type DueCheck } from './store.ts'

type Place = Pick<Context, 'db' | 'now' | 'random' | 'log'>
type Submit = (submission: Submission) => Promise<unknown>

/** Samples that one minute begins at most; what is left over is begun in the next. */
const MOST = 100
const AT_ONCE = 10
/** How long a sample that could not be begun is left alone. */
const RETRY_MS = 600_000

/**
 * Begins the samples of published tools whose minute has come, or passed while nobody was there, each as a task of its
 * maker. The task's key holds the minute, so however often this is done, each is begun once.
 */
export async function beginChecks(place: Place, submit: Submit): Promise<void> {
  const due = await findDueChecks(place.db, place.now(), MOST)
  for (let i = 0; i < due.length; i += AT_ONCE) {
    await Promise.all(due.slice(i, i + AT_ONCE).map((each) => begin(each, place, submit)))
  }
}

async function begin({ version, accountId, dueAt }: DueCheck, place: Place, submit: Submit): Promise<void> {
  const { toolRow } = version
  const sample = {
    id: newId('task', place),
    key: `daily:${toolRow}:${dueAt}`,
    job: 'daily run of the sample of a published tool',
    sampleFor: 'daily_check' as const,
  }
  let next = nextCheckAt(toolRow, place.now())
  try {
    await submit(sampleSubmission(version, accountId, sample))
  } catch (error) {
    place.log('check_failed', { toolRow, error: String(error) })
    next = place.now() + RETRY_MS
  }
  await moveCheck(place.db, toolRow, { dueAt, next })
}

/** Counts a daily run of a sample, once. One that a machine of ours lost says nothing of the tool. */
export async function settleCheck({ db, now }: Pick<Context, 'db' | 'now'>, task: Task, versionId: number) {
  if (saysOfTool(task)) {
    await countCheck(db, { versionId, taskId: task.id, hasPassed: hasPassed(task), now: now() })
  }
}
