import { eq, sql, type SQL } from 'drizzle-orm'
import { readBatch, runBatch, type Db } from '../../../db/client.ts'
import { versionRecord } from '../../../db/schema/evidence.ts'
import { jobsText, type MetJob } from '../search/index/jobs.ts'
import { indexJobs } from '../search/index/store.ts'

/** All that one account's task object counted of a version. */
export interface Tally {
  versionId: number
  runs: number
  /** Runs that ended with an output of the right shape. */
  passed: number
}

export interface NewReport {
  taskId: string
  versionId: number
  accountId: string
  /** Whether the task ran the tool at all. */
  isRun: boolean
  met: boolean
  note: string | null
  job: string | null
  at: number
  /** What it adds to the grown sums if it carries weight. */
  grown: number
}

/** A reporter's reports of one tool that carry weight: one a day, so many in all. */
const MOST_A_REPORTER = 3
/** An account made after the tool counts from this age on: younger ones could be made for the purpose. */
const GROWN_UP_MS = 30 * 86_400_000
/** Newest reports whose jobs are read: enough for twenty that differ, mostly. */
const JOBS_READ = 100

/** Keeps what an account ran. Totals only grow, so that telling them twice or late changes nothing. */
export async function recordRuns(db: Db, accountId: string, tallies: Tally[]): Promise<void> {
  if (tallies.length === 0) return
  await runBatch(
    db,
    tallies.flatMap(({ versionId, runs, passed }) =>
      moving(versionId, accountId, [
        sql`insert into version_account (version_id, account_id, runs, contract_passed)
          values (${versionId}, ${accountId}, ${runs}, ${passed})
          on conflict (version_id, account_id) do update set runs = max(runs, excluded.runs),
            contract_passed = max(contract_passed, excluded.contract_passed)`,
      ]),
    ),
  )
}

/** Appends a report and counts it by what then holds. Safe to send twice, and in any order. */
export async function recordReport(db: Db, report: NewReport): Promise<void> {
  const { versionId, accountId } = report
  await runBatch(db, moving(versionId, accountId, [insertReport(report), countReports(versionId, accountId)]))
}

function insertReport({ taskId, versionId, accountId, ...report }: NewReport): SQL {
  const day = new Date(report.at).toISOString().slice(0, 10)
  const weighty = sql`select 1 from report where tool_id = t.id and account_id = ${accountId} and weight = 1`
  const weight = sql`case
    when not ${report.isRun} or t.account_id = a.id then 0
    when a.created_at > t.created_at and a.created_at > ${report.at - GROWN_UP_MS} then 0
    when exists (select 1 from report where task_id = ${taskId})
      then (select weight from report where task_id = ${taskId} order by at limit 1)
    when exists (${weighty} and day = ${day}) then 0
    when (select count(distinct task_id) from report where tool_id = t.id and account_id = ${accountId} and weight = 1)
      >= ${MOST_A_REPORTER} then 0
    else 1 end`
  return sql`insert into report
    (task_id, at, tool_id, version_id, account_id, met, note, job, day, weight, grown)
    select ${taskId}, ${report.at}, id, ${versionId}, ${accountId}, ${Number(report.met)}, ${report.note}, ${report.job},
      ${day}, weight, weight * ${report.grown}
    from (select t.id, ${weight} as weight from tool_version v join tool t on t.id = v.tool_id
      join account a on a.id = ${accountId} where v.id = ${versionId})
    where true on conflict do nothing`
}

/** Counts an account's reports of a version again, from the few rows that carry weight. */
const countReports = (versionId: number, accountId: string): SQL => sql`
  insert into version_account
    (version_id, account_id, reported_met, reported_failed, met_grown, failed_grown)
  select ${versionId}, ${accountId}, total(met), total(1 - met), total(met * grown), total((1 - met) * grown)
  from report r where tool_id = (select tool_id from tool_version where id = ${versionId})
    and account_id = ${accountId} and weight = 1 and version_id = ${versionId} and ${holds}
  on conflict (version_id, account_id) do update set
    reported_met = excluded.reported_met, reported_failed = excluded.reported_failed,
    met_grown = excluded.met_grown, failed_grown = excluded.failed_grown`

/** Of one task the newest report holds. */
const holds = sql`not exists (select 1 from report l where l.task_id = r.task_id and l.at > r.at)`

/**
 * Brings what the index knows of a version's jobs up to date: those of reports that hold, carry weight and say met, of
 * every version that promises the same.
 */
export async function indexMetJobs(db: Db, versionId: number): Promise<void> {
  const [[maker], met] = (await readBatch(db, [
    sql`select t.account_id as accountId from tool_version v join tool t on t.id = v.tool_id where v.id = ${versionId}`,
    metJobs(sql`${versionId}`),
  ])) as [{ accountId: string }[], MetJob[]]
  if (maker) await runBatch(db, indexJobs({ versionId, ...maker }, jobsText(met)))
}

/** Asks for the newest reports whose jobs a version is to be found for: `id`, `reporter`, `job`. */
export const metJobs = (versionId: SQL): SQL => sql`
  select r.rowid as id, r.account_id as reporter, r.job from tool_version v join report r on r.tool_id = v.tool_id
  join tool_version e on e.id = r.version_id and (e.id = v.id or e.promise = v.promise)
  where v.id = ${versionId} and r.weight = 1 and r.met = 1 and r.job is not null and ${holds}
  order by r.at desc limit ${JOBS_READ}`

/** A change of one account's part, with the sums of the version changed by as much. */
function moving(versionId: number, accountId: string, change: SQL[]): SQL[] {
  return [
    sql`insert into version_record (version_id) values (${versionId}) on conflict do nothing`,
    addPart(versionId, accountId, sql.raw('-')),
    ...change,
    addPart(versionId, accountId, sql.raw('+')),
  ]
}

const addPart = (versionId: number, accountId: string, by: SQL): SQL => sql`
  update version_record as v set
    runs = v.runs ${by} p.runs, contract_passed = v.contract_passed ${by} p.contract_passed,
    accounts = v.accounts ${by} (p.runs > 0),
    reported_met = v.reported_met ${by} p.reported_met, reported_failed = v.reported_failed ${by} p.reported_failed,
    reporters = v.reporters ${by} (p.reported_met + p.reported_failed > 0),
    met_grown = max(0, v.met_grown ${by} p.met_grown), failed_grown = max(0, v.failed_grown ${by} p.failed_grown)
  from version_account p
  where v.version_id = ${versionId} and p.version_id = ${versionId} and p.account_id = ${accountId}`

/** Asks for what a caller is shown of a version's earlier runs. Not sent yet; `recordOf` reads the rows. */
export function recordQuery(db: Db, versionId: number) {
  const { runs, contract_passed, reported_met, reported_failed, accounts } = versionRecord
  return db
    .select({ runs, contract_passed, reported_met, reported_failed, accounts })
    .from(versionRecord)
    .where(eq(versionRecord.version_id, versionId))
}

/** A version that nobody has run has no row. */
export const recordOf = ([row]: Awaited<ReturnType<typeof recordQuery>>) =>
  row ?? { runs: 0, contract_passed: 0, reported_met: 0, reported_failed: 0, accounts: 0 }
