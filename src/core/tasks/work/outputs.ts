import { keepData, type Vault } from '../../files/bytes/keep.ts'
import { bytesKey, hashOf, identityOf } from '../../files/identity.ts'
import { holdMade } from '../../files/store.ts'
import { LIMITS } from '../../limits.ts'
import type { Outputs } from './wheel.ts'

/** Keeps outputs in R2 under the hash of their JSON, each once; the task holds it. */
export const outputsIn = (vault: Vault): Outputs => ({
  async keep(json, { id, accountId }) {
    const { hash, size } = await keepData(vault, new TextEncoder().encode(json))
    await holdMade(vault.db, { accountId, holder: `task:${id}`, hash, path: `outputs/${id}.json` })
    return { identity: identityOf(hash), size, preview: json.slice(0, LIMITS.previewChars).toWellFormed() }
  },
  async load({ identity }) {
    const object = await vault.bytes.get(bytesKey(hashOf(identity) ?? ''))
    return object && { output: await object.json() }
  },
})
