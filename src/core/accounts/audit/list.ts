import type { Context } from '../../context.ts'
import { findActs } from './store.ts'

/** Acts of the caller's account, newest first; `nextCursor` gives the next page. */
export async function listActs(
  { db, caller }: Pick<Context, 'db' | 'caller'>,
  { cursor, limit }: { cursor?: string; limit: number },
) {
  const found = await findActs(db, caller.accountId, { before: cursor, limit: limit + 1 })
  const acts = found.slice(0, limit)
  return { acts, nextCursor: found.length > limit ? acts.at(-1)?.id : undefined }
}
