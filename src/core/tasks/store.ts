import type { Handle } from '../../invokes/invoke.ts'
import type { Submission, Submitted } from './port.ts'
import { step, type TaskEvent } from './state.ts'
import type { Phase, Task, TaskSpec, TaskState, Verdict } from './task.ts'

/**
 * The tables of one account's task object. `task.data` holds what no query asks for. `spec` keeps a version once for
 * all its tasks. `request_key` lives as long as its task. `outbox` is what the catalogue must still be told.
 */
const SCHEMA = `
create table if not exists task (
  id text primary key, state text not null, phase text, attempt integer not null, lease_until integer,
  spec_hash text not null, data text not null, handle text, verdict text,
  created_at integer not null, started_at integer, ended_at integer
) without rowid;
create index if not exists task_lease on task (lease_until) where lease_until is not null;
create table if not exists request_key (key text primary key, fingerprint text not null, task_id text not null) without rowid;
create table if not exists spec (hash text primary key, json text not null) without rowid;
create table if not exists outbox (task_id text primary key) without rowid;
`

type Row = {
  id: string
  state: string
  phase: string | null
  attempt: number
  lease_until: number | null
  spec_hash: string
  data: string
  handle: string | null
  verdict: string | null
  created_at: number
  started_at: number | null
  ended_at: number | null
}

type Data = Pick<Task, 'accountId' | 'toolId' | 'version' | 'job' | 'input' | 'isSample'>

/** All queries of the task object. Every call is synchronous, so each is one step that nothing can come between. */
export class TaskStore {
  readonly #storage: DurableObjectStorage

  constructor(storage: DurableObjectStorage) {
    this.#storage = storage
    storage.sql.exec(SCHEMA)
  }

  /** Keeps a new task and its key, or answers with the earlier task of that key. */
  submit(submission: Submission, now: number): Submitted & { isNew: boolean } {
    return this.#storage.transactionSync(() => {
      const earlier = this.findByKey(submission.requestKey, submission.fingerprint)
      if (earlier) return { ...earlier, isNew: false }
      const task = newTask(submission, now)
      const sql = this.#storage.sql
      sql.exec(
        'insert into spec values (?, ?) on conflict do nothing',
        task.specHash,
        JSON.stringify(submission.spec),
      )
      sql.exec(
        'insert into request_key values (?, ?, ?)',
        submission.requestKey,
        submission.fingerprint,
        task.id,
      )
      const { accountId, toolId, version, job, input, isSample } = task
      sql.exec(
        'insert into task values (?, ?, ?, ?, ?, ?, ?, null, null, ?, null, null)',
        task.id,
        task.state,
        task.phase,
        task.attempt,
        task.leaseUntil,
        task.specHash,
        JSON.stringify({ accountId, toolId, version, job, input, isSample } satisfies Data),
        task.createdAt,
      )
      return { task, isConflict: false, isNew: true }
    })
  }

  findByKey(requestKey: string, fingerprint: string): Submitted | null {
    const [row] = this.#storage.sql
      .exec<{ fingerprint: string; task_id: string }>(
        'select fingerprint, task_id from request_key where key = ?',
        requestKey,
      )
      .toArray()
    const task = row && this.find(row.task_id)
    return task ? { task, isConflict: row.fingerprint !== fingerprint } : null
  }

  find(id: string): Task | null {
    const [row] = this.#storage.sql.exec<Row>('select * from task where id = ?', id).toArray()
    return row ? fromRow(row) : null
  }

  spec(hash: string): TaskSpec {
    return JSON.parse(
      this.#storage.sql.exec<{ json: string }>('select json from spec where hash = ?', hash).one().json,
    )
  }

  /** Lets an event happen to a task; null when it changes nothing. */
  apply(id: string, event: TaskEvent, now: number): Task | null {
    return this.#storage.transactionSync(() => {
      const before = this.find(id)
      const after = before && step(before, event, now)
      if (after) this.#write(after)
      return after
    })
  }

  /** Tasks that nobody speaks for any more. */
  overdue(now: number): string[] {
    return this.#storage.sql
      .exec<{ id: string }>('select id from task where lease_until <= ? order by lease_until limit 100', now)
      .toArray()
      .map((row) => row.id)
  }

  /** Ends every lease: for an object that begins, when whoever held them is gone. */
  releaseLeases(now: number): void {
    this.#storage.sql.exec('update task set lease_until = ? where lease_until > ?', now, now)
  }

  /** When the next lease runs out. */
  nextDue(): number | null {
    return this.#storage.sql
      .exec<{ due: number | null }>('select min(lease_until) as due from task where lease_until is not null')
      .one().due
  }

  /** Ended tasks that the catalogue must still be told of. */
  outbox(): Task[] {
    return this.#storage.sql
      .exec<Row>('select task.* from outbox join task on task.id = outbox.task_id limit 100')
      .toArray()
      .map(fromRow)
  }

  dropFromOutbox(taskId: string): void {
    this.#storage.sql.exec('delete from outbox where task_id = ?', taskId)
  }

  #write(task: Task): void {
    this.#storage.sql.exec(
      `update task set state = ?, phase = ?, attempt = ?, lease_until = ?, handle = ?, verdict = ?,
       started_at = ?, ended_at = ? where id = ?`,
      task.state,
      task.phase,
      task.attempt,
      task.leaseUntil,
      task.handle && JSON.stringify(task.handle),
      task.verdict && JSON.stringify(task.verdict),
      task.startedAt,
      task.endedAt,
      task.id,
    )
    if (task.verdict && task.isSample) {
      this.#storage.sql.exec('insert into outbox values (?) on conflict do nothing', task.id)
    }
  }
}

function newTask(submission: Submission, now: number): Task {
  return {
    id: submission.id,
    accountId: submission.accountId,
    specHash: submission.spec.hash,
    toolId: submission.toolId,
    version: submission.spec.version,
    job: submission.job,
    input: submission.input,
    isSample: submission.isSample,
    state: 'working',
    phase: 'waiting_for_machine',
    attempt: 0,
    leaseUntil: now,
    handle: null,
    verdict: null,
    createdAt: now,
    startedAt: null,
    endedAt: null,
  }
}

function fromRow(row: Row): Task {
  const data: Data = JSON.parse(row.data)
  return {
    ...data,
    id: row.id,
    specHash: row.spec_hash,
    state: row.state as TaskState,
    phase: row.phase as Phase | null,
    attempt: row.attempt,
    leaseUntil: row.lease_until,
    handle: row.handle === null ? null : (JSON.parse(row.handle) as Handle),
    verdict: row.verdict === null ? null : (JSON.parse(row.verdict) as Verdict),
    createdAt: row.created_at,
    startedAt: row.started_at,
    endedAt: row.ended_at,
  }
}
