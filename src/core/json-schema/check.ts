import type { Fault } from '../problem.ts'
import { documentOf, type SchemaDocument } from './document.ts'
import { tooDeep, validate } from './evaluate.ts'
import { DIALECT, METASCHEMA } from './metaschema.ts'
import { childPath, isRecord } from './path.ts'
import { compilePattern } from './patterns/pattern.ts'
import { subschemas } from './subschemas.ts'
import { brief, cut, didYouMean, quoteName } from './wording.ts'

/** `faults` refuse a schema; `warnings` are likely slips in a schema that works. */
export interface SchemaCheck {
  faults: Fault[]
  warnings: Fault[]
}

type Schema = Record<string, unknown>

/** One schema inside the document. `parent` is kept where both apply to the same value. */
interface Part {
  readonly schema: Schema
  readonly path: string
  readonly parent?: Part
}

const MAX_PARTS = 20_000
const MAX_TOLD = 50
const SHOWN_REF = 100
/** Sizes of all patterns together. */
const MAX_PATTERNS = 50_000
/** Schemas and names looked at for all warnings of one check together. */
const MAX_LOOKED_AT = 100_000
const KEYWORDS = Object.keys(METASCHEMA.properties)
const NO_DYNAMIC = 'refer to one schema by $ref instead'

/**
 * Everything that is wrong with a schema, when it is saved. `at` is the path that faults begin with. What
 * passes can be given to `validate`. Never throws; work is linear in the size of the schema.
 */
export function checkSchema(schema: unknown, at: string): SchemaCheck {
  const deep = tooDeep(schema, at, 0)
  if (deep) return { faults: [deep], warnings: [] }
  const faults = validate(METASCHEMA, schema, at)
  if (!isRecord(schema)) return { faults, warnings: [] }
  return new Check(schema, faults).run(at)
}

class Check {
  private readonly document: SchemaDocument
  private readonly faults: Fault[]
  private readonly warnings: Fault[] = []
  private readonly parts = new Map<Schema, Part>()
  private readonly applied = new Map<Schema, Schema[]>()
  private lookedAt = 0
  private patternSize = 0

  constructor(root: Schema, faults: Fault[]) {
    this.document = documentOf(root)
    this.faults = faults
  }

  run(at: string): SchemaCheck {
    this.collect({ schema: this.document.root, path: at })
    if (this.parts.size > MAX_PARTS) {
      this.refuse(at, `holds more than ${MAX_PARTS} schemas`)
      return { faults: this.faults, warnings: [] }
    }
    for (const part of this.parts.values()) {
      this.checkDialect(part)
      this.checkRef(part)
      this.checkPatterns(part)
    }
    this.checkRings()
    if (this.faults.length === 0) for (const part of this.parts.values()) this.warn(part)
    return { faults: this.faults.slice(0, MAX_TOLD), warnings: this.warnings.slice(0, MAX_TOLD) }
  }

  private collect(part: Part): void {
    if (this.parts.has(part.schema) || this.parts.size > MAX_PARTS) return
    this.parts.set(part.schema, part)
    for (const { schema, keyword, key, sameValue } of subschemas(part.schema)) {
      if (!isRecord(schema)) continue
      const below = childPath(part.path, keyword)
      const path = key === undefined ? below : childPath(below, key)
      this.collect({ schema, path, parent: sameValue ? part : undefined })
    }
  }

  private checkDialect({ schema, path }: Part): void {
    const { $schema } = schema
    if (typeof $schema === 'string' && $schema !== DIALECT) {
      this.refuse(`${path}.$schema`, `must be ${DIALECT} or left out, got ${brief($schema)}`)
    }
    for (const name of ['$dynamicRef', '$recursiveRef']) {
      if (Object.hasOwn(schema, name)) this.refuse(`${path}.${name}`, 'is not supported', NO_DYNAMIC)
    }
  }

  private checkRef({ schema, path }: Part): void {
    const { $ref } = schema
    if (typeof $ref !== 'string') return
    const target = this.document.target(schema)
    const where = `${path}.$ref`
    const what = `names ${JSON.stringify(cut($ref, SHOWN_REF))}`
    if (target === undefined) {
      const hint = $ref.startsWith('#') ? undefined : 'put the schema under $defs and refer to #/$defs/<name>'
      this.refuse(where, `${what}, which is not in this schema`, hint)
    } else if (!isRecord(target)) {
      if (typeof target !== 'boolean') this.refuse(where, `${what}, which is not a schema`)
    } else if (!this.parts.has(target)) {
      // It stands where no schema is looked for, so the metaschema has not seen it yet.
      this.faults.push(...validate(METASCHEMA, target, where))
      this.collect({ schema: target, path: where })
    }
  }

  private checkPatterns({ schema, path }: Part): void {
    const { pattern, patternProperties } = schema
    if (typeof pattern === 'string') this.checkPattern(pattern, `${path}.pattern`)
    if (!isRecord(patternProperties)) return
    const below = `${path}.patternProperties`
    for (const source of Object.keys(patternProperties)) this.checkPattern(source, childPath(below, source))
  }

  private checkPattern(source: string, path: string): void {
    if (this.patternSize > MAX_PATTERNS) return
    const compiled = compilePattern(source)
    if (!compiled.ok) this.refuse(path, `the pattern ${compiled.message}`)
    else this.patternSize += 1 + compiled.pattern.size
    if (this.patternSize > MAX_PATTERNS) this.refuse(path, 'the patterns are too large together')
  }

  /** Refuses references that lead back to where they began without going a step into the value. */
  private checkRings(): void {
    const done = new Set<Schema>()
    const open = new Set<Schema>()
    for (const root of this.parts.keys()) {
      const stack = [root]
      while (stack.length > 0) {
        const schema = stack.at(-1) ?? root
        if (open.has(schema) || done.has(schema)) {
          open.delete(schema)
          done.add(schema)
          stack.pop()
          continue
        }
        open.add(schema)
        for (const next of this.alsoApplied(schema)) {
          if (open.has(next))
            this.refuse(this.pathOf(schema), 'refers back to itself without going into the value')
          else if (!done.has(next)) stack.push(next)
        }
      }
    }
  }

  /** The schemas that apply to the same value as this one. */
  private alsoApplied(schema: Schema): Schema[] {
    const known = this.applied.get(schema)
    if (known) return known
    const inside = subschemas(schema).flatMap((part) => (part.sameValue ? [part.schema] : []))
    const applied = [...inside, this.document.target(schema)].filter(isRecord)
    this.applied.set(schema, applied)
    return applied
  }

  private warn(part: Part): void {
    if (this.warnings.length >= MAX_TOLD) return
    const { schema, path } = part
    const { required } = schema
    const declared =
      Array.isArray(required) && !('patternProperties' in schema) ? this.declared(part) : undefined
    for (const name of declared && Array.isArray(required) ? required : []) {
      if (declared?.has(name)) continue
      const message = `names ${quoteName(String(name))}, which properties does not declare`
      this.warnings.push({ path: `${path}.required`, message })
    }
    for (const name of Object.keys(schema)) this.warnOfSlip(name, path)
  }

  private warnOfSlip(name: string, path: string): void {
    if (KEYWORDS.includes(name) || !this.mayLookAt(KEYWORDS.length)) return
    const hint = didYouMean(name, KEYWORDS)
    const message = 'is not a keyword of JSON Schema and has no effect'
    if (hint !== undefined) this.warnings.push({ path: childPath(path, name), message, hint })
  }

  /** The names that any schema which applies to the same value declares; undefined when there are too many. */
  private declared(part: Part): Set<unknown> | undefined {
    const names = new Set<unknown>()
    const seen = new Set<Schema>()
    const stack: Schema[] = []
    for (let one: Part | undefined = part; one; one = one.parent) stack.push(one.schema)
    for (let schema = stack.pop(); schema; schema = stack.pop()) {
      if (seen.has(schema)) continue
      seen.add(schema)
      const own = isRecord(schema['properties']) ? Object.keys(schema['properties']) : []
      if (!this.mayLookAt(1 + own.length)) return undefined
      for (const name of own) names.add(name)
      stack.push(...this.alsoApplied(schema))
    }
    return names
  }

  private mayLookAt(amount: number): boolean {
    this.lookedAt += amount
    return this.lookedAt <= MAX_LOOKED_AT
  }

  private pathOf(schema: Schema): string {
    const path = this.parts.get(schema)?.path ?? ''
    return Object.hasOwn(schema, '$ref') ? `${path}.$ref` : path
  }

  private refuse(path: string, message: string, hint?: string): void {
    this.faults.push(hint === undefined ? { path, message } : { path, message, hint })
  }
}
