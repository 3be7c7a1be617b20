import type { Quotas } from '../../limits.ts'
import { dayEnd, isOver, standingOf, type Standing } from '../../quotas/quota.ts'
import type { Submission } from '../port.ts'
import type { Task } from '../task.ts'
import { Calls } from './calls.ts'

/**
 * `place` holds the tasks that are at work, at most as many as may be at once; every other working task waits, and those
 * of the phase `waiting_for_machine` stand in line for a place in the order of their ids. `spent` is what ended tasks
 * used of a day's limits; `day_end` is when that day is over. Earlier days are dropped.
 */
export const ROOM_SCHEMA = `
create table if not exists place (task_id text primary key) without rowid;
create table if not exists spent (
  what text not null, day_end integer not null, amount integer not null, primary key (what, day_end)
) without rowid;
`

/** What a day's limits count: milliseconds of containers, tokens of models. */
type Spending = 'container_ms' | 'model_tokens'

const IN_LINE = `state = 'working' and phase = 'waiting_for_machine' and id not in (select task_id from place)`

/** What an account's tasks use of its limits. Each call is synchronous, and part of the step that a task takes. */
export class Room {
  readonly #sql: SqlStorage
  readonly #quotas: Quotas
  readonly calls: Calls

  constructor(sql: SqlStorage, quotas: Quotas) {
    this.#sql = sql
    this.#quotas = quotas
    this.calls = new Calls(quotas)
    sql.exec(ROOM_SCHEMA)
  }

  /**
   * The limit that one more task would go past, if there is one: of tasks kept for later, of those that are not done,
   * of what its kind of run may use in a day.
   */
  over({ plan, spec }: Pick<Submission, 'plan' | 'spec'>, now: number): Standing | null {
    const isLater = plan !== null && !(plan.kind === 'once' && plan.at <= now)
    if (isLater) return [this.#scheduled()].find(isOver) ?? null
    return this.overNow(spec.descriptor.placements[0], now)
  }

  /** The same for a task that runs at once at this placement. */
  overNow(placement: string | undefined, now: number): Standing | null {
    const { tasksAtOnce, tasksWaiting } = this.#quotas
    return this.#working() >= tasksAtOnce + tasksWaiting ? this.#waiting() : this.overspent(placement, now)
  }

  /** The day's limit that a run at this placement would go past. */
  overspent(placement: string | undefined, now: number): Standing | null {
    return this.#spentBy(placement, now).find(isOver) ?? null
  }

  /** Gives a task a place, unless all are taken or wanted by tasks that stand before it in line. */
  takePlace(taskId: string): boolean {
    const isHeld = this.#count('select count(*) as count from place where task_id = ?', taskId) > 0
    if (isHeld) return true
    const free = this.#quotas.tasksAtOnce - this.#taken()
    if (free <= 0) return false
    const before = this.#count(
      `select count(*) as count from (select 1 from task where ${IN_LINE} and id < ? limit ?)`,
      taskId,
      free,
    )
    if (before >= free) return false
    this.#sql.exec('insert into place values (?)', taskId)
    return true
  }

  /** Frees the place of a task, if it has one, and has the next in line looked at. */
  leavePlace(taskId: string, now: number): void {
    const left = this.#sql.exec('delete from place where task_id = ? returning task_id', taskId).toArray()
    if (left.length === 0) return
    for (const id of this.inLine()) this.#sql.exec('update task set wake_at = ? where id = ?', now, id)
  }

  /** Tasks that may have a place now, the oldest first. */
  inLine(): string[] {
    const free = this.#quotas.tasksAtOnce - this.#taken()
    if (free <= 0) return []
    const rows = this.#sql.exec<{ id: string }>(
      `select id from task where ${IN_LINE} order by id limit ?`,
      free,
    )
    return rows.toArray().map(({ id }) => id)
  }

  /** Counts what a task that has just ended used. */
  spendOn(task: Task, placement: string, now: number): void {
    if (placement === 'placement:deployed-container') this.spend('container_ms', containerMs(task), now)
    if (placement === 'placement:rented-model-runtime')
      this.spend('model_tokens', task.verdict?.usage?.total_tokens ?? 0, now)
  }

  spend(what: Spending, amount: number, now: number): void {
    if (!(amount > 0)) return
    this.#sql.exec('delete from spent where day_end <= ?', now)
    this.#sql.exec(
      `insert into spent values (?, ?, ?) on conflict (what, day_end) do update set amount = amount + excluded.amount`,
      what,
      dayEnd(now),
      Math.ceil(amount),
    )
  }

  standings(now: number): Standing[] {
    return [
      this.calls.standing(now),
      standingOf(this.#quotas, 'tasks_at_once', { used: this.#taken() }),
      this.#waiting(),
      this.#scheduled(),
      this.#containerSeconds(now),
      this.#modelTokens(now),
    ]
  }

  #spentBy(placement: string | undefined, now: number): Standing[] {
    if (placement === 'placement:deployed-container') return [this.#containerSeconds(now)]
    return placement === 'placement:rented-model-runtime' ? [this.#modelTokens(now)] : []
  }

  #taken(): number {
    return this.#count('select count(*) as count from place')
  }

  #working(): number {
    return this.#count("select count(*) as count from task where state = 'working'")
  }

  #waiting(): Standing {
    return standingOf(this.#quotas, 'tasks_waiting', { used: this.#working() - this.#taken() })
  }

  #scheduled(): Standing {
    const used = this.#count("select count(*) as count from task where state = 'scheduled'")
    return standingOf(this.#quotas, 'schedules', { used })
  }

  #containerSeconds(now: number): Standing {
    const used = Math.floor(this.#spent('container_ms', now) / 1_000)
    return standingOf(this.#quotas, 'container_seconds_a_day', { used, resetsAt: dayEnd(now) })
  }

  #modelTokens(now: number): Standing {
    const used = this.#spent('model_tokens', now)
    return standingOf(this.#quotas, 'model_tokens_a_day', { used, resetsAt: dayEnd(now) })
  }

  #spent(what: Spending, now: number): number {
    return this.#count(
      'select coalesce(sum(amount), 0) as count from spent where what = ? and day_end = ?',
      what,
      dayEnd(now),
    )
  }

  #count(sql: string, ...values: (string | number)[]): number {
    return this.#sql.exec<{ count: number }>(sql, ...values).toArray()[0]?.count ?? 0
  }
}

/** How long a run held its container: as long as the work took, or until it was cancelled. */
function containerMs({ verdict, startedAt, endedAt }: Task): number {
  if (verdict && verdict.tookMs !== null) return verdict.tookMs
  return verdict?.endReason === 'cancelled' && startedAt !== null && endedAt !== null
    ? endedAt - startedAt
    : 0
}
