import type { Tally } from '../../tools/evidence/store.ts'
import { hasPassed, saysOfTool, type Report, type Task } from '../task.ts'

/**
 * `tally` counts the runs of each version that this account made, for good; `told` is how many of them the catalogue
 * knows. `report` is what a person said of a task.
 */
export const EVIDENCE_SCHEMA = `
create table if not exists tally (
  version_id integer primary key, runs integer not null, passed integer not null, told integer not null
);
create table if not exists report (task_id text primary key, json text not null) without rowid;
`

/** What this account's runs say of tools. Each call happens within a step of the task store. */
export class Evidence {
  readonly #sql: SqlStorage

  constructor(sql: SqlStorage) {
    this.#sql = sql
    sql.exec(EVIDENCE_SCHEMA)
  }

  /** Counts a task that has just ended. */
  count(task: Task): void {
    if (task.isSample || !saysOfTool(task)) return
    this.#sql.exec(
      `insert into tally select json_extract(json, '$.versionId'), 1, ?, 0 from spec where hash = ?
       on conflict (version_id) do update set runs = runs + 1, passed = passed + excluded.passed`,
      Number(hasPassed(task)),
      task.specHash,
    )
  }

  /** Totals that the catalogue does not know yet. */
  untold(): Tally[] {
    return this.#sql
      .exec<{ versionId: number; runs: number; passed: number }>(
        'select version_id as versionId, runs, passed from tally where told < runs limit 100',
      )
      .toArray()
  }

  markTold(tallies: Tally[]): void {
    for (const { versionId, runs } of tallies) {
      this.#sql.exec('update tally set told = max(told, ?) where version_id = ?', runs, versionId)
    }
  }

  /** Keeps a report in the place of the one before, as made later than that. */
  keep(taskId: string, report: Report): void {
    this.#sql.exec('insert or replace into report values (?, ?)', taskId, JSON.stringify(report))
  }

  drop(taskId: string): void {
    this.#sql.exec('delete from report where task_id = ?', taskId)
  }
}
