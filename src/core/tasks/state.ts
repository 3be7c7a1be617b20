import type { Handle } from '../../invokes/invoke.ts'
import { isEnded, type Task, type Verdict } from './task.ts'

/** Whoever drives a task speaks at least this often, or another takes it up. */
export const LEASE_MS = 40_000
/** A task that waits for others or for a place is told when it may go on; it looks for itself this often. */
const LOOK_MS = 30_000
/** How long a task rests that could not be driven on, as when its output could not be kept. */
const REST_MS = 3_000
/** How long an ended task is kept, and its request key with it. */
export const KEEP_MS = 30 * 86_400_000

/** What can happen to a task. `attempt` says who speaks. */
export type TaskEvent =
  /** Somebody takes it up: its time has come, or nobody speaks for it any more. */
  | { kind: 'claimed' }
  /** It should have been taken up, but every place is taken: it stands in line. */
  | { kind: 'queued' }
  /** Every value of its input is known. */
  | { kind: 'resolved'; attempt: number; input: Record<string, unknown> }
  /** It cannot go on before another task has ended. */
  | { kind: 'waits'; attempt: number }
  /** A task that it waited for has ended. */
  | { kind: 'woken' }
  | { kind: 'sent'; attempt: number; handle: Handle }
  /** What was sent was turned away: nothing can have begun. */
  | { kind: 'unsent'; attempt: number }
  | { kind: 'seen'; attempt: number; isStarted: boolean }
  /** Something broke on our side: whoever drove it lets go of it. */
  | { kind: 'dropped'; attempt: number }
  | { kind: 'ended'; attempt: number; verdict: Verdict }
  /** A slot of a schedule was run (`taskId`) or skipped; `missed` counts those that ran nothing. */
  | { kind: 'fired'; slot: number; missed: number; taskId: string | null; next: number }
  /** The account ends it, or its tool is gone. */
  | { kind: 'called_off'; verdict: Verdict }

/**
 * The task after an event, or null when the event changes nothing: the task has ended, another has taken it up
 * since, or it is still held by someone who spoke in time. There is no way back from an end.
 */
export function step(task: Task, event: TaskEvent, now: number): Task | null {
  if (isEnded(task)) return null
  switch (event.kind) {
    case 'called_off':
      return end(task, event.verdict, now)
    case 'fired':
      return fire(task, event)
    case 'woken':
      return task.phase === 'waiting_for_task' ? { ...task, wakeAt: Math.min(task.wakeAt, now) } : null
    case 'claimed':
      return isDue(task, now) ? claim(task, now) : null
    case 'queued':
      return isDue(task, now) ? queue(task, now) : null
    default:
      return event.attempt === task.attempt && task.state === 'working' ? work(task, event, now) : null
  }
}

/** A schedule is never taken up: its slots are. */
const isDue = (task: Task, now: number): boolean => !task.schedule && task.wakeAt <= now

function queue(task: Task, now: number): Task {
  return { ...task, state: 'working', phase: 'waiting_for_machine', wakeAt: now + LOOK_MS }
}

function claim(task: Task, now: number): Task {
  const phase = task.phase ?? 'waiting_for_machine'
  return { ...task, state: 'working', phase, attempt: task.attempt + 1, wakeAt: now + LEASE_MS }
}

/** Each slot counts once, and a later one never before an earlier one. */
function fire(
  task: Task,
  { slot, missed, taskId, next }: Extract<TaskEvent, { kind: 'fired' }>,
): Task | null {
  const { schedule } = task
  if (!schedule || slot <= schedule.lastSlot) return null
  const lastTaskId = taskId ?? schedule.lastTaskId
  return {
    ...task,
    wakeAt: next,
    schedule: { ...schedule, lastSlot: slot, missed: schedule.missed + missed, lastTaskId },
  }
}

type WorkEvent = Exclude<TaskEvent, { kind: 'claimed' | 'queued' | 'woken' | 'fired' | 'called_off' }>

function work(task: Task, event: WorkEvent, now: number): Task {
  const held = { ...task, wakeAt: now + LEASE_MS }
  switch (event.kind) {
    case 'resolved':
      return { ...held, frozenInput: task.frozenInput ?? event.input, phase: 'waiting_for_machine' }
    case 'waits':
      return { ...task, wakeAt: now + LOOK_MS, phase: 'waiting_for_task' }
    case 'sent':
      return { ...held, handle: event.handle, phase: 'preparing' }
    case 'unsent':
      return { ...held, handle: null, phase: 'waiting_for_machine' }
    case 'seen':
      return {
        ...held,
        phase: event.isStarted ? 'running' : task.phase,
        startedAt: task.startedAt ?? (event.isStarted ? now : null),
      }
    case 'dropped':
      return { ...task, wakeAt: now + REST_MS }
    case 'ended':
      return end(task, event.verdict, now)
  }
}

function end(task: Task, verdict: Verdict, now: number): Task {
  const { startedAt } = task
  return {
    ...task,
    state: verdict.state,
    phase: null,
    verdict,
    // A run began as long ago as it took, or earlier when somebody saw it begin.
    startedAt: verdict.tookMs === null ? startedAt : Math.min(startedAt ?? now, now - verdict.tookMs),
    endedAt: now,
    wakeAt: now + KEEP_MS,
  }
}

/** Whether a task is at work itself, rather than waiting for others or over. */
export const needsPlace = ({ state, phase }: Task): boolean =>
  state === 'working' && phase !== 'waiting_for_task'
