import { nextSlot, slotsDue } from '../times/recurrence.ts'
import type { Submission } from '../port.ts'
import { isEnded, type Task } from '../task.ts'
import { overLimit, unrun } from './verdict.ts'
import type { Wheel } from './wheel.ts'

/**
 * Runs the newest slot of a schedule that is due and counts the older ones, or skips it while the slot before still
 * works. The slot's task has the schedule and the slot as its key, so that no slot runs twice.
 */
export async function fire(schedule: Task, wheel: Wheel): Promise<void> {
  const { store, host } = wheel
  if (await endWithdrawn(schedule, wheel)) return
  const task = store.find(schedule.id)
  if (!task?.schedule || isEnded(task)) return
  const now = host.now()
  const { plan, lastSlot, lastTaskId } = task.schedule
  const { newest, missed } = slotsDue(plan, lastSlot, now)
  if (newest === null) return
  const next = nextSlot(plan, newest)
  const before = lastTaskId === null ? null : store.find(lastTaskId)
  const isBusy = before !== null && !isEnded(before)
  const taskId = isBusy ? null : submitSlot(task, newest, wheel)
  store.apply(
    task.id,
    { kind: 'fired', slot: newest, missed: missed + (isBusy ? 1 : 0), taskId, next: next ?? NEVER },
    now,
  )
  if (taskId) wheel.take(taskId)
}

/** Ends a task that was made for later when its tool is no longer there for its account. True when it did. */
export async function endWithdrawn(task: Task, { store, host, isWithdrawn }: Wheel): Promise<boolean> {
  if (!(await isWithdrawn(store.spec(task.specHash)))) return false
  const verdict = unrun('never_started', {
    code: 'tool_withdrawn',
    message: `The ${task.schedule ? 'schedule ended' : 'run never started'}, because ${task.toolId} was deleted or withdrawn.`,
    hint: 'Find another tool with find_tool_for_job.',
  })
  store.apply(task.id, { kind: 'called_off', verdict }, host.now())
  return true
}

/** A plan without a further slot is not looked at again. */
const NEVER = Date.UTC(3000, 0, 1)

/** The task of a slot. Where the account has no room for it, it has ended at once. */
function submitSlot(schedule: Task, slot: number, { store, host, newTaskId }: Wheel): string {
  const { accountId, toolId, input, job } = schedule
  const submission: Submission = {
    accountId,
    id: newTaskId(),
    requestKey: `\u0001slot:${schedule.id}:${slot}`,
    fingerprint: '',
    spec: store.spec(schedule.specHash),
    toolId,
    input,
    job,
    isSample: false,
    plan: null,
    scheduleId: schedule.id,
  }
  const over = store.room.over(submission, host.now())
  const submitted = store.submit(submission, host.now())
  if (!('task' in submitted)) throw new Error(`the slot ${slot} of ${schedule.id} was refused`)
  const { task, isNew } = submitted
  if (over && isNew) {
    const verdict = overLimit(over, host.now())
    store.apply(task.id, { kind: 'called_off', verdict }, host.now())
  }
  return task.id
}
