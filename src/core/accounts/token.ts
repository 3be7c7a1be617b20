import type { Scope } from '../caller.ts'
import { sha256Hex, toHex, type Source } from '../ids.ts'

/** A personal access token as it is shown once, `wks_pat_<16 hex>_<48 hex>`, and what is kept of it. */
export interface NewToken {
  text: string
  id: string
  secretSha256: string
}

const SHAPE = /^wks_pat_([0-9a-f]{16})_([0-9a-f]{48})$/

export const TOKEN_DAYS = 90

export async function makeToken(source: Source): Promise<NewToken> {
  const id = toHex(source.random(8))
  const secret = toHex(source.random(24))
  return { text: `wks_pat_${id}_${secret}`, id, secretSha256: await sha256Hex(secret) }
}

/** The parts of a token, or null when the text cannot be one. */
export function parseToken(text: string): { id: string; secret: string } | null {
  const [, id, secret] = SHAPE.exec(text) ?? []
  return id && secret ? { id, secret } : null
}

/** What a token row opens, and until when. */
export interface TokenRow {
  accountId: string
  handle: string
  name: string
  secretSha256: string
  scopes: Scope[]
  expiresAt: number
  lastUsedAt: number | null
}
