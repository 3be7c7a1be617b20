import type { Descriptor, Invoke as InvokeSpec } from '../core/tools/descriptor/descriptor.ts'
import type { Fault } from '../core/problem.ts'

/**
 * A way of doing a tool's work: a sealed machine, a hosted model, a web address. A module knows its place and nothing
 * else: no database, no task, no account but the one named in the job.
 *
 * A job passes three marks, kept apart: *effects possible* (`host.recordHandle` returned), *started* (a step says so)
 * and *ended*. `start` and `poll` may be called again after any cut, also by another process, and never run the work
 * twice: a job has one id and runs at most once. They throw nothing: what goes wrong is a step.
 */
export interface Invoke {
  /** Faults of a spec that only this place can tell, all at once. */
  check(descriptor: Descriptor): Fault[] | Promise<Fault[]>
  /** Faults of a valid input that only this place can tell, before a task is made of it. */
  checkInput(descriptor: Descriptor, input: Record<string, unknown>): Fault[]
  /** Begins the job, or finds the one begun under this id. */
  start(job: Job, host: Host): Promise<Step>
  /** Waits at most `host.sliceMs` for the end of a begun job. */
  poll(handle: Handle, host: Host): Promise<Step>
  /** Ends the job and all it started. Safe twice. */
  stop(handle: Handle, host: Host): Promise<void>
  /** The bytes of a file that an ended job made. Rejects when they are gone; left out where no files are made. */
  output?(handle: Handle, name: string): Promise<ReadableStream<Uint8Array>>
}

export type InvokeKind = InvokeSpec['kind']

/** The places that this deployment has. */
export type Invokes = Partial<Record<InvokeKind, Invoke>>

export interface Job {
  /** The task's id: a task runs at most once, so one is enough. */
  id: string
  /** What an earlier `start` recorded, when there was one: the job may have begun there and nowhere else. */
  handle: Handle | null
  accountId: string
  descriptor: Descriptor
  codeHash: string | null
  /** Matches the descriptor's input schema. */
  input: Record<string, unknown>
  /** What each file of the input is called, by its identity. */
  fileNames?: ReadonlyMap<string, string>
}

/** What a place needs to find a begun job again; plain JSON. */
export type Handle = Record<string, string | number>

/** What core lends during a task. */
export interface Host {
  /** How long one `start` or `poll` may take to answer, in milliseconds. */
  sliceMs: number
  /** Milliseconds since 1970. */
  now: () => number
  /** Keeps the handle for good before anything with effects is sent. False: another drives the job, send nothing. */
  recordHandle(handle: Handle): boolean
  /** The bytes under a code hash. Throws when they are gone. */
  code(hash: string): Promise<{ size: number; body: ReadableStream }>
  /** The bytes of a file that the job's account may use; null when they are gone. */
  file(identity: string): Promise<{ size: number; body: ReadableStream } | null>
  /**
   * The value of a connection that the descriptor names, as it was when the task was taken up; null when it is not
   * set. It must go where the descriptor says and nowhere else: not into a handle, a message or a log.
   */
  secret(name: string): Promise<string | null>
}

export type Step =
  | { kind: 'running'; handle: Handle; isStarted: boolean }
  | { kind: 'ended'; end: End }
  /** Nothing ran and nothing can have: `start` may be tried again. */
  | { kind: 'not_started'; message: string }
  /** The place gave no answer, so whether the work goes on is not known: ask again. */
  | { kind: 'silent'; message: string }

/** How a job ended. `done` carries the raw result, everything else says why not. */
export type End = Done | Failure

export interface Done {
  reason: 'done'
  raw: RawResult
}

export interface Failure {
  reason: FailureReason
  message: string
  hint?: string
  /** A new task may well succeed. */
  isRetryable?: boolean
  raw?: RawResult
}

export type FailureReason =
  | 'tool_failed'
  | 'result_lost'
  | 'timed_out'
  | 'out_of_memory'
  | 'output_too_large'
  | 'output_invalid'
  | 'never_started'
  | 'machine_lost'
  | 'model_failed'
  | 'http_failed'
  | 'cancelled'

/** What came back, before any selection or check. */
export interface RawResult {
  stdout?: string
  stderr?: string
  exit_code?: number | null
  /** JSON that came back as such, where nothing is printed: what a web address or a model answered. */
  result?: unknown
  /** What a model counted. */
  usage?: TokenUsage
  /** When the work itself began and ended took so long. */
  took_ms?: number
  /** What a model took in and gave, as it counts them. */
  tokens?: number
  /** Files that the job made; \`Invoke.output\` gives their bytes. */
  made?: MadeFile[]
}

/** Tokens that a question and its answer took; `is_estimate` when the model's server did not count them. */
export interface TokenUsage {
  input_tokens: number
  output_tokens: number
  total_tokens: number
  is_estimate?: boolean
}

export interface MadeFile {
  name: string
  /** Where the job made it. */
  path: string
  /** Bytes. */
  size: number
  /** 64 lower hex digits. */
  sha256: string
  media_type: string
}
