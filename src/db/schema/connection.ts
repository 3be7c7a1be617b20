import { index, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * Named secrets of an account. `sealed` is base64 of 12 bytes of nonce and the value, encrypted with AES-GCM under a
 * key that is derived for the account from the deployment's key `key_name`; account and name are bound to it, so it
 * opens nowhere else. `kind` says how the value was read: `text`, or `json` when it is an object or a list. A row goes
 * when the connection is removed.
 */
export const connection = sqliteTable(
  'connection',
  {
    account_id: text('account_id').notNull(),
    name: text('name').notNull(),
    kind: text('kind', { enum: ['text', 'json'] }).notNull(),
    key_name: text('key_name').notNull(),
    sealed: text('sealed').notNull(),
    created_at: at('created_at').notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.name] }), index('connection_key_name').on(t.key_name)],
)
