import type { Db } from '../../db/client.ts'
import type { Caller } from '../caller.ts'
import { isSameHash, sha256Hex } from '../ids.ts'
import { findToken, touchToken } from './store.ts'
import { parseToken } from './token.ts'

const HOUR_MS = 3_600_000

/** Who a personal access token stands for; null when it is malformed, unknown or expired. */
export async function identify(db: Db, text: string, now: number): Promise<Caller | null> {
  const parts = parseToken(text)
  const row = parts && (await findToken(db, parts.id))
  if (!row || row.expiresAt <= now) return null
  if (!isSameHash(row.secretSha256, await sha256Hex(parts.secret))) return null
  const staleAt = now - HOUR_MS
  if (row.lastUsedAt === null || row.lastUsedAt < staleAt) await touchToken(db, parts.id, { now, staleAt })
  const via = { kind: 'token', id: parts.id, name: row.name } as const
  return { accountId: row.accountId, handle: row.handle, scopes: new Set(row.scopes), via }
}
