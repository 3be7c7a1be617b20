import { RE2JS } from 're2js'
import { translate } from './syntax.ts'

export interface Pattern {
  /** Whether the pattern is found anywhere in a text, in time linear in its length. */
  test(text: string): boolean
  /** Steps of the work budget that a test of this text may take. */
  work(text: string): number
}

export type CompiledPattern = { ok: true; pattern: Pattern } | { ok: false; message: string }

const KEPT = 100
const kept = new Map<string, CompiledPattern>()

/** Compiles a pattern for RE2JS, a linear-time engine: no pattern can hang. The last hundred are kept. */
export function compilePattern(source: string): CompiledPattern {
  const known = kept.get(source)
  if (known) return known
  const compiled = compile(source)
  const [oldest] = kept.keys()
  if (kept.size >= KEPT && oldest !== undefined) kept.delete(oldest)
  kept.set(source, compiled)
  return compiled
}

function compile(source: string): CompiledPattern {
  const translated = translate(source)
  if (!translated.ok) return translated
  try {
    const engine = RE2JS.compile(translated.text)
    const pattern = {
      test: (text: string) => engine.test(text),
      work: (text: string) => 1 + (text.length * translated.size) / 64,
    }
    return { ok: true, pattern }
  } catch {
    return { ok: false, message: 'is not a regular expression that can be compiled' }
  }
}
