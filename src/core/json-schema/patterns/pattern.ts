import { RE2JS } from 're2js'
import { translate } from './syntax.ts'

export interface Pattern {
  /** About how many states its machine has: what compiling it costs. */
  readonly size: number
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
  const { text, size } = translated
  try {
    const engine = RE2JS.compile(text)
    const work = (input: string): number => 1 + (input.length * size) / 64
    return { ok: true, pattern: { size, work, test: (input) => engine.test(input) } }
  } catch (error) {
    const reason =
      error instanceof Error ? error.message.replace(/^error parsing regexp: /, '').slice(0, 80) : ''
    return { ok: false, message: `cannot be compiled (${reason})` }
  }
}
