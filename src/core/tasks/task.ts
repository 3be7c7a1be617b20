import type { FailureReason, Handle, TokenUsage } from '../../invokes/invoke.ts'
import type { CheckResult } from '../tools/checks/index.ts'
import type { Descriptor, Placement } from '../tools/descriptor/descriptor.ts'
import type { Plan } from './times/recurrence.ts'

export const TASK_STATES = ['scheduled', 'working', 'for_you_to_run', 'completed', 'failed'] as const
export type TaskState = (typeof TASK_STATES)[number]

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
  /**
   * The end reason, or a closer word for it (`tool_withdrawn`, `quota_exceeded`, `connection_missing`,
   * `payment_required`).
   */
  code: EndReason | 'tool_withdrawn' | 'quota_exceeded' | 'connection_missing' | 'payment_required'
  message: string
  hint?: string
  retryable?: boolean
}

/** An output too large for an answer: its JSON is kept as a file. */
export interface OutputFile {
  /** `1f:` and the SHA-256 of the JSON. */
  identity: string
  /** Bytes of JSON. */
  size: number
  /** How it begins. */
  preview: string
}

/** A file that a run made: kept, and named in the account's files. */
export interface TaskFile {
  identity: string
  path: string
  /** Bytes. */
  size: number
  media_type: string
}

/** A sample is run before its version is published, and daily from then on. */
export type SampleFor = 'publish' | 'daily_check'

/** What a person said of a run; of several the last one holds. */
export interface Report {
  met: boolean
  note: string | null
  at: number
}

/** How a task ended, once and for all. */
export interface Verdict {
  state: 'completed' | 'failed'
  endReason: EndReason
  /** Absent when there is none or it is in `outputFile`; `null` is an output. */
  output?: unknown
  outputFile?: OutputFile
  /** What the run made, by the names of the tool's outputs. */
  files?: Record<string, TaskFile>
  contract: Contract
  error: TaskError | null
  exitCode: number | null
  /** What a failed run printed, its tail. */
  stdout: string | null
  stderr: string | null
  /** Tokens that a model took. */
  usage?: TokenUsage
  /** How long the work itself took; null when it never began. */
  tookMs: number | null
}

/** A task that repeats: it runs nothing itself, each of its slots is a task of its own. */
export interface Schedule {
  plan: Plan
  /** The newest slot that was run, skipped or missed; before the first one, the moment before it. */
  lastSlot: number
  /** Slots that ran nothing: the earlier one still worked, or nobody was there. */
  missed: number
  lastTaskId: string | null
}

/** One run of one version, as it is kept. Times are milliseconds since 1970. */
export interface Task {
  id: string
  accountId: string
  specHash: string
  toolId: string
  version: number
  /** Where it runs; absent in tasks of a time when that was always the deployed container. */
  placement?: Placement
  /** What the run is for, in the caller's words. */
  job: string | null
  /** As it was sent: values may stand for outputs of other tasks. */
  input: Record<string, unknown>
  /** How many tasks in a row this one waited behind when it was made. */
  depth: number
  /** A run of the version's sample: its verify check counts too, and the catalogue is told. */
  isSample: boolean
  /** What a sample is run for; absent: a save. */
  sampleFor?: SampleFor
  /** The schedule that this is a slot of. */
  scheduleId: string | null
  state: TaskState
  phase: Phase | null
  /** How often it was taken up; whoever holds an older number no longer speaks for it. */
  attempt: number
  /** When somebody must look at it again: its slot, the end of a lease, the end of its keeping. */
  wakeAt: number
  /** The input that it runs with, once every value of it is known. */
  frozenInput: Record<string, unknown> | null
  /** Where its work was sent, from the moment that effects are possible. */
  handle: Handle | null
  schedule: Schedule | null
  verdict: Verdict | null
  /** Absent where nothing was reported. */
  report?: Report
  createdAt: number
  startedAt: number | null
  endedAt: number | null
}

/** The frozen version that a task runs. */
export interface TaskSpec {
  /** Names the version in the account's task object. */
  hash: string
  /** Row of the version in the catalogue. */
  versionId: number
  toolId: string
  version: number
  descriptor: Descriptor
  codeHash: string | null
}

export const isEnded = (task: Task): boolean => task.verdict !== null

const NOT_THE_TOOLS: ReadonlySet<EndReason> = new Set([
  'never_started',
  'input_unavailable',
  'cancelled',
  'expired',
  'machine_lost',
  'result_lost',
])

/** Whether a task ran its tool and ended by the tool's own doing: only that says something of the tool. */
export const saysOfTool = ({ verdict }: Pick<Task, 'verdict'>): boolean =>
  verdict !== null && !NOT_THE_TOOLS.has(verdict.endReason)

/** Whether a run completed with an output of the right shape. */
export const hasPassed = ({ verdict }: Task): boolean =>
  verdict?.state === 'completed' && verdict.contract.passed
