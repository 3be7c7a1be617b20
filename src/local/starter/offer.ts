import { existsSync, readFileSync, writeFileSync } from 'node:fs'
import { createAccount } from '../../core/accounts/create.ts'
import type { Db } from '../../db/client.ts'
import { source } from '../accounts.ts'
import type { DataFolder } from '../folder.ts'
import { publishStarterSet, tell } from './publish.ts'
import { setDigest } from './set.ts'

/** Whose the starter set is on this machine. */
const HANDLE = 'workshop'

/** `<data>/starter.json`, readable by its owner alone. */
interface StarterFile {
  token: string
  /** Of the set that was published whole; a later start has nothing to do for it. */
  digest?: string
}

/** Publishes the starter set when it is not what this folder has. Says what came of it, and never stops the start. */
export async function offerStarterSet(
  { db, folder }: { db: Db; folder: DataFolder },
  mcpUrl: string,
  signal: AbortSignal,
): Promise<void> {
  try {
    const path = folder.file('starter.json')
    const known: StarterFile = existsSync(path)
      ? JSON.parse(readFileSync(path, 'utf8'))
      : { token: (await createAccount(db, source, HANDLE)).token }
    const digest = setDigest()
    if (known.digest === digest) return
    const keep = (file: StarterFile) => writeFileSync(path, `${JSON.stringify(file)}\n`, { mode: 0o600 })
    keep({ token: known.token })
    const began = performance.now()
    const outcome = await publishStarterSet({ mcpUrl, token: known.token }, signal)
    if (outcome.failed.length === 0) keep({ token: known.token, digest })
    const took = ((performance.now() - began) / 1000).toFixed(1)
    console.log(`Starter set (account "${HANDLE}", ${took} s): ${tell(outcome)}`)
  } catch (error) {
    if (signal.aborted) return
    console.error(`The starter set is left out: ${error instanceof Error ? error.message : String(error)}`)
  }
}
