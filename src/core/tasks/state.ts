import type { Handle } from '../../invokes/invoke.ts'
import { isEnded, type Task, type Verdict } from './task.ts'

/** Whoever drives a task speaks at least this often, or another takes it up. */
export const LEASE_MS = 40_000

/** What can happen to a task. `attempt` says who speaks. */
export type TaskEvent =
  | { kind: 'claimed' }
  | { kind: 'sent'; attempt: number; handle: Handle }
  /** What was sent was turned away: nothing can have begun. */
  | { kind: 'unsent'; attempt: number }
  | { kind: 'seen'; attempt: number; isStarted: boolean }
  | { kind: 'ended'; attempt: number; verdict: Verdict }

/**
 * The task after an event, or null when the event changes nothing: the task has ended, another has taken it up
 * since, or it is still held by someone who spoke in time. There is no way back from an end.
 */
export function step(task: Task, event: TaskEvent, now: number): Task | null {
  if (isEnded(task) || task.state !== 'working') return null
  if (event.kind === 'claimed') {
    if (task.leaseUntil !== null && task.leaseUntil > now) return null
    return { ...task, attempt: task.attempt + 1, leaseUntil: now + LEASE_MS }
  }
  if (event.attempt !== task.attempt) return null
  switch (event.kind) {
    case 'sent':
      return { ...task, handle: event.handle, phase: 'preparing', leaseUntil: now + LEASE_MS }
    case 'unsent':
      return { ...task, handle: null, phase: 'waiting_for_machine', leaseUntil: now + LEASE_MS }
    case 'seen':
      return {
        ...task,
        phase: event.isStarted ? 'running' : task.phase,
        startedAt: task.startedAt ?? (event.isStarted ? now : null),
        leaseUntil: now + LEASE_MS,
      }
    case 'ended':
      return {
        ...task,
        state: event.verdict.state,
        phase: null,
        verdict: event.verdict,
        startedAt: task.startedAt ?? startOf(event.verdict, now),
        endedAt: now,
        leaseUntil: null,
      }
  }
}

/** A run that ended before anybody saw it start began as long ago as it took. */
const startOf = ({ tookMs }: Verdict, now: number): number | null => (tookMs === null ? null : now - tookMs)
