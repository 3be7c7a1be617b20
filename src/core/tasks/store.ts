import type { TakenSecret } from '../connections/secrets.ts'
import { Evidence } from './evidence/store.ts'
import { newId } from '../ids.ts'
import type { Quotas } from '../limits.ts'
import type { Standing } from '../quotas/quota.ts'
import { KEEP_MS, needsPlace, step, type TaskEvent } from './state.ts'
import type { Key, Refused, Submission, Submitted, TaskFilter, Unusable } from './port.ts'
import { Room } from './room/store.ts'
import { fromRow, newTask, SCHEMA, toRow, type TaskRow } from './row.ts'
import { isEnded, type Report, type Task, type TaskSpec } from './task.ts'
import { referencesOf } from './work/references.ts'

/** How many tasks may wait one behind the other. */
export const DEEPEST_CHAIN = 5

/** Nothing is due nearer than this, so that an object with much to do is not woken for each bit of it. */
const SOONEST_MS = 200
/** How soon what could not be done elsewhere is tried again. */
const UNDONE_MS = 10_000

/** A task is kept at most so long after its id was made, whatever the clocks of two machines say. */
const ID_AGE_MS = 60_000

type OutboxKind = 'tell' | 'report' | 'stop'

/** All queries of the task object. Every call is synchronous, so each is one step that nothing can come between. */
export class TaskStore {
  readonly #storage: DurableObjectStorage
  readonly room: Room
  readonly evidence: Evidence

  constructor(storage: DurableObjectStorage, quotas: Quotas) {
    this.#storage = storage
    storage.sql.exec(SCHEMA)
    this.room = new Room(storage.sql, quotas)
    this.evidence = new Evidence(storage.sql)
  }

  /** Keeps a new task and its key, or answers with the earlier task of that key. Past a limit nothing is kept. */
  submit(submission: Submission, now: number): Submitted | Refused {
    return this.#storage.transactionSync(() => {
      const earlier = this.findByKey(submission)
      if (earlier) return earlier
      // Of a slot the schedule tells the account; of a sample its save has asked before.
      const isOurs = submission.scheduleId !== null || submission.isSample
      const tooMany = isOurs ? null : this.room.calls.count(now)
      if (tooMany) return { over: tooMany }
      // A slot is made whatever became of what its input names: it ends so itself.
      const sources = submission.scheduleId ? { depth: 0 } : this.#sources(submission.input)
      if ('unusable' in sources) return sources
      const over = isOurs ? null : this.room.over(submission, now)
      if (over) return { over }
      const task = newTask(submission, { now, depth: sources.depth })
      const { spec, requestKey, fingerprint } = submission
      this.#run('insert into spec values (?, ?) on conflict do nothing', spec.hash, JSON.stringify(spec))
      this.#run('insert into request_key values (?, ?, ?)', requestKey, fingerprint, task.id)
      const row = toRow(task)
      const names = Object.keys(row)
      this.#run(
        `insert into task (${names.join(', ')}) values (${names.map(() => '?').join(', ')})`,
        ...Object.values(row),
      )
      return { task, isConflict: false, isNew: true }
    })
  }

  findByKey({ requestKey, fingerprint }: Key): Submitted | null {
    const [row] = this.#query<{ fingerprint: string; task_id: string }>(
      'select fingerprint, task_id from request_key where key = ?',
      requestKey,
    )
    const task = row && this.find(row.task_id)
    return task ? { task, isConflict: row.fingerprint !== fingerprint, isNew: false } : null
  }

  /** The task of a key. Without one this is a call, which counts unless it is one too many. */
  recall(key: Key, now: number): Submitted | { over: Standing } | null {
    const earlier = this.findByKey(key)
    const over = earlier ? null : this.room.calls.count(now)
    return over ? { over } : earlier
  }

  find(id: string): Task | null {
    const [row] = this.#query<TaskRow>(
      'select task.*, (select json from report where task_id = task.id) as report from task where id = ?',
      id,
    )
    return row ? fromRow(row) : null
  }

  spec(hash: string): TaskSpec {
    const [row] = this.#query<{ json: string }>('select json from spec where hash = ?', hash)
    if (!row) throw new Error(`the spec ${hash} is gone`)
    return JSON.parse(row.json)
  }

  list({ state, toolId, since, before, limit }: TaskFilter): Task[] {
    const conditions: [string, string | number | undefined][] = [
      ['state = ?', state],
      ['tool_id = ?', toolId],
      ['created_at >= ?', since],
      ['id < ?', before],
      // Ids sort by time: without this all older tasks were looked through.
      ['id >= ?', since === undefined ? undefined : firstIdAt(since - ID_AGE_MS)],
    ]
    const given = conditions.filter(([, value]) => value !== undefined)
    const where = given.map(([condition]) => condition).join(' and ') || 'true'
    return this.#query<TaskRow>(
      `select * from task where ${where} order by id desc limit ?`,
      ...given.map(([, value]) => value),
      limit,
    ).map(fromRow)
  }

  /** Lets an event happen to a task; null when it changes nothing. What follows from an end is noted with it. */
  apply(id: string, event: TaskEvent, now: number): Task | null {
    return this.#storage.transactionSync(() => {
      const before = this.find(id)
      const after = before && step(before, event, now)
      if (after) this.#write(after, event, now)
      return after
    })
  }

  /** Takes up a task that is due; without a place for it, it stands in line. Null: nobody is to drive it now. */
  claim(id: string, now: number): Task | null {
    return this.#storage.transactionSync(() => {
      const task = this.find(id)
      const claimed = task && step(task, { kind: 'claimed' }, now)
      if (!claimed) return null
      const hasPlace = this.room.takePlace(id)
      const after = hasPlace ? claimed : step(task, { kind: 'queued' }, now)
      if (after) this.#write(after, { kind: 'claimed' }, now)
      return hasPlace ? after : null
    })
  }

  /** Tasks that wait for the end of this one. */
  waitingFor(id: string): string[] {
    return this.#query<{ task_id: string }>('select task_id from waits where on_id = ?', id).map(
      ({ task_id }) => task_id,
    )
  }

  /** Tasks that somebody must look at now. */
  due(now: number): string[] {
    return this.#query<{ id: string }>(
      'select id from task where wake_at <= ? order by wake_at limit 200',
      now,
    ).map(({ id }) => id)
  }

  /** When something must next be done: a task looked at, or what was left undone elsewhere. Null: nothing ever. */
  nextDue(now: number): number | null {
    const [row] = this.#query<{ due: number | null; undone: number }>(
      `select (select min(wake_at) from task) as due, exists (select 1 from outbox)
        or exists (select 1 from tally where told < runs) as undone`,
    )
    const due = Math.min(row?.due ?? Infinity, row?.undone ? now + UNDONE_MS : Infinity)
    return due === Infinity ? null : Math.max(due, now + SOONEST_MS)
  }

  /** Ends every lease: for an object that begins, when whoever held them is gone. */
  releaseLeases(now: number): void {
    this.#run("update task set wake_at = ? where state = 'working' and wake_at > ?", now, now)
  }

  /** Drops a task whose time of keeping is over, with its key. */
  forget(id: string, now: number): void {
    this.#storage.transactionSync(() => {
      const task = this.find(id)
      if (!task || !isEnded(task) || (task.endedAt ?? now) + KEEP_MS > now) return
      this.#run('delete from request_key where task_id = ?', id)
      this.#run('delete from waits where task_id = ?', id)
      this.evidence.drop(id)
      this.#run('delete from task where id = ?', id)
      this.#run(
        'delete from spec where hash = ? and not exists (select 1 from task where spec_hash = ?)',
        task.specHash,
        task.specHash,
      )
    })
  }

  /** The connections that a task took when it was taken up, sealed; none once it has ended. */
  secrets(taskId: string): TakenSecret[] {
    const [row] = this.#query<{ json: string }>('select json from secret where task_id = ?', taskId)
    return row ? JSON.parse(row.json) : []
  }

  keepSecrets(taskId: string, secrets: TakenSecret[]): void {
    this.#run('insert or replace into secret values (?, ?)', taskId, JSON.stringify(secrets))
  }

  /** Keeps what a person said of an ended task; the last one holds. Null when there is no such task. */
  report(id: string, { met, note }: Omit<Report, 'at'>, now: number): Task | null {
    return this.#storage.transactionSync(() => {
      const task = this.find(id)
      const before = task?.report
      const isSame = before?.met === met && before.note === note
      if (!task?.verdict || isSame) return task
      this.evidence.keep(id, { met, note, at: Math.max(now, (before?.at ?? 0) + 1) })
      this.#run("insert into outbox values (?, 'report') on conflict do nothing", id)
      return this.find(id)
    })
  }

  /** Ended tasks of which something is still to be done elsewhere: the catalogue told, or a machine stopped. */
  outbox(kind: OutboxKind): Task[] {
    return this.#query<TaskRow>(
      `select task.*, (select json from report where task_id = task.id) as report
       from outbox join task on task.id = outbox.task_id where outbox.kind = ? limit 100`,
      kind,
    ).map(fromRow)
  }

  askToStop(taskId: string): void {
    this.#run("insert into outbox values (?, 'stop') on conflict do nothing", taskId)
  }

  dropFromOutbox(taskId: string, kind: OutboxKind): void {
    this.#run('delete from outbox where task_id = ? and kind = ?', taskId, kind)
  }

  /** When the watchdog will look after this object, as far as it knows. */
  get pokeAt(): number | null {
    return this.#query<{ at: number }>("select value as at from meta where name = 'poke_at'")[0]?.at ?? null
  }

  set pokeAt(at: number | null) {
    this.#run("delete from meta where name = 'poke_at'")
    if (at !== null) this.#run("insert into meta values ('poke_at', ?)", at)
  }

  #write(task: Task, event: TaskEvent, now: number): void {
    const { id, ...row } = toRow(task)
    const sets = Object.keys(row).map((name) => `${name} = ?`)
    this.#run(`update task set ${sets.join(', ')} where id = ?`, ...Object.values(row), id)
    if (event.kind === 'waits') {
      for (const { taskId } of referencesOf(task.input)) {
        this.#run('insert into waits values (?, ?) on conflict do nothing', taskId, id)
      }
    }
    if (!needsPlace(task)) this.room.leavePlace(id, now)
    if (!task.verdict) return
    this.room.spendOn(task, this.#placement(task.specHash), now)
    this.#run('delete from secret where task_id = ?', id)
    this.#run('delete from waits where task_id = ?', id)
    this.evidence.count(task)
    if (task.isSample) this.#run("insert into outbox values (?, 'tell') on conflict do nothing", id)
    if (event.kind === 'called_off' && task.handle) this.askToStop(id)
  }

  #placement(specHash: string): string {
    const path = '$.descriptor.placements[0]'
    const [row] = this.#query<{ placement: string }>(
      'select json_extract(json, ?) as placement from spec where hash = ?',
      path,
      specHash,
    )
    return row?.placement ?? ''
  }

  /** Whether every task that an input names can be waited for or taken from, and how deep that chain is. */
  #sources(input: Record<string, unknown>): { depth: number } | { unusable: Unusable } {
    let depth = 0
    for (const { taskId } of referencesOf(input)) {
      const source = this.find(taskId)
      if (!source) return { unusable: { taskId, why: 'unknown' } }
      if (source.schedule) {
        return { unusable: { taskId, why: 'repeats', lastTaskId: source.schedule.lastTaskId } }
      }
      if (source.state === 'failed') return { unusable: { taskId, why: 'failed' } }
      if (!isEnded(source)) depth = Math.max(depth, source.depth + 1)
      if (depth > DEEPEST_CHAIN) return { unusable: { taskId, why: 'too_deep' } }
    }
    return { depth }
  }

  #query<Row extends Record<string, SqlStorageValue>>(sql: string, ...values: unknown[]): Row[] {
    return this.#storage.sql.exec<Row>(sql, ...values).toArray()
  }

  #run(sql: string, ...values: unknown[]): void {
    this.#storage.sql.exec(sql, ...values)
  }
}

/** The lowest id that a task made at a time can have. */
const firstIdAt = (at: number): string =>
  newId('task', { now: () => Math.max(0, at), random: (count) => new Uint8Array(count) })
