import { index, integer, primaryKey, real, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * What is known of a version's runs, kept as the sum of its rows of `version_account`. `runs` began and ended by the
 * tool's own doing, samples left out. `reported_met` and `reported_failed` count reports that carry weight, `reporters`
 * the accounts they came from. `met_grown` and `failed_grown` are the same reports, each counting twice as much as one
 * made 90 days earlier: divided by what a report of today counts, they are reports with a half-life of 90 days.
 */
export const versionRecord = sqliteTable('version_record', {
  version_id: integer('version_id').primaryKey(),
  runs: integer('runs').notNull().default(0),
  contract_passed: integer('contract_passed').notNull().default(0),
  accounts: integer('accounts').notNull().default(0),
  reported_met: integer('reported_met').notNull().default(0),
  reported_failed: integer('reported_failed').notNull().default(0),
  reporters: integer('reporters').notNull().default(0),
  met_grown: real('met_grown').notNull().default(0),
  failed_grown: real('failed_grown').notNull().default(0),
})

/**
 * One account's part of that. `runs` and `contract_passed` are totals as the account's task object counts them, written
 * whole: writing them twice, or an older total after a newer one, changes nothing.
 */
export const versionAccount = sqliteTable(
  'version_account',
  {
    version_id: integer('version_id').notNull(),
    account_id: text('account_id').notNull(),
    runs: integer('runs').notNull().default(0),
    contract_passed: integer('contract_passed').notNull().default(0),
    reported_met: integer('reported_met').notNull().default(0),
    reported_failed: integer('reported_failed').notNull().default(0),
    met_grown: real('met_grown').notNull().default(0),
    failed_grown: real('failed_grown').notNull().default(0),
  },
  (t) => [primaryKey({ columns: [t.version_id, t.account_id] })],
)

/**
 * Every report that was made, never changed: of one task the newest holds. `weight` is 1 or 0; `grown` is what the
 * weight adds to the sums above. `day` is the UTC date. `job` is what the run was for, in the caller's words.
 */
export const report = sqliteTable(
  'report',
  {
    task_id: text('task_id').notNull(),
    at: at('at').notNull(),
    tool_id: text('tool_id').notNull(),
    version_id: integer('version_id').notNull(),
    account_id: text('account_id').notNull(),
    met: integer('met', { mode: 'boolean' }).notNull(),
    note: text('note'),
    job: text('job'),
    day: text('day').notNull(),
    weight: integer('weight').notNull(),
    grown: real('grown').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.task_id, t.at] }),
    index('report_reporter').on(t.tool_id, t.account_id, t.weight),
    index('report_tool_met').on(t.tool_id, t.weight, t.met, t.at),
  ],
)
