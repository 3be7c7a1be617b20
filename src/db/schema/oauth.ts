import { index, sqliteTable, text } from 'drizzle-orm/sqlite-core'
import { at, json } from '../columns.ts'

/**
 * What the authorization server keeps, under the keys of @cloudflare/workers-oauth-provider: `client:<id>` (90 days
 * after its last use), `grant:<account>:<grant>` (an app that is connected; 90 days after its last refresh),
 * `token:<account>:<grant>:<SHA-256>` (24 hours), `transaction:<SHA-256>` (an open consent page; 10 minutes). Tokens,
 * codes and secrets stand in `value` only as hashes. Past `expires_at` a row counts as gone and is purged each hour.
 * `used_at`, of grants and tokens: the last call with it, written at most once an hour.
 */
export const oauthEntry = sqliteTable(
  'oauth_entry',
  {
    key: text('key').primaryKey(),
    value: text('value').notNull(),
    metadata: json<unknown>('metadata'),
    expires_at: at('expires_at'),
    used_at: at('used_at'),
  },
  (t) => [index('oauth_entry_expires_at').on(t.expires_at)],
)
