import type { Standing } from '../quotas/quota.ts'
import type { Plan } from './times/recurrence.ts'
import type { Report, SampleFor, Task, TaskSpec, TaskState } from './task.ts'

/** What one run is known by to its caller. */
export interface Key {
  /** Unique in the account; our own keys begin with a control character, which a caller's may not hold. */
  requestKey: string
  /** Equal for equal calls: hash of what must not differ under one key. */
  fingerprint: string
}

/** A run to be kept and begun. */
export interface Submission extends Key {
  accountId: string
  /** The id that the task gets if it is a new one. */
  id: string
  spec: TaskSpec
  /** As the caller spelled it. */
  toolId: string
  input: Record<string, unknown>
  job: string | null
  isSample: boolean
  /** What a sample is run for; absent: a save. */
  sampleFor?: SampleFor
  /** When it runs; null is now. */
  plan: Plan | null
  /** The schedule that it is a slot of. */
  scheduleId: string | null
}

/** `task` is the one of this key; `isConflict` when that one was asked for something else. */
export interface Submitted {
  task: Task
  isConflict: boolean
  isNew: boolean
}

/** Why a run is not kept: what its input names, or a limit of the account. */
export type Refused = { unusable: Unusable } | { over: Standing }

/** Why an input that names other tasks cannot be taken. */
export interface Unusable {
  taskId: string
  why: 'unknown' | 'failed' | 'repeats' | 'too_deep'
  /** For `repeats`: the newest task of that schedule. */
  lastTaskId?: string | null
}

export interface TaskFilter {
  state?: TaskState
  toolId?: string
  /** Made at this time or later. */
  since?: number
  /** Only tasks before this id, newest first. */
  before?: string
  limit: number
}

/** What an account's task object answers to operations. */
export interface AccountTaskPort {
  /**
   * Keeps the task and begins it, or finds the earlier one of the key; answers as `read` does. A new one is a call and
   * counts. Safe to send twice.
   */
  submit(submission: Submission, waitMs: number): Promise<Submitted | Refused>
  /** The task of a key, if there is one, as `read` gives it: else this is a call and counts, unless it is one too many. */
  recall(key: Key, waitMs: number): Promise<Submitted | { over: Standing } | null>
  /** Counts a call. The limit that it would go past, if it is one too many: then it does not count. */
  countCall(): Promise<Standing | null>
  /** The limit that one more run at this placement would go past now, if there is one. */
  over(placement: string | undefined): Promise<Standing | null>
  /** How the account stands to each limit that its calls and tasks have. */
  standings(): Promise<Standing[]>
  /** The task, at once when it has ended or is scheduled, else after at most `waitMs`. Null when there is none. */
  read(taskId: string, waitMs: number): Promise<Task | null>
  /** Tasks, newest first. */
  list(filter: TaskFilter): Promise<Task[]>
  /** Keeps what a person said of an ended task; one that has not ended stays as it is. Null when there is none. */
  report(taskId: string, said: Omit<Report, 'at'>): Promise<Task | null>
  /** Ends the task and all it started; an ended one stays as it is. Null when there is none. */
  cancel(taskId: string): Promise<Task | null>
}
