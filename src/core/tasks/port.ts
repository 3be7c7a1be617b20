import type { Task, TaskSpec } from './task.ts'

/** A run to be kept and begun. */
export interface Submission {
  accountId: string
  /** The id that the task gets if it is a new one. */
  id: string
  /** Unique in the account; our own keys begin with a control character, which a caller's may not hold. */
  requestKey: string
  /** Equal for equal calls: hash of what must not differ under one key. */
  fingerprint: string
  spec: TaskSpec
  /** As the caller spelled it. */
  toolId: string
  input: Record<string, unknown>
  job: string | null
  isSample: boolean
}

/** `task` is the one of this key, new or earlier; `isConflict` when that one was asked for something else. */
export interface Submitted {
  task: Task
  isConflict: boolean
}

/** What an account's task object answers to operations. */
export interface AccountTaskPort {
  /** Keeps the task and begins it, or finds the earlier one of the key. Safe to send twice. */
  submit(submission: Submission): Promise<Submitted>
  /** The task of a request key, if there is one. */
  findByKey(requestKey: string, fingerprint: string): Promise<Submitted | null>
  /** The task, at once when it has ended, else after at most `waitMs`. Null when there is none. */
  read(taskId: string, waitMs: number): Promise<Task | null>
}
