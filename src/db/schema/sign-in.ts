import { index, integer, primaryKey, sqliteTable, text, uniqueIndex } from 'drizzle-orm/sqlite-core'
import { at, json } from '../columns.ts'

/**
 * A signed-in browser. `token_sha256` is of the cookie's 256 random bits; `id` names the session on pages and in the
 * audit. `confirmed_at`: when the person last proved who they are. `last_used_at` and `expires_at` (30 days later) are
 * moved at most once an hour. An ended session's row is deleted.
 */
export const session = sqliteTable(
  'session',
  {
    id: text('id').primaryKey(),
    token_sha256: text('token_sha256').notNull(),
    account_id: text('account_id').notNull(),
    /** The browser's own `User-Agent`, cut to 300 characters. */
    device: text('device').notNull(),
    created_at: at('created_at').notNull(),
    confirmed_at: at('confirmed_at').notNull(),
    last_used_at: at('last_used_at').notNull(),
    expires_at: at('expires_at').notNull(),
  },
  (t) => [uniqueIndex('session_token').on(t.token_sha256), index('session_account').on(t.account_id)],
)

/**
 * One e-mail address and password an account. `email_key` is the address in lower case: a login name, never proof of
 * anything. `hash` is `scrypt$<N>$<r>$<p>$<salt hex>$<key hex>`, made with the pepper.
 */
export const password = sqliteTable(
  'password',
  {
    account_id: text('account_id').primaryKey(),
    email: text('email').notNull(),
    email_key: text('email_key').notNull(),
    hash: text('hash').notNull(),
    changed_at: at('changed_at').notNull(),
  },
  (t) => [uniqueIndex('password_email').on(t.email_key)],
)

/** Passkeys, by their credential id. `public_key` is COSE, both base64url. */
export const passkey = sqliteTable(
  'passkey',
  {
    id: text('id').primaryKey(),
    account_id: text('account_id').notNull(),
    name: text('name').notNull(),
    public_key: text('public_key').notNull(),
    counter: integer('counter').notNull(),
    transports: json<string[]>('transports').notNull(),
    created_at: at('created_at').notNull(),
    last_used_at: at('last_used_at'),
  },
  (t) => [index('passkey_account').on(t.account_id)],
)

/** One-time codes of an account, 100 random bits each, so a plain SHA-256 is enough. Used ones are deleted. */
export const recoveryCode = sqliteTable(
  'recovery_code',
  {
    code_sha256: text('code_sha256').primaryKey(),
    account_id: text('account_id').notNull(),
    created_at: at('created_at').notNull(),
  },
  (t) => [index('recovery_code_account').on(t.account_id)],
)

/** An identity at GitHub or Google that opens an account: `subject` is the provider's own unchanging id. */
export const linkedIdentity = sqliteTable(
  'linked_identity',
  {
    provider: text('provider').notNull(),
    subject: text('subject').notNull(),
    account_id: text('account_id').notNull(),
    /** As the provider shows the person: for reading alone. */
    name: text('name').notNull(),
    created_at: at('created_at').notNull(),
    last_used_at: at('last_used_at'),
  },
  (t) => [
    primaryKey({ columns: [t.provider, t.subject] }),
    uniqueIndex('linked_identity_account').on(t.account_id, t.provider),
  ],
)

/**
 * What was begun and may be finished once, by the browser that began it: a passkey's challenge, a visit to a provider.
 * `id` is the SHA-256 of what that browser holds. Finishing deletes the row; rows past `expires_at` count as gone.
 */
export const ceremony = sqliteTable(
  'ceremony',
  {
    id: text('id').primaryKey(),
    kind: text('kind').notNull(),
    data: json<Record<string, string | null>>('data').notNull(),
    expires_at: at('expires_at').notNull(),
  },
  (t) => [index('ceremony_expires').on(t.expires_at)],
)

/**
 * Wrong answers to one login name, known or not (`name_sha256`): from the fifth on, each doubles the time until the next
 * try is heard. A right one deletes the row; a day without any makes it count as gone.
 */
export const wrongAnswer = sqliteTable(
  'wrong_answer',
  {
    name_sha256: text('name_sha256').primaryKey(),
    count: integer('count').notNull(),
    last_at: at('last_at').notNull(),
    heard_from: at('heard_from').notNull(),
  },
  (t) => [index('wrong_answer_last').on(t.last_at)],
)

/** Set-up codes that were used, by their SHA-256: each makes one account, or takes over one. */
export const usedSetupCode = sqliteTable('used_setup_code', {
  code_sha256: text('code_sha256').primaryKey(),
  account_id: text('account_id').notNull(),
  used_at: at('used_at').notNull(),
})
