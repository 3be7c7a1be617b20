import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { quotaProblem, standingOf, type Standing } from '../quotas/quota.ts'
import { baseName, mediaTypeOf, pathFault, searchKey } from './path.ts'
import { LINK_MS } from './link.ts'
import { goneFile, identityOf } from './identity.ts'
import { setName, usedBytes, type NamedFile } from './store.ts'
import { touchBytes } from './bytes/store.ts'

/** What names are given with: the sockets, and how many bytes an account may have. */
export type Naming = Pick<Context, 'db' | 'now' | 'quotas'>

export function checkPath(path: string): void {
  const fault = pathFault(path)
  if (!fault) return
  throw new Problem('invalid_request', `path ${fault}.`, {
    field: 'path',
    hint: 'Use a path like "clips/take 2.wav".',
  })
}

/** Gives whole bytes a name in an account, in place of what had the name before. */
export async function nameFile(
  { db, now, quotas }: Naming,
  { accountId, path, hash }: { accountId: string; path: string; hash: string },
): Promise<void> {
  const isThere = await touchBytes(db, hash, now())
  const row = { accountId, path, searchKey: searchKey(path), hash, mediaType: mediaTypeOf(path) }
  if (isThere && (await setName(db, { ...row, now: now(), quota: quotas.fileBytes }))) return
  if (!isThere) throw goneFile(hash)
  throw quotaProblem(await fileStanding({ db, quotas }, accountId), now())
}

/** Refuses at once what cannot have room: the last word is spoken when the file is named. */
export async function checkRoom(
  { db, quotas, now }: Naming,
  { accountId, size }: { accountId: string; size: number },
): Promise<void> {
  const standing = await fileStanding({ db, quotas }, accountId)
  if (standing.used + size > standing.limit) throw quotaProblem(standing, now())
}

/** How an account stands to the bytes that it may keep. */
export async function fileStanding(
  { db, quotas }: Pick<Context, 'db' | 'quotas'>,
  accountId: string,
): Promise<Standing> {
  return standingOf(quotas, 'file_bytes', { used: await usedBytes(db, accountId) })
}

/** A file as answers tell it. */
export const fileAnswer = ({ path, hash, size, mediaType }: Omit<NamedFile, 'updatedAt'>) => ({
  identity: identityOf(hash),
  path,
  size,
  media_type: mediaType,
})

/** A file of a list. */
export const listedFile = (file: NamedFile) => ({
  ...fileAnswer(file),
  updated_at: new Date(file.updatedAt).toISOString(),
})

/** An address that gives a file to whoever holds it, for 15 minutes. */
export function downloadUrl(
  { links, now }: Pick<Context, 'links' | 'now'>,
  { hash, path }: { hash: string; path: string },
): Promise<string> {
  return links.url({
    kind: 'get',
    hash,
    name: baseName(path),
    mediaType: mediaTypeOf(path),
    expiresAt: now() + LINK_MS,
  })
}
