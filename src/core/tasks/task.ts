import type { FailureReason, Handle } from '../../invokes/invoke.ts'
import type { CheckResult } from '../tools/checks/index.ts'
import type { Descriptor } from '../tools/descriptor/descriptor.ts'

export type TaskState = 'scheduled' | 'working' | 'for_you_to_run' | 'completed' | 'failed'

/** What a `working` task is doing. */
export type Phase =
  | 'waiting_for_task'
  | 'waiting_for_machine'
  | 'waiting_for_computer'
  | 'preparing'
  | 'running'

export type EndReason = 'done' | FailureReason | 'input_unavailable' | 'expired'

/** Did the output have the right shape? Never whether the job was done. */
export interface Contract {
  passed: boolean
  checks: CheckResult[]
}

export interface TaskError {
  code: EndReason
  message: string
  hint?: string
  retryable?: boolean
}

/** How a task ended, once and for all. */
export interface Verdict {
  state: 'completed' | 'failed'
  endReason: EndReason
  /** Absent when there is none; `null` is an output. */
  output?: unknown
  contract: Contract
  error: TaskError | null
  exitCode: number | null
  /** What a failed run printed, its tail. */
  stdout: string | null
  stderr: string | null
  /** How long the work itself took; null when it never began. */
  tookMs: number | null
}

/** One run of one version, as it is kept. Times are milliseconds since 1970. */
export interface Task {
  id: string
  accountId: string
  specHash: string
  toolId: string
  version: number
  /** What the run is for, in the caller's words. */
  job: string | null
  input: Record<string, unknown>
  /** The sample run of a save: its verify check counts too, and the catalogue is told. */
  isSample: boolean
  state: TaskState
  phase: Phase | null
  /** How often it was taken up; whoever holds an older number no longer speaks for it. */
  attempt: number
  /** When it may be taken up by another; null once ended. */
  leaseUntil: number | null
  /** Where its work was sent, from the moment that effects are possible. */
  handle: Handle | null
  verdict: Verdict | null
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

/** The frozen version that a task runs. */
export interface TaskSpec {
  hash: string
  /** Row of the version in the catalogue. */
  versionId: number
  toolId: string
  version: number
  descriptor: Descriptor
  codeHash: string | null
}

export const isEnded = (task: Task): boolean => task.verdict !== null
