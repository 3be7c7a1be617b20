import type { Submission } from './port.ts'
import { nextSlot } from './times/recurrence.ts'
import type { Phase, Task, TaskState } from './task.ts'

/**
 * The tables of one account's task object. `task.data` holds what no query asks for and nothing changes; ids sort by
 * time. `spec` keeps a version once for all its tasks. `request_key` lives as long as its task. `waits` says which
 * task waits for the end of which. `outbox` is what must still be done elsewhere: the catalogue told of a sample
 * (`tell`) or a report (`report`), a machine told to stop (`stop`). `secret` keeps what connections a task at work took,
 * sealed, until it ends; it is never in an answer. `meta` holds `poke_at`, as the watchdog knows it.
 */
export const SCHEMA = `
create table if not exists task (
  id text primary key, tool_id text not null, state text not null, phase text, attempt integer not null,
  wake_at integer not null, spec_hash text not null, data text not null, frozen_input text, handle text,
  schedule text, verdict text, created_at integer not null, started_at integer, ended_at integer
) without rowid;
create index if not exists task_wake on task (wake_at);
create index if not exists task_state on task (state, id);
create index if not exists task_tool on task (tool_id, id);
create index if not exists task_tool_state on task (tool_id, state, id);
create index if not exists task_spec on task (spec_hash);
create table if not exists request_key (
  key text primary key, fingerprint text not null, task_id text not null
) without rowid;
create index if not exists request_key_task on request_key (task_id);
create table if not exists spec (hash text primary key, json text not null) without rowid;
create table if not exists waits (on_id text not null, task_id text not null, primary key (on_id, task_id)) without rowid;
create index if not exists waits_task on waits (task_id);
create table if not exists outbox (
  task_id text not null, kind text not null, primary key (task_id, kind)
) without rowid;
create table if not exists secret (task_id text primary key, json text not null) without rowid;
create table if not exists meta (name text primary key, value integer not null) without rowid;
`

export type TaskRow = {
  id: string
  tool_id: string
  state: string
  phase: string | null
  attempt: number
  wake_at: number
  spec_hash: string
  data: string
  frozen_input: string | null
  handle: string | null
  schedule: string | null
  verdict: string | null
  /** Of another table, where it was asked for. */
  report?: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

type Data = Pick<
  Task,
  'accountId' | 'version' | 'placement' | 'job' | 'input' | 'depth' | 'isSample' | 'sampleFor' | 'scheduleId'
>

const asJson = (value: unknown): string | null => (value === null ? null : JSON.stringify(value))
// What stands in these columns was written by toRow alone.
const fromJson = (text: string | null) => (text === null ? null : JSON.parse(text))

export function toRow(task: Task): Omit<TaskRow, 'report'> {
  const { accountId, version, placement, job, input, depth, isSample, sampleFor, scheduleId } = task
  const data: Data = { accountId, version, placement, job, input, depth, isSample, sampleFor, scheduleId }
  return {
    id: task.id,
    tool_id: task.toolId,
    state: task.state,
    phase: task.phase,
    attempt: task.attempt,
    wake_at: task.wakeAt,
    spec_hash: task.specHash,
    data: JSON.stringify(data),
    frozen_input: asJson(task.frozenInput),
    handle: asJson(task.handle),
    schedule: asJson(task.schedule),
    verdict: asJson(task.verdict),
    created_at: task.createdAt,
    started_at: task.startedAt,
    ended_at: task.endedAt,
  }
}

export function fromRow(row: TaskRow): Task {
  const data: Data = JSON.parse(row.data)
  return {
    ...data,
    id: row.id,
    toolId: row.tool_id,
    specHash: row.spec_hash,
    state: row.state as TaskState,
    phase: row.phase as Phase | null,
    attempt: row.attempt,
    wakeAt: row.wake_at,
    frozenInput: fromJson(row.frozen_input),
    handle: fromJson(row.handle),
    schedule: fromJson(row.schedule),
    verdict: fromJson(row.verdict),
    ...(row.report && { report: fromJson(row.report) }),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}

/** A task as it begins: at work now, or scheduled for its time. */
export function newTask(submission: Submission, { now, depth }: { now: number; depth: number }): Task {
  const { plan, spec } = submission
  const repeats = plan !== null && plan.kind !== 'once'
  const dueAt = plan === null ? now : plan.kind === 'once' ? plan.at : (nextSlot(plan, -Infinity) ?? now)
  const isDue = !repeats && dueAt <= now
  return {
    id: submission.id,
    accountId: submission.accountId,
    specHash: spec.hash,
    toolId: submission.toolId,
    version: spec.version,
    placement: spec.descriptor.placements[0],
    job: submission.job,
    input: submission.input,
    depth,
    isSample: submission.isSample,
    sampleFor: submission.sampleFor,
    scheduleId: submission.scheduleId,
    state: isDue ? 'working' : 'scheduled',
    phase: isDue ? 'waiting_for_machine' : null,
    attempt: 0,
    wakeAt: dueAt,
    frozenInput: null,
    handle: null,
    schedule: repeats ? { plan, lastSlot: dueAt - 1, missed: 0, lastTaskId: null } : null,
    verdict: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
  }
}
