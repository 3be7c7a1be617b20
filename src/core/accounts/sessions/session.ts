import { noteAct } from '../audit/act.ts'
import type { Books } from '../books.ts'
import { newId, sha256Hex, toHex } from '../../ids.ts'
import { deleteOtherSessions, deleteSession, deleteSessionByToken, findSessionRow } from './store.ts'
import { insertSession, touchSession } from './store.ts'
import type { Via } from '../../caller.ts'

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
  /** By what the person proved who they are, in words. */
  by: string
  /** The browser's `User-Agent`. */
  device: string
  /** The cookie that the browser held until now: what it opened is ended. */
  earlier: string | null
}

/** Signs a browser in by a new session; gives the cookie's text, which is kept nowhere. */
export async function startSession(books: Books, { accountId, by, device, earlier }: Start): Promise<string> {
  const { db, now, random } = books
  const token = toHex(random(32))
  const id = newId('ses', books)
  const at = now()
  const hashed = { tokenSha256: await sha256Hex(token), device: device.slice(0, 300) }
  await insertSession(db, { id, accountId, ...hashed, now: at, expiresAt: at + SESSION_MS })
  if (earlier) await deleteSessionByToken(db, await sha256Hex(earlier))
  await noteAct(books, { accountId, act: 'signed_in', subject: by, via: viaOf(id) })
  return token
}

/** How a session acts. */
export const viaOf = (id: string): Via => ({ kind: 'session', id, name: 'Workshop in a browser' })

/** What a cookie opens, if anything. `isMoved` when its 30 days began anew, at most once an hour. */
export async function findSession(
  { db, now }: Books,
  token: string,
): Promise<{ session: Session; isMoved: boolean } | null> {
  if (!/^[0-9a-f]{64}$/.test(token)) return null
  const row = await findSessionRow(db, await sha256Hex(token))
  if (!row || row.expiresAt <= now()) return null
  const { id, accountId, handle, confirmedAt } = row
  const isMoved = row.lastUsedAt < now() - HOUR_MS
  if (isMoved) await touchSession(db, id, { now: now(), expiresAt: now() + SESSION_MS })
  return { session: { id, accountId, handle, confirmedAt }, isMoved }
}

/** Ends the session itself. */
export async function endSession(books: Books, { accountId, id }: Pick<Session, 'accountId' | 'id'>) {
  if (await deleteSession(books.db, accountId, id)) {
    await noteAct(books, { accountId, act: 'signed_out', subject: null, via: viaOf(id) })
  }
}

/** Ends one other session of the account; nothing when it is gone already. */
export async function endOther(
  books: Books,
  { accountId, id }: Pick<Session, 'accountId' | 'id'>,
  otherId: string,
) {
  const ended = await deleteSession(books.db, accountId, otherId)
  if (ended) await noteAct(books, { accountId, act: 'session_ended', subject: ended.device, via: viaOf(id) })
}

/** Ends all other sessions of the account. */
export async function endOthers(books: Books, { accountId, id }: Pick<Session, 'accountId' | 'id'>) {
  const count = await deleteOtherSessions(books.db, accountId, id)
  if (count > 0) {
    await noteAct(books, { accountId, act: 'session_ended', subject: `all others: ${count}`, via: viaOf(id) })
  }
}
