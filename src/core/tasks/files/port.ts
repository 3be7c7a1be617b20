import type { Context } from '../../context.ts'
import { keepAs, verifyBytes, type Vault } from '../../files/bytes/keep.ts'
import { bytesKey, hashOf } from '../../files/identity.ts'
import { nameFile } from '../../files/name.ts'
import { baseName } from '../../files/path.ts'
import { heldFiles, holdFiles, holdMade, releaseFiles } from '../../files/store.ts'
import type { Task } from '../task.ts'

type Holder = Pick<Task, 'id' | 'accountId'>

/** The files of tasks: those that inputs name and those that runs make. A task holds its own until it is forgotten. */
export interface TaskFiles {
  /** Has a task hold the files that its input names; returns the identities that its account does not have. */
  hold(task: Holder, identities: string[]): Promise<string[]>
  /** What each file that a task holds is called, by its identity. */
  names(taskId: string): Promise<Map<string, string>>
  /** The bytes of an identity; null when they are gone. */
  open(identity: string): Promise<{ size: number; body: ReadableStream } | null>
  /** Keeps a file that a run made, reads it back, names it. Throws a `Problem` when trying again is of no use. */
  keep(
    task: Holder,
    made: { path: string; size: number; sha256: string },
    open: () => Promise<ReadableStream<Uint8Array>>,
  ): Promise<void>
  /** Lets go of all that a task held. */
  release(taskId: string): Promise<void>
}

const holderOf = (taskId: string): string => `task:${taskId}`

export function taskFilesIn(vault: Vault & Pick<Context, 'quotas'>): TaskFiles {
  const { db, bytes } = vault
  return {
    async hold({ id, accountId }, identities) {
      const hashes = identities.flatMap((identity) => hashOf(identity) ?? [])
      const held = await holdFiles(db, { accountId, holder: holderOf(id), hashes })
      return identities.filter((identity) => !held.includes(hashOf(identity) ?? ''))
    },
    async names(taskId) {
      const held = await heldFiles(db, holderOf(taskId))
      return new Map(held.map(({ hash, path }) => [`1f:${hash}`, baseName(path)]))
    },
    open: (identity) => bytes.get(bytesKey(hashOf(identity) ?? '')),
    async keep({ id, accountId }, { path, size, sha256: hash }, open) {
      await keepAs(vault, { hash, size }, async () => ({ body: await open() }))
      await verifyBytes(bytes, { hash, size })
      await nameFile(vault, { accountId, path, hash })
      await holdMade(db, { accountId, holder: holderOf(id), hash, path })
    },
    release: (taskId) => releaseFiles(db, holderOf(taskId)),
  }
}
