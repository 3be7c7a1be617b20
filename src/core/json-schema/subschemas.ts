import { isRecord } from './path.ts'

/** Where schemas stand inside a schema (draft 2020-12, with the two older names that its metaschema keeps). */
const ONE = new Set([
  'additionalProperties',
  'contains',
  'contentSchema',
  'else',
  'if',
  'items',
  'not',
  'propertyNames',
  'then',
  'unevaluatedItems',
  'unevaluatedProperties',
])
const LIST = new Set(['allOf', 'anyOf', 'oneOf', 'prefixItems'])
const MAP = new Set([
  '$defs',
  'definitions',
  'dependencies',
  'dependentSchemas',
  'patternProperties',
  'properties',
])

/** Keywords that apply their schemas to the very value that the schema itself is applied to. */
const SAME_VALUE = new Set([
  'allOf',
  'anyOf',
  'dependencies',
  'dependentSchemas',
  'else',
  'if',
  'not',
  'oneOf',
  'then',
])

export interface Subschema {
  readonly schema: unknown
  readonly keyword: string
  /** Below the keyword: an index of a list, a name of a map. */
  readonly key?: string | number
  readonly sameValue: boolean
}

/** The schemas directly inside a schema. */
export function subschemas(schema: Record<string, unknown>): Subschema[] {
  const found: Subschema[] = []
  for (const keyword of Object.keys(schema)) {
    const argument = schema[keyword]
    const sameValue = SAME_VALUE.has(keyword)
    if (ONE.has(keyword)) found.push({ schema: argument, keyword, sameValue })
    else if (LIST.has(keyword) && Array.isArray(argument)) {
      for (const [key, part] of argument.entries()) found.push({ schema: part, keyword, key, sameValue })
    } else if (MAP.has(keyword) && isRecord(argument)) {
      for (const key of Object.keys(argument)) found.push({ schema: argument[key], keyword, key, sameValue })
    }
  }
  return found
}
