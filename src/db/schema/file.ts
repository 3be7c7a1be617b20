import { index, integer, primaryKey, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at } from '../columns.ts'

/**
 * Bytes in R2 under `files/<hash>`, whoever uses them; `hash` is their SHA-256 in lower hex, `size` in bytes.
 * `whole_at` is null until all of them are there: only then may anything point at them. Bytes that nothing points at
 * are doomed (`doomed_at`) a day after they were last touched, and dropped an hour later; once `dropping_at` is set
 * nothing can point at them again, and the row goes after the bytes are gone.
 */
export const fileBytes = sqliteTable(
  'file_bytes',
  {
    hash: text('hash').primaryKey(),
    size: integer('size').notNull(),
    whole_at: at('whole_at'),
    touched_at: at('touched_at').notNull(),
    doomed_at: at('doomed_at'),
    dropping_at: at('dropping_at'),
  },
  (t) => [index('file_bytes_touched_at').on(t.touched_at), index('file_bytes_doomed_at').on(t.doomed_at)],
)

/** The names of an account. `search_key` is the path in lower case, NFKC. A row points only at whole bytes. */
export const file = sqliteTable(
  'file',
  {
    account_id: text('account_id').notNull(),
    path: text('path').notNull(),
    search_key: text('search_key').notNull(),
    hash: text('hash').notNull(),
    media_type: text('media_type').notNull(),
    updated_at: at('updated_at').notNull(),
  },
  (t) => [primaryKey({ columns: [t.account_id, t.path] }), index('file_hash').on(t.hash)],
)

/**
 * What else points at bytes: `holder` is `task:<id>` (until the task is forgotten) or `version:<id>` (its samples).
 * `path` is how the account called the file when it was taken.
 */
export const fileUse = sqliteTable(
  'file_use',
  {
    holder: text('holder').notNull(),
    hash: text('hash').notNull(),
    account_id: text('account_id').notNull(),
    path: text('path').notNull(),
  },
  (t) => [
    primaryKey({ columns: [t.holder, t.hash] }),
    index('file_use_hash').on(t.hash),
    index('file_use_account').on(t.account_id, t.hash),
  ],
)

/**
 * One-time upload links. `r2_upload` is the multipart upload of one that comes in parts, `hash` what it became: then
 * the link is used. Rows are dropped a day after `expires_at`, which each part moves on.
 */
export const fileUpload = sqliteTable(
  'file_upload',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    path: text('path').notNull(),
    r2_upload: text('r2_upload'),
    hash: text('hash'),
    expires_at: at('expires_at').notNull(),
  },
  (t) => [index('file_upload_expires_at').on(t.expires_at)],
)

/** Parts that came so far, from 1. `etag` is R2's; `size` in bytes. */
export const fileUploadPart = sqliteTable(
  'file_upload_part',
  {
    upload_id: text('upload_id').notNull(),
    number: integer('number').notNull(),
    etag: text('etag').notNull(),
    size: integer('size').notNull(),
  },
  (t) => [primaryKey({ columns: [t.upload_id, t.number] })],
)
