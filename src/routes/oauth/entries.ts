import { AuthorizationError, OAuthError } from '@cloudflare/workers-oauth-provider'
import type { Db } from '../../db/client.ts'
import {
  deleteEntry,
  insertBelow,
  insertEntry,
  listEntries,
  putEntry,
  readValue,
  replaceEntry,
  type Entry,
} from './store.ts'

interface PutOptions {
  /** Seconds since 1970, and seconds from now. */
  expiration?: number
  expirationTtl?: number
  metadata?: unknown
}

/**
 * The KV namespace that the authorization server asks for, over a table: what was written is read at once. Made for one
 * request. KV has no conditions, so the library's own "read, then write" loses races; here what a request has read
 * is replaced only while it still is what was read, and a token is kept only while its grant is there.
 */
export class Entries {
  #read = new Map<string, string | null>()
  #db: Db
  #now: () => number

  constructor(db: Db, now: () => number) {
    this.#db = db
    this.#now = now
  }

  async get(key: string, options?: { type?: string }): Promise<unknown> {
    const value = await readValue(this.#db, key, this.#now())
    this.#read.set(key, value)
    return value !== null && options?.type === 'json' ? JSON.parse(value) : value
  }

  async put(key: string, value: string, options: PutOptions = {}): Promise<void> {
    const entry = { key, value, metadata: options.metadata, expiresAt: this.#expiryOf(options) }
    const read = this.#read.get(key)
    if (!(await this.#keep(entry, read))) throw lostRace(read)
    this.#read.set(key, value)
  }

  async delete(key: string): Promise<void> {
    // A grant takes its tokens along: one that was made while they were listed would stay.
    const below = key.startsWith('grant:') ? `token:${key.slice('grant:'.length)}:` : undefined
    const wasThere = await deleteEntry(this.#db, key, below)
    if (key.startsWith('transaction:') && !wasThere) {
      throw new AuthorizationError('invalid_request', { description: 'This page was answered already' })
    }
  }

  async list({
    prefix = '',
    limit = 1_000,
    cursor = '',
  }: {
    prefix?: string
    limit?: number
    cursor?: string
  }) {
    const found = await listEntries(this.#db, { prefix, after: cursor, limit, now: this.#now() })
    const keys = found.map(({ key, metadata }) => ({ name: key, metadata }))
    const last = keys.at(-1)?.name
    return keys.length < limit || last === undefined
      ? { keys, list_complete: true }
      : { keys, list_complete: false, cursor: last }
  }

  async #keep(entry: Entry, read: string | null | undefined): Promise<boolean> {
    const [, accountId, grantId] = /^token:([^:]+):([^:]+):/.exec(entry.key) ?? []
    if (grantId) return insertBelow(this.#db, `grant:${accountId}:${grantId}`, entry)
    if (read === null) return insertEntry(this.#db, entry, this.#now())
    if (read !== undefined) return replaceEntry(this.#db, entry, read)
    await putEntry(this.#db, entry)
    return true
  }

  #expiryOf({ expiration, expirationTtl }: PutOptions): number | null {
    if (expiration !== undefined) return expiration * 1_000
    return expirationTtl === undefined ? null : this.#now() + expirationTtl * 1_000
  }
}

/** A refresh that lost to another one may be tried again; a code that another request redeemed is spent. */
function lostRace(read: string | null | undefined): OAuthError {
  const internal = { category: 'token-issuance', reason: 'lost_race' }
  const isRefresh = read?.includes('"refreshTokenId"') && !read.includes('"authCodeWrappedKey"')
  return isRefresh
    ? new OAuthError('temporarily_unavailable', {
        description: 'Another refresh of this connection is under way; try again',
        statusCode: 503,
        headers: { 'Retry-After': '1' },
        internal,
      })
    : new OAuthError('invalid_grant', { description: 'It was used already, or revoked', internal })
}
