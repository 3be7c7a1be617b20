import { LIMITS } from '../limits.ts'
import { isRecord } from './path.ts'
import { subschemas } from './subschemas.ts'

type Schema = Record<string, unknown>

/** Base of a document that names none; `.invalid` can never be a real address (RFC 2606). */
const NO_BASE = 'https://schema.invalid/'
const documents = new WeakMap<object, SchemaDocument>()

/** The document of a root schema; one schema object is indexed once for as long as it lives. */
export function documentOf(root: Schema): SchemaDocument {
  const known = documents.get(root)
  if (known) return known
  const document = new SchemaDocument(root)
  documents.set(root, document)
  return document
}

/** One schema with everything in it that a `$ref` may name. Nothing outside it is ever looked up. */
export class SchemaDocument {
  /** Whether any part uses `unevaluatedItems` or `unevaluatedProperties`: only then are marks worth keeping. */
  keepsMarks = false
  readonly root: Schema
  private readonly bases = new Map<Schema, string>()
  private readonly named = new Map<string, Schema>()
  private readonly targets = new Map<Schema, unknown>()

  constructor(root: Schema) {
    this.root = root
    this.named.set(NO_BASE, root)
    this.index(root, NO_BASE, 0)
  }

  /** What the `$ref` of a schema names: a schema, or undefined when nothing in the document has that name. */
  target(schema: Schema): unknown {
    if (!this.targets.has(schema)) this.targets.set(schema, this.find(schema))
    return this.targets.get(schema)
  }

  private index(schema: unknown, outer: string, depth: number): void {
    if (!isRecord(schema) || depth > LIMITS.depth || this.bases.has(schema)) return
    const id = typeof schema['$id'] === 'string' ? absolute(schema['$id'], outer) : undefined
    const base = id ?? outer
    this.bases.set(schema, base)
    if (id !== undefined) this.name(id, schema)
    for (const keyword of ['$anchor', '$dynamicAnchor']) {
      const anchor = schema[keyword]
      if (typeof anchor === 'string') this.name(`${base}#${anchor}`, schema)
    }
    this.keepsMarks ||= 'unevaluatedItems' in schema || 'unevaluatedProperties' in schema
    for (const part of subschemas(schema)) this.index(part.schema, base, depth + 1)
  }

  private name(uri: string, schema: Schema): void {
    if (!this.named.has(uri)) this.named.set(uri, schema)
  }

  private find(schema: Schema): unknown {
    const ref = schema['$ref']
    const uri = typeof ref === 'string' ? absolute(ref, this.bases.get(schema) ?? NO_BASE) : undefined
    if (uri === undefined) return undefined
    const [resource = '', fragment = ''] = uri.split('#', 2)
    if (fragment !== '' && !fragment.startsWith('/')) return this.named.get(`${resource}#${decode(fragment)}`)
    const target = follow(this.named.get(resource), decode(fragment))
    // A part under a keyword that holds no schemas by itself becomes one by being referred to.
    this.index(target, resource, 0)
    return target
  }
}

/** Follows a JSON pointer (RFC 6901) through own properties only. */
function follow(root: unknown, pointer: string): unknown {
  let node = root
  for (const part of pointer.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~')
    if (typeof node !== 'object' || node === null || !Object.hasOwn(node, key)) return undefined
    node = (node as Schema)[key]
  }
  return node
}

function absolute(reference: string, base: string): string | undefined {
  if (reference.startsWith('#')) return base.split('#', 1)[0] + reference
  return URL.canParse(reference, base) ? new URL(reference, base).href.replace(/#$/, '') : undefined
}

function decode(fragment: string): string {
  try {
    return decodeURIComponent(fragment)
  } catch {
    return fragment
  }
}
