import { toHex } from '../../ids.ts'
import type { Outputs } from './wheel.ts'

const PREVIEW_CHARS = 2_000

const keyOf = (identity: string): string => `files/${identity.replace(/^1f:/, '')}`

/** Keeps outputs in R2 under the hash of their JSON, each once. */
export const outputsIn = (bytes: R2Bucket): Outputs => ({
  async keep(json) {
    const data = new TextEncoder().encode(json)
    const hash = toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)))
    const identity = `1f:${hash}`
    await bytes.put(keyOf(identity), data, { onlyIf: { etagDoesNotMatch: '*' }, sha256: hash })
    return { identity, size: data.length, preview: json.slice(0, PREVIEW_CHARS).toWellFormed() }
  },
  async load({ identity }) {
    const object = await bytes.get(keyOf(identity))
    if (!object) throw new Error(`the output ${identity} is gone`)
    return object.json()
  },
})
