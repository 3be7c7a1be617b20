import { index, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, json } from '../columns.ts'

/**
 * Who owns things. `handle` is `^[a-z][a-z0-9-]{1,30}$` and never given to another account; from `handle_fixed_at`, when
 * the account first published a tool, it no longer changes.
 */
export const account = sqliteTable(
  'account',
  {
    id: text('id').primaryKey(),
    handle: text('handle').notNull(),
    created_at: at('created_at').notNull(),
    handle_fixed_at: at('handle_fixed_at'),
  },
  (t) => [uniqueIndex('account_handle').on(t.handle)],
)

/**
 * Personal access tokens, `wks_pat_<id>_<secret>`. Only the SHA-256 of the secret is kept.
 * `last_used_at` is written at most once an hour. Rows past `expires_at` no longer open anything.
 */
export const token = sqliteTable(
  'token',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    name: text('name').notNull(),
    secret_sha256: text('secret_sha256').notNull(),
    scopes: json<string[]>('scopes').notNull(),
    created_at: at('created_at').notNull(),
    expires_at: at('expires_at').notNull(),
    last_used_at: at('last_used_at'),
  },
  (t) => [index('token_account').on(t.account_id)],
)
