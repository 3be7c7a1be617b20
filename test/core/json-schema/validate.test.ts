import { describe, expect, it } from 'vitest'
import { checkSchema, isFileIdentity, validate } from '../../../src/core/json-schema/index.ts'

/** Faults as text: `path message (hint)`. */
function told(schema: unknown, value: unknown): string[] {
  return validate(schema, value, 'input').map(
    ({ path, message, hint }) => `${path} ${message}${hint === undefined ? '' : ` (${hint})`}`,
  )
}

describe('validate tells which field and why', () => {
  const schema = {
    type: 'object',
    properties: {
      text: { type: 'string', minLength: 1, maxLength: 5 },
      count: { type: 'integer', minimum: 0, exclusiveMaximum: 10 },
      mode: { enum: ['fast', 'careful', 3] },
      tags: { type: 'array', items: { type: 'string', pattern: '^[a-z]+$' }, maxItems: 2, uniqueItems: true },
      size: { type: 'object', properties: { 'wide.ness': { type: 'number' } }, minProperties: 1 },
    },
    required: ['text'],
    additionalProperties: false,
  }

  it.each([
    [{}, ['input.text is required']],
    [{ text: 'ok' }, []],
    [{ text: 5 }, ['input.text must be a string, got 5']],
    [{ text: '' }, ['input.text must have at least 1 character, has 0']],
    [{ text: 'too long' }, ['input.text must have at most 5 characters, has 8']],
    [{ text: 'a', count: '1' }, ['input.count must be a whole number, got a string']],
    [{ text: 'a', count: 1.5 }, ['input.count must be a whole number, got 1.5']],
    [{ text: 'a', count: -1 }, ['input.count must be at least 0, got -1']],
    [{ text: 'a', count: 10 }, ['input.count must be less than 10, got 10']],
    [
      { text: 'a', mode: 'Fast' },
      ['input.mode must be "fast", "careful" or 3, got "Fast" (did you mean "fast"?)'],
    ],
    [{ text: 'a', tags: ['b', 'B'] }, ['input.tags[1] must match the pattern ^[a-z]+$, got "B"']],
    [{ text: 'a', tags: ['b', 'b'] }, ['input.tags must not hold the same item twice: [0] and [1]']],
    [{ text: 'a', tags: ['a', 'b', 'c'] }, ['input.tags must have at most 2 items, has 3']],
    [{ text: 'a', size: { 'wide.ness': null } }, ['input.size["wide.ness"] must be a number, got null']],
    [{ text: 'a', size: {} }, ['input.size must have at least 1 field, has 0']],
    [
      { txet: 'a' },
      [
        'input.text is required',
        'input.txet is not a known field; known: text, count, mode, tags, size (did you mean "text"?)',
      ],
    ],
    [null, ['input must be an object, got null']],
    [[], ['input must be an object, got an array']],
  ])('%j', (value, faults) => {
    expect(told(schema, value)).toEqual(faults)
  })

  it.each([
    [false, 1, ['input is not allowed']],
    [{ const: { a: [1] } }, { a: [2] }, ['input must be {"a":[1]}, got {"a":[2]}']],
    [{ const: 'x' }, 'y', ['input must be "x", got "y"']],
    [{ multipleOf: 0.01 }, 4.351, ['input must be a multiple of 0.01, got 4.351']],
    [{ items: false, prefixItems: [true] }, [1, 2], ['input must have at most 1 item, has 2']],
    [{ contains: { type: 'string' } }, [1], ['input must have at least 1 item that fit "contains", has 0']],
    [
      { propertyNames: { maxLength: 1 } },
      { ab: 1 },
      ['input.ab as a name: must have at most 1 character, has 2'],
    ],
    [{ dependentRequired: { a: ['b'] } }, { a: 1 }, ['input.b is required when "a" is given']],
    [{ dependencies: { a: ['b'] } }, { a: 1 }, ['input.b is required when "a" is given']],
    [{ not: { type: 'null' } }, null, ['input has a form that the schema rules out ("not")']],
    [
      { oneOf: [true, true] },
      1,
      ['input must fit exactly one of the 2 allowed forms, fits oneOf[0], oneOf[1]'],
    ],
    [{ anyOf: [{ type: 'string' }, { type: 'null' }] }, 5, ['input must be a string or null, got 5']],
    [{ anyOf: [{ const: 'a' }, { enum: ['b', 'c'] }] }, 'd', ['input must be "a", "b" or "c", got "d"']],
    [
      { if: { type: 'string' }, then: { minLength: 2 } }, // oxlint-disable-line unicorn/no-thenable -- a keyword
      'a',
      ['input must have at least 2 characters, has 1'],
    ],
  ])('%j with %j', (schema, value, faults) => {
    expect(told(schema, value)).toEqual(faults)
  })

  it('tells of several forms the one that comes closest', () => {
    const circle = {
      properties: { kind: { const: 'circle' }, radius: { type: 'number' } },
      required: ['kind', 'radius'],
    }
    const square = {
      properties: { kind: { const: 'square' }, side: { type: 'number' } },
      required: ['kind', 'side'],
    }
    const schema = { oneOf: [{ type: 'string' }, circle, square] }
    expect(told(schema, { kind: 'square', side: 'x' })).toEqual([
      'input.side must be a number, got a string (or another of the 3 allowed forms)',
    ])
  })

  it('leaves out what a wrong field would only seem to make unknown', () => {
    const schema = { allOf: [{ properties: { a: { type: 'string' } } }], unevaluatedProperties: false }
    expect(told(schema, { a: 1 })).toEqual(['input.a must be a string, got 1'])
    expect(told(schema, { a: 'x', b: 1 })).toEqual(['input.b is not a known field'])
  })

  it('never repeats much of a value', () => {
    const long = 'x'.repeat(100_000)
    const schemas = [
      { type: 'number' },
      { enum: ['a'] },
      { const: 1 },
      { pattern: '^y' },
      { maxLength: 3 },
      { additionalProperties: false },
      { propertyNames: { pattern: '^y' } },
      { items: { const: 1 } },
      { anyOf: [{ const: 1 }, { const: 2 }] },
    ]
    for (const schema of schemas) {
      for (const value of [long, { [long]: long }, [long], [[long]]]) {
        expect(JSON.stringify(validate(schema, value, 'input')).length).toBeLessThan(400)
      }
    }
  })

  it('tells at most twenty faults, each once', () => {
    const value = Array.from({ length: 1_000 }, (_, index) => index)
    expect(validate({ items: { type: 'string' } }, value, 'input')).toHaveLength(20)
    expect(told({ allOf: [{ type: 'string' }, { type: 'string' }] }, 1)).toEqual([
      'input must be a string, got 1',
    ])
  })

  it('knows own properties only', () => {
    expect(told({ required: ['toString', '__proto__'] }, {})).toEqual([
      'input.toString is required',
      'input.__proto__ is required',
    ])
    const value: unknown = JSON.parse('{"__proto__": {"admin": true}}')
    expect(told({ properties: { a: {} }, additionalProperties: false }, value)).toEqual([
      'input.__proto__ is not a known field; known: a',
    ])
    const typed: unknown = JSON.parse('{"properties": {"__proto__": {"type": "string"}}}')
    expect(told(typed, value)).toEqual(['input.__proto__ must be a string, got an object'])
    expect(told({ properties: { constructor: { type: 'number' } } }, {})).toEqual([])
  })

  it.each([4.35, 8.2, 1.15, 0.07, 1_658_529_657_949, 0, 1e20, 1e-2])('%d is a multiple of 0.01', (value) => {
    expect(told({ multipleOf: 0.01 }, value)).toEqual([])
  })

  it('counts characters, not code units', () => {
    expect(told({ maxLength: 2, minLength: 2 }, '🧪🧪')).toEqual([])
    expect(told({ minLength: 3 }, '🧪🧪')).toEqual(['input must have at least 3 characters, has 2'])
  })

  it('lets a schema inside a reference see its own properties', () => {
    const s = { type: 'object', properties: { host: { type: 'string' }, port: { type: 'integer' } } }
    const server = { $ref: '#/$defs/s', unevaluatedProperties: false }
    const schema = { type: 'object', properties: { server }, unevaluatedProperties: false, $defs: { s } }
    expect(told(schema, { server: { host: 'h', port: 80 } })).toEqual([])
    expect(told(schema, { server: { host: 'h', port: 80, bar: 1 } })).toEqual([
      'input.server.bar is not a known field',
    ])
  })
})

describe('format', () => {
  const identity = `1f:${'0123456789abcdef'.repeat(4)}`

  it('is an annotation', () => {
    for (const format of ['email', 'date-time', 'uri', 'regex', '__proto__', 'toString']) {
      expect(told({ format }, 'nothing of the kind')).toEqual([])
    }
  })

  it('asserts namespace-file: a file identity', () => {
    const schema = { format: 'namespace-file' }
    expect(told(schema, identity)).toEqual([])
    for (const value of [
      '',
      'report.pdf',
      identity.toUpperCase(),
      `${identity}0`,
      `${identity}\n`,
      5,
      null,
    ]) {
      expect(told(schema, value)).toEqual([expect.stringMatching(/^input must be a file identity/)])
    }
    expect(told({ type: ['string', 'null'], format: 'namespace-file' }, null)).toEqual([])
  })

  it('exports the shape of a file identity', () => {
    expect(isFileIdentity(identity)).toBe(true)
    expect(isFileIdentity(identity.slice(1))).toBe(false)
  })
})

describe('validate with hostile schemas and values', () => {
  const TOO_MUCH = ['input cannot be checked: the schema takes too much work for this value']
  const many = <T>(count: number, make: (index: number) => T): T[] =>
    Array.from({ length: count }, (_, i) => make(i))

  function soon(schema: unknown, value: unknown): string[] {
    const start = performance.now()
    const faults = told(schema, value)
    expect(performance.now() - start).toBeLessThan(3_000)
    return faults
  }

  /** Each level refers to the next one twice. */
  function doubling(levels: number, twice: (ref: unknown) => object): object {
    const $defs: Record<string, unknown> = { [`d${levels}`]: { type: 'object' } }
    for (let level = 0; level < levels; level += 1)
      $defs[`d${level}`] = twice({ $ref: `#/$defs/d${level + 1}` })
    return { type: 'object', allOf: [{ $ref: '#/$defs/d0' }], $defs }
  }

  it('does not double its work where each level uses the next one twice', () => {
    const schema = doubling(24, (ref) => ({ allOf: [ref, ref] }))
    expect(checkSchema(schema, 'schema').faults).toEqual([])
    expect(soon(schema, {})).toEqual([])
    expect(soon({ ...schema, type: undefined }, 5)).toEqual(['input must be an object, got 5'])
  })

  it('gives up in words where the work cannot be shared', () => {
    let value: object = {}
    for (let level = 0; level < 60; level += 1) value = { a: value }
    const twice = (ref: unknown): object => ({ properties: { a: ref }, patternProperties: { a: ref } })
    expect(soon(doubling(60, twice), value)).toEqual(TOO_MUCH)
  })

  it('does not go round in a ring', () => {
    expect(soon({ $ref: '#' }, 1)).toEqual(TOO_MUCH)
    expect(soon({ not: { $ref: '#' } }, 1)).toEqual(TOO_MUCH)
  })

  it('follows references into data that ends, though the schema wants it endless', () => {
    const schema = { required: ['next'], properties: { next: { $ref: '#' } }, unevaluatedProperties: false }
    expect(soon(schema, { next: { next: {} } })).toEqual(['input.next.next.next is required'])
  })

  it('matches patterns in linear time', () => {
    expect(soon({ pattern: '^(a+)+$' }, `${'a'.repeat(100_000)}!`)).toHaveLength(1)
    expect(soon({ pattern: '^(a|aa)*$' }, 'a'.repeat(100_000))).toEqual([])
    expect(soon({ pattern: String.raw`\b(?:a?){900}a{900}\b$` }, 'a'.repeat(60_000))).toEqual(TOO_MUCH)
  })

  it('finds repeated items in linear time', () => {
    const objects = many(100_000, (index) => ({ b: [index], a: 1 }))
    expect(soon({ uniqueItems: true }, objects)).toEqual([])
    const last = { a: 1, b: [7] }
    expect(soon({ uniqueItems: true }, [...objects, last])).toEqual([
      'input must not hold the same item twice: [7] and [100000]',
    ])
    expect(
      soon({ uniqueItems: true }, [0, false, '', null, [], {}, '0', 'false', '[]', '{}', 1, true]),
    ).toEqual([])
  })

  it('is done soon with long lists that are all wrong', () => {
    const list = many(300_000, (index) => index)
    expect(soon({ items: { type: 'string' } }, list)).toHaveLength(20)
    expect(soon({ anyOf: [{ items: { type: 'string' } }, { type: 'null' }] }, list)).toHaveLength(20)
    expect(soon({ items: { enum: many(30_000, (index) => -index) } }, list).length).toBeGreaterThan(0)
  })

  it('is done soon with many forms and a large value', () => {
    const forms = many(5_000, (index) => ({ const: `c${index}` }))
    expect(soon({ anyOf: forms }, 'x'.repeat(2_000_000))).toHaveLength(1)
    const wide = Object.fromEntries(many(50_000, (index) => [`k${index}`, 1]))
    expect(soon({ allOf: many(5_000, () => ({ additionalProperties: false })) }, wide)).toEqual(TOO_MUCH)
    expect(soon({ allOf: many(5_000, () => ({ maxProperties: 1 })) }, wide)).toEqual(TOO_MUCH)
  })

  it('refuses values of more than 64 levels', () => {
    const value: unknown = JSON.parse(`{"d": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    expect(soon({ properties: { d: {} } }, value)).toEqual([
      expect.stringContaining('is more than 64 levels deep'),
    ])
    expect(soon({}, JSON.parse('['.repeat(64) + ']'.repeat(64)))).toEqual([])
  })

  it.each([
    null,
    5,
    'x',
    [],
    { type: 5 },
    { properties: null, required: 'a', items: [1], $ref: 7, enum: {}, pattern: '(' },
  ])('takes even %j, which is no schema, without throwing', (schema) => {
    expect(soon(schema, { a: [1] })).toBeInstanceOf(Array)
    expect(soon(schema, 'text')).toBeInstanceOf(Array)
  })
})
