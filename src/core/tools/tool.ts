import { parseSelector, select } from '../selector.ts'
import type { Descriptor } from './descriptor/descriptor.ts'

export type SampleState = 'working' | 'passed' | 'failed'

/** Daily runs of a published sample that must fail in a row before the tool is marked as failing. */
export const FAILING_FROM = 3

/** One version of a tool as the catalogue holds it. */
export interface ToolVersion {
  /** Row of the version. */
  id: number
  toolRow: string
  /** `tool:<slug>` to its own account, `tool:<handle>/<slug>` to every other. */
  toolId: string
  /** Handle of the account that saved it. */
  maker: string
  isOwn: boolean
  version: number
  hash: string
  descriptor: Descriptor
  codeHash: string | null
  sampleState: SampleState
  sampleTaskId: string | null
  createdAt: number
  /** When every account could first have it; null: never yet. */
  publishedAt: number | null
  /** Published tools of others with names like its own. */
  similarTo: string[] | null
  /** Since when the daily runs of its sample fail; null: they pass. Then `sampleState` is `failed` too. */
  failingSince: number | null
}

/** Which version of which tool a text names. */
export interface ToolRef {
  /** Handle of another account; null: one's own. */
  maker: string | null
  slugKey: string
  pin: { number: number } | { hash: string } | null
}

const REF =
  /^tool:(?:([a-z][a-z0-9-]{1,30})\/)?([A-Za-z][A-Za-z0-9_-]{0,62})(?:@(?:([1-9]\d{0,8})|([0-9a-f]{64})))?$/

/** Reads `tool:<slug>` or `tool:<handle>/<slug>`, each with `@<number>` or `@<hash>` to pin a version; null: neither. */
export function parseToolRef(text: string, handle: string): ToolRef | null {
  const [, maker = handle, slug, number, hash] = REF.exec(text) ?? []
  if (slug === undefined) return null
  const pin = number ? { number: Number(number) } : hash ? { hash } : null
  return { maker: maker === handle ? null : maker, slugKey: slug.toLowerCase(), pin }
}

/** Where the code of a version is kept. */
export const codeKey = (hash: string): string => `code/${hash}`

/** The code of a version, as an uncompressed tar. Throws when its bytes are gone. */
export async function openCode(bytes: R2Bucket, hash: string): Promise<R2ObjectBody> {
  const object = await bytes.get(codeKey(hash))
  if (!object) throw new Error(`the code ${hash} is gone`)
  return object
}

/** The part of an output that a caller asked for. */
export function selectOutput(text: string, output: unknown): ReturnType<typeof select> {
  const parsed = parseSelector(text)
  return parsed.ok ? select(parsed.selector, output) : { found: false, message: parsed.message }
}
