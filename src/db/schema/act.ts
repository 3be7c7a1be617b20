import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * What was done in an account, for its people to read: rows are only added, and dropped a year after `at`. `id` sorts
 * by time. `kind` is one of ACTS in `core/accounts/audit`, `subject` the tool, path or name that it was about. `via_*`
 * says through what it was done (null: by nobody who had signed in). Never a secret, never an input.
 */
export const act = sqliteTable(
  'act',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    kind: text('kind').notNull(),
    subject: text('subject'),
    via_kind: text('via_kind'),
    via_id: text('via_id'),
    via_name: text('via_name'),
    at: at('at').notNull(),
  },
  (t) => [index('act_account').on(t.account_id, t.id), index('act_at').on(t.at)],
)
