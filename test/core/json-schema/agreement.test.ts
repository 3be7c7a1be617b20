import { Validator, type Schema } from '@cfworker/json-schema'
import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { checkSchema, validate } from '../../../src/core/json-schema/index.ts'

const KEYWORDS =
  '$ref $id $anchor $defs type enum const properties patternProperties required items prefixItems contains anyOf oneOf allOf not if then pattern format minLength multipleOf uniqueItems dependencies unevaluatedProperties unevaluatedItems'.split(
    ' ',
  )
const NAMES = fc.constantFrom('a', 'b', 'c', '__proto__', 'toString')
const SMALL = fc.nat({ max: 3 })

const values = fc.letrec((tie) => ({
  scalar: fc.oneof(
    fc.constantFrom(null, true, false, 0, 1, 1.5, -2, '', 'a', 'bc', '🧪'),
    fc.integer({ min: -3, max: 3 }),
  ),
  list: fc.array(tie('any'), { maxLength: 4 }),
  object: fc.array(fc.tuple(NAMES, tie('any')), { maxLength: 4 }).map(fromEntries),
  any: fc.oneof({ depthSize: 'small' }, tie('scalar'), tie('list'), tie('object')),
})).any

/** Like `JSON.parse`: every name becomes an own property, `__proto__` too. */
function fromEntries(entries: [string, unknown][]): unknown {
  return Object.fromEntries(entries)
}

/** Schemas of every keyword that both validators have, patterns and formats aside. */
const schemas = fc.letrec((tie) => {
  const schema = tie('schema')
  const some = fc.array(schema, { minLength: 1, maxLength: 3 })
  const named = fc.array(fc.tuple(NAMES, schema), { maxLength: 3 }).map(fromEntries)
  const types = fc.constantFrom('null', 'boolean', 'object', 'array', 'number', 'string', 'integer')
  const keywords = {
    type: fc.oneof(types, fc.uniqueArray(types, { minLength: 1, maxLength: 3 })),
    enum: fc.array(values, { maxLength: 4 }),
    const: values,
    minimum: SMALL,
    exclusiveMaximum: SMALL,
    multipleOf: fc.constantFrom(0.5, 1, 2),
    minLength: SMALL,
    maxLength: SMALL,
    properties: named,
    additionalProperties: schema,
    unevaluatedProperties: schema,
    propertyNames: schema,
    required: fc.uniqueArray(NAMES, { maxLength: 2 }),
    minProperties: SMALL,
    maxProperties: SMALL,
    dependentRequired: fc.array(fc.tuple(NAMES, fc.uniqueArray(NAMES)), { maxLength: 2 }).map(fromEntries),
    dependentSchemas: named,
    prefixItems: some,
    items: schema,
    unevaluatedItems: schema,
    contains: schema,
    minContains: SMALL,
    maxContains: SMALL,
    minItems: SMALL,
    maxItems: SMALL,
    uniqueItems: fc.boolean(),
    allOf: some,
    anyOf: some,
    oneOf: some,
    not: schema,
    if: schema,
    then: schema, // oxlint-disable-line unicorn/no-thenable -- a keyword
    else: schema,
  }
  const entries = Object.entries<fc.Arbitrary<unknown>>(keywords).map(([name, argument]) =>
    fc.tuple(fc.constant(name), argument),
  )
  const few = fc.array(fc.oneof(...entries), { maxLength: 4 }).map(fromEntries)
  return { schema: fc.oneof({ depthSize: 'small', withCrossShrink: true }, fc.boolean(), few) }
}).schema

describe('our validator', () => {
  it('agrees with @cfworker/json-schema, a second opinion, on random schemas and values', () => {
    fc.assert(
      fc.property(schemas, values, (schema, value) => {
        const theirs = new Validator(structuredClone(schema) as Schema, '2020-12').validate(value).valid
        expect(validate(schema, value, 'value').length === 0).toBe(theirs)
      }),
      { numRuns: 3_000 },
    )
  })

  it('accepts these schemas when they are saved', () => {
    fc.assert(
      fc.property(schemas, (schema) => {
        expect(checkSchema(schema, 'schema').faults).toEqual([])
      }),
    )
  })

  it('throws on no schema and no value whatsoever', () => {
    const keywords = fc.constantFrom(...KEYWORDS)
    const texts = fc.constantFrom(
      '#',
      '#/$defs/a',
      '#a',
      'a',
      '(',
      'string',
      'namespace-file',
      '__proto__',
      'http://[',
    )
    const anything = fc.letrec((tie) => ({
      any: fc.oneof(
        { depthSize: 'small' },
        fc.oneof(texts, fc.boolean(), fc.double(), fc.constant(null)),
        fc.array(tie('any'), { maxLength: 3 }),
        fc.array(fc.tuple(fc.oneof(keywords, texts), tie('any')), { maxLength: 4 }).map(fromEntries),
      ),
    })).any
    fc.assert(
      fc.property(anything, fc.oneof(anything, fc.anything()), (schema, value) => {
        expect(Array.isArray(checkSchema(schema, 'schema').faults)).toBe(true)
        expect(Array.isArray(validate(schema, value, 'value'))).toBe(true)
      }),
      { numRuns: 5_000 },
    )
  })
})
