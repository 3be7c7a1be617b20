import { parseSelector, select } from '../selector.ts'
import type { CheckResult } from './checks/index.ts'
import type { Descriptor } from './descriptor/descriptor.ts'

export type SampleState = 'working' | 'passed' | 'failed'

/** One version of a tool as the catalogue holds it. */
export interface ToolVersion {
  /** Row of the version. */
  id: number
  toolRow: string
  /** `tool:<slug>` as its maker spelled it. */
  toolId: string
  version: number
  hash: string
  descriptor: Descriptor
  codeHash: string | null
  sampleState: SampleState
  sampleTaskId: string | null
  createdAt: number
}

/** Which version of which own tool a text names; null when it cannot name one. */
export interface ToolRef {
  slugKey: string
  pin: { number: number } | { hash: string } | null
}

const REF =
  /^tool:(?:([a-z][a-z0-9-]{1,30})\/)?([A-Za-z][A-Za-z0-9_-]{0,62})(?:@(?:([1-9]\d{0,8})|([0-9a-f]{64})))?$/

/** Reads `tool:<slug>`, `tool:<own handle>/<slug>`, each with `@<number>` or `@<hash>` to pin a version. */
export function parseToolRef(text: string, handle: string): ToolRef | null {
  const [whole, maker, slug, number, hash] = REF.exec(text) ?? []
  if (whole === undefined || slug === undefined || (maker !== undefined && maker !== handle)) return null
  const pin = number ? { number: Number(number) } : hash ? { hash } : null
  return { slugKey: slug.toLowerCase(), pin }
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

/** What a save says of the sample run. */
export interface SampleCheck {
  passed: boolean
  state: string
  task_id: string | null
  output?: unknown
  checks: CheckResult[]
  took_ms: number | null
}
