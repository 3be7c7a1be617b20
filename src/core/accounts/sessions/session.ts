import type { Db } from '../../../db/client.ts'
import { newId, sha256Hex, toHex, type Source } from '../../ids.ts'
import { deleteSessionByToken, findSessionRow, insertSession, touchSession } from './store.ts'

const HOUR_MS = 3_600_000
export const SESSION_MS = 30 * 24 * HOUR_MS

/** A signed-in browser, as its cookie was found to open it. */
export interface Session {
  id: string
  accountId: string
  handle: string
  /** When the person last proved who they are. */
  confirmedAt: number
}

interface Start {
  accountId: string
  /** The browser's `User-Agent`. */
  device: string
  /** The cookie that the browser held until now: what it opened is ended. */
  earlier: string | null
}

/** Signs a browser in by a new session; gives its id and the cookie's text, which is kept nowhere. */
export async function startSession(db: Db, source: Source, { accountId, device, earlier }: Start) {
  const token = toHex(source.random(32))
  const now = source.now()
  const id = newId('ses', source)
  await insertSession(db, {
    id,
    tokenSha256: await sha256Hex(token),
    accountId,
    device: device.slice(0, 300),
    now,
    expiresAt: now + SESSION_MS,
  })
  if (earlier) await endSession(db, earlier)
  return { id, token }
}

/** What a cookie opens, if anything. `isMoved` when its 30 days began anew, at most once an hour. */
export async function findSession(
  db: Db,
  token: string,
  now: number,
): Promise<{ session: Session; isMoved: boolean } | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null
  const row = await findSessionRow(db, await sha256Hex(token))
  if (!row || row.expiresAt <= now) return null
  const { id, accountId, handle, confirmedAt } = row
  const isMoved = row.lastUsedAt < now - HOUR_MS
  if (isMoved) await touchSession(db, id, { now, expiresAt: now + SESSION_MS })
  return { session: { id, accountId, handle, confirmedAt }, isMoved }
}

/** Ends what a cookie opens. */
export async function endSession(db: Db, token: string): Promise<void> {
  await deleteSessionByToken(db, await sha256Hex(token))
}
