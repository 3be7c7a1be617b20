import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * Task objects that the watchdog looks after: one row an account that has something due. `poke_at` is never later
 * than a minute after the object's own next alarm, so a lost alarm is made good; earlier does no harm. An object
 * writes its row at most once a minute, however many tasks it runs.
 */
export const watch = sqliteTable(
  'watch',
  {
    account_id: text('account_id').primaryKey(),
    poke_at: at('poke_at').notNull(),
  },
  (t) => [index('watch_poke_at').on(t.poke_at)],
)
