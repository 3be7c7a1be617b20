import { integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, json } from '../columns.ts'

/**
 * What a maker saves. The row stays after a delete (`deleted_at`), so that `last_version` is never used again.
 * `slug_key` is the slug in lower case: ids are unique in an account without regard to case.
 */
export const tool = sqliteTable(
  'tool',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    slug: text('slug').notNull(),
    slug_key: text('slug_key').notNull(),
    last_version: integer('last_version').notNull(),
    created_at: at('created_at').notNull(),
    updated_at: at('updated_at').notNull(),
    deleted_at: at('deleted_at'),
  },
  (t) => [uniqueIndex('tool_account_slug').on(t.account_id, t.slug_key)],
)

/**
 * One frozen state of a tool. `hash` is the SHA-256 of descriptor and code, `code_hash` that of the canonical tar
 * in R2 under `code/<code_hash>` (null: no code). `id` is also the rowid in the full-text table `tool_search`,
 * which holds one row for each version that can be found; both are written in one batch.
 * `sample_state`: `working` until the sample ended, then `passed` or `failed`; `sample_task_id` tells more.
 */
export const toolVersion = sqliteTable(
  'tool_version',
  {
    id: integer('id').primaryKey({ autoIncrement: true }),
    tool_id: text('tool_id').notNull(),
    number: integer('number').notNull(),
    hash: text('hash').notNull(),
    label: text('label'),
    descriptor: json<unknown>('descriptor').notNull(),
    code_hash: text('code_hash'),
    sample_state: text('sample_state', { enum: ['working', 'passed', 'failed'] }).notNull(),
    sample_task_id: text('sample_task_id'),
    created_at: at('created_at').notNull(),
  },
  (t) => [uniqueIndex('tool_version_number').on(t.tool_id, t.number)],
)
