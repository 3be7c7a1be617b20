import { sql } from 'drizzle-orm'
import { index, integer, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, json } from '../columns.ts'

/**
 * What a maker saves. The row stays after a delete (`deleted_at`), so that `last_version` is never used again.
 * `slug_key` is the slug in lower case: ids are unique in an account without regard to case.
 *
 * `published_version_id` is what every account gets, null for a private tool. `publishing_task_id` is the sample run
 * that will publish its version if it passes; whoever changes or empties it has called that off.
 *
 * A published tool's sample is run daily, next at `next_check_at` (null: never). `check_task_id` is the newest such run
 * that was counted, `check_failures` how many failed in a row, the first of them at `check_failed_since`.
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
    published_version_id: integer('published_version_id'),
    published_at: at('published_at'),
    publishing_task_id: text('publishing_task_id'),
    next_check_at: at('next_check_at'),
    check_task_id: text('check_task_id'),
    check_failures: integer('check_failures').notNull().default(0),
    check_failed_since: at('check_failed_since'),
  },
  (t) => [
    uniqueIndex('tool_account_slug').on(t.account_id, t.slug_key),
    index('tool_slug').on(t.slug_key),
    index('tool_next_check_at').on(t.next_check_at),
    index('tool_published_version').on(t.published_version_id),
  ],
)

/**
 * One frozen state of a tool. `hash` is the SHA-256 of descriptor and code, `code_hash` that of the canonical tar
 * in R2 under `code/<code_hash>` (null: no code). `id` is also the rowid in the full-text tables `own_search`,
 * which holds each tool's newest version, and `published_search`; they are written in the same batch.
 * `sample_state`: `working` until the sample ended, then `passed` or `failed`; `sample_task_id` tells more.
 * `published_at` is when every account could first have it: while the tool is published they may pin it. `similar_to`
 * are published tools of others whose names come near. `promise` is the SHA-256 of job and both schemas: versions
 * that promise the same share what is known of their jobs. `deleted_at`: its tool was deleted, later versions may live.
 * `text_chain` is the number of the text chain that made its rows there; 0: of none that had a number, or none was made.
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
    published_at: at('published_at'),
    similar_to: json<string[]>('similar_to'),
    promise: text('promise'),
    deleted_at: at('deleted_at'),
    text_chain: integer('text_chain').notNull().default(0),
  },
  (t) => [
    uniqueIndex('tool_version_number').on(t.tool_id, t.number),
    index('tool_version_label').on(sql`lower(${t.label})`),
    index('tool_version_text_chain').on(t.text_chain, t.tool_id),
  ],
)
