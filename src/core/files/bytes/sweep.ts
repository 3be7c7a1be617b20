import type { Log } from '../../context.ts'
import { bytesKey } from '../identity.ts'
import { dropUpload, findStaleUploads } from '../uploads/store.ts'
import { TEMPORARY, type Vault } from './keep.ts'
import { doomUnused, forgetBytes, takeDoomed } from './store.ts'

/** Bytes that nothing points at are kept so long after they were last touched, then so long after they were doomed. */
const UNUSED_MS = 24 * 3_600_000
const DOOMED_MS = 3_600_000
/** Temporary objects and links that were given up. */
const STALE_MS = 24 * 3_600_000

/** Drops bytes that no name, task or version points at, and what cut uploads left. What fails is done next time. */
export async function sweepFiles(vault: Vault & { log: Log }): Promise<void> {
  const now = vault.now()
  const tried = await Promise.allSettled([
    dropUnused(vault, now),
    dropTemporary(vault, now),
    dropLinks(vault, now),
  ])
  for (const each of tried) {
    if (each.status === 'rejected') vault.log('file_sweep_failed', { error: String(each.reason) })
  }
}

async function dropUnused({ db, bytes }: Vault, now: number): Promise<void> {
  for (const hash of await takeDoomed(db, { now, before: now - DOOMED_MS })) {
    await bytes.delete(bytesKey(hash))
    await forgetBytes(db, hash)
  }
  await doomUnused(db, { now, before: now - UNUSED_MS })
}

async function dropTemporary({ bytes }: Vault, now: number): Promise<void> {
  const { objects } = await bytes.list({ prefix: TEMPORARY })
  const stale = objects.filter(({ uploaded }) => uploaded.getTime() < now - STALE_MS).map(({ key }) => key)
  if (stale.length > 0) await bytes.delete(stale)
}

async function dropLinks({ db, bytes }: Vault, now: number): Promise<void> {
  for (const { id, key, r2Upload, isUsed } of await findStaleUploads(db, now - STALE_MS)) {
    // An upload that R2 no longer knows has nothing left to abort.
    if (r2Upload !== null && !isUsed)
      await bytes
        .resumeMultipartUpload(key, r2Upload)
        .abort()
        .catch(() => {})
    await dropUpload(db, id)
  }
}
