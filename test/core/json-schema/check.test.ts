import { describe, expect, it } from 'vitest'
import { checkSchema } from '../../../src/core/json-schema/index.ts'

const AT = 'descriptor.input_schema'

function faultsOf(schema: unknown): Record<string, string> {
  return Object.fromEntries(checkSchema(schema, AT).faults.map(({ path, message }) => [path, message]))
}

describe('checkSchema', () => {
  it('tells all faults at once, each with its place', () => {
    const schema = {
      type: 'strng',
      properties: {
        a: { minLength: -1 },
        b: 5,
        c: { $ref: '#/$defs/Missing' },
        'odd.name': { pattern: '(?=a)' },
        list: { prefixItems: [{ type: 7 }] },
      },
      required: ['a', 'b', 'a'],
    }
    expect(faultsOf(schema)).toEqual({
      [`${AT}.properties.a.minLength`]: 'must be at least 0, got -1',
      [`${AT}.properties.b`]: 'must be an object or true or false, got 5',
      [`${AT}.properties.list.prefixItems[0].type`]: expect.stringMatching(/^must be "array".*got 7$/),
      [`${AT}.type`]: expect.stringMatching(/^must be "array", .*"string" or an array, got "strng"$/),
      [`${AT}.required`]: 'must not hold the same item twice: [0] and [2]',
      [`${AT}.properties.c.$ref`]: 'names "#/$defs/Missing", which is not in this schema',
      [`${AT}.properties["odd.name"].pattern`]: 'the pattern uses look-ahead, at character 1',
    })
  })

  it('names the type that was meant', () => {
    expect(checkSchema({ type: 'strng' }, AT).faults[0]?.hint).toBe('did you mean "string"?')
  })

  it.each([[true], [false], [{}], [{ $schema: 'https://json-schema.org/draft/2020-12/schema' }]])(
    'accepts %j',
    (schema) => {
      expect(checkSchema(schema, AT)).toEqual({ faults: [], warnings: [] })
    },
  )

  it.each([[null], [5], ['object'], [[]], [undefined]])('refuses %j: not a schema', (schema) => {
    expect(faultsOf(schema)[AT]).toMatch(/^must be an object or true or false, got /)
  })

  it.each([
    ['#', { properties: { child: { $ref: '#' } } }],
    ['a pointer', { $ref: '#/$defs/a', $defs: { a: {} } }],
    ['a pointer with escapes', { $ref: '#/$defs/a~1b%25', $defs: { 'a/b%': {} } }],
    ['an anchor', { $ref: '#here', $defs: { a: { $anchor: 'here' } } }],
    ['an $id in the document', { $ref: 'part', $defs: { a: { $id: 'part' } } }],
    ['a part under an unknown keyword', { $ref: '#/components/a', components: { a: { type: 'string' } } }],
    ['true', { $ref: '#/$defs/a', $defs: { a: true } }],
  ])('resolves a $ref to %s', (_what, schema) => {
    expect(faultsOf(schema)).toEqual({})
  })

  it.each([
    ['#/$defs/toString', 'is not in this schema'],
    ['#/__proto__', 'is not in this schema'],
    ['#/type', 'is not a schema'],
    ['#nowhere', 'is not in this schema'],
    ['https://example.com/schema.json', 'is not in this schema'],
    ['https://json-schema.org/draft/2020-12/schema', 'is not in this schema'],
    ['http://[', 'is not in this schema'],
  ])('refuses a $ref to %s', ($ref, why) => {
    expect(faultsOf({ type: 'object', $defs: {}, $ref })[`${AT}.$ref`]).toContain(why)
  })

  it('looks into a part that is a schema only because a $ref names it', () => {
    const schema = { $ref: '#/components/a', components: { a: { type: 'nope', $ref: '#/gone' } } }
    expect(Object.keys(faultsOf(schema))).toEqual([`${AT}.$ref.type`, `${AT}.$ref.$ref`])
  })

  it.each([
    ['itself', { $ref: '#' }, ''],
    ['a ring of two', { $defs: { a: { $ref: '#/$defs/b' }, b: { $ref: '#/$defs/a' } } }, '.$defs.b'],
    ['a ring by allOf', { $defs: { a: { allOf: [{ $ref: '#/$defs/a' }] } } }, '.$defs.a.allOf[0]'],
    ['a ring by not', { not: { $ref: '#' } }, '.not'],
  ])('refuses references that go round: %s', (_what, schema, where) => {
    expect(faultsOf(schema)).toEqual({ [`${AT}${where}.$ref`]: expect.stringContaining('back to itself') })
  })

  it.each([
    ['a tree', { properties: { children: { items: { $ref: '#' } } } }],
    ['endless data', { required: ['next'], properties: { next: { $ref: '#' } } }],
    ['a diamond', { allOf: [{ $ref: '#/$defs/a' }, { $ref: '#/$defs/a' }], $defs: { a: {} } }],
  ])('accepts references that go into the value: %s', (_what, schema) => {
    expect(faultsOf(schema)).toEqual({})
  })

  it('refuses dynamic references and other dialects', () => {
    const draft7 = 'http://json-schema.org/draft-07/schema#'
    const schema = { $schema: draft7, items: { $dynamicRef: '#a' }, not: { $recursiveRef: '#' } }
    expect(Object.keys(faultsOf(schema))).toEqual([
      `${AT}.$schema`,
      `${AT}.items.$dynamicRef`,
      `${AT}.not.$recursiveRef`,
    ])
  })

  it('does not take data for schemas', () => {
    const data = { $ref: '#/gone', type: 'nope', pattern: '(?=' }
    expect(faultsOf({ const: data, enum: [data], default: data, examples: [data] })).toEqual({})
    expect(faultsOf({ properties: { $ref: { type: 'string' }, pattern: { type: 'string' } } })).toEqual({})
  })

  it('warns of required names that nothing declares', () => {
    const schema = {
      properties: { a: {} },
      required: ['a', 'tostring'],
      anyOf: [{ required: ['a'] }, { required: ['b'] }],
      allOf: [{ properties: { c: {} } }, { $ref: '#/$defs/d' }],
      dependentRequired: {},
      $defs: { d: { properties: { d: {} }, required: ['c', 'd'] } },
    }
    expect(checkSchema(schema, AT)).toEqual({
      faults: [],
      warnings: [
        { path: `${AT}.required`, message: 'names "tostring", which properties does not declare' },
        { path: `${AT}.anyOf[1].required`, message: 'names "b", which properties does not declare' },
        { path: `${AT}.$defs.d.required`, message: 'names "c", which properties does not declare' },
      ],
    })
  })

  it('warns of a keyword that is nearly one', () => {
    expect(checkSchema({ type: 'object', requried: ['a'] }, AT).warnings).toEqual([
      {
        path: `${AT}.requried`,
        message: 'is not a keyword of JSON Schema and has no effect',
        hint: 'did you mean "required"?',
      },
    ])
    expect(checkSchema({ 'x-order': 1, nullable: true }, AT).warnings).toEqual([])
  })
})

describe('checkSchema with hostile schemas', () => {
  function nested(levels: number): unknown {
    let schema: unknown = {}
    for (let level = 1; level < levels; level += 1) schema = { not: schema }
    return schema
  }

  it('takes 64 levels and no more', () => {
    expect(faultsOf(nested(64))).toEqual({})
    expect(Object.values(faultsOf(nested(65)))).toEqual(['is more than 64 levels deep'])
    expect(Object.values(faultsOf(nested(20_000)))).toEqual(['is more than 64 levels deep'])
  })

  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i))
  const named = (count: number, make: (index: number) => unknown): Record<string, unknown> =>
    Object.fromEntries(many(count, (index) => [`n${index}`, make(index)]))

  it.each([
    [
      'a long chain of references',
      { $defs: named(5_000, (i) => (i < 4_999 ? { $ref: `#/$defs/n${i + 1}` } : {})) },
    ],
    [
      'thousands of undeclared names',
      { properties: named(9_000, () => ({})), required: many(9_000, (i) => `q${i}`) },
    ],
    ['thousands of large patterns', { properties: named(5_000, (i) => ({ pattern: `a{900}b${i}` })) }],
    ['thousands of faults', { properties: named(9_000, () => 5) }],
    ['a long list', { enum: many(60_000, (i) => i) }],
    ['thousands of strange keywords', named(9_000, () => 1)],
    [
      'a chain where each adds a name',
      { $defs: named(3_000, (i) => ({ required: [`x${i}`], $ref: '#/$defs/n2999' })) },
    ],
  ])('is done soon with %s', (_what, schema) => {
    const start = performance.now()
    const { faults, warnings } = checkSchema(schema, AT)
    expect(performance.now() - start).toBeLessThan(2_000)
    expect(faults.length + warnings.length).toBeLessThanOrEqual(100)
  })

  it('treats __proto__ and constructor as names like any other', () => {
    const text =
      '{"properties":{"__proto__":{"type":"nope"},"constructor":{"type":"string"}},"required":["toString"]}'
    const { faults } = checkSchema(JSON.parse(text), AT)
    expect(faults.map(({ path }) => path)).toEqual([`${AT}.properties.__proto__.type`])
  })
})
