import { describe, expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/index.ts'
import { CODE, faultsOf, patched } from './patch.ts'

const TOOL = { invoke: { kind: 'container', argv: ['ffmpeg'] } }
const sample = (input: unknown) => ({
  ...TOOL,
  verify: [{ kind: 'sample-run', input, output_selector: '$', contains: 'x' }],
})

test.each([[undefined], [null], [{}]])('an input schema %j means no inputs', (input_schema) => {
  const { descriptor, faults } = checkDescriptor(patched({ ...sample({}), input_schema }), CODE)
  expect({ faults, schema: descriptor?.input_schema }).toEqual({
    faults: [],
    schema: { type: 'object', properties: {}, additionalProperties: false },
  })
  expect(faultsOf({ ...sample({ a: 1 }), input_schema })).toEqual([
    expect.objectContaining({ path: 'descriptor.verify[0].input.a' }),
  ])
})

test('an input schema with a type alone accepts any object and is kept as it is', () => {
  const input_schema = { type: 'object' }
  const { descriptor, faults } = checkDescriptor(patched({ ...sample({ a: 1 }), input_schema }), CODE)
  expect([faults, descriptor?.input_schema]).toEqual([[], input_schema])
})

describe('an input schema is refused', () => {
  const NOT_OBJECT = 'must be a JSON Schema object with "type": "object"'

  test.each([
    [true, 'descriptor.input_schema', NOT_OBJECT],
    [[], 'descriptor.input_schema', NOT_OBJECT],
    ['object', 'descriptor.input_schema', NOT_OBJECT],
    [{ properties: { a: {} } }, 'descriptor.input_schema.type', 'must be "object" at the root'],
    [{ type: ['object'] }, 'descriptor.input_schema.type', 'must be "object" at the root'],
    [{ type: 'string' }, 'descriptor.input_schema.type', 'must be "object" at the root'],
  ])('for its root: %j', (input_schema, path, message) => {
    const [fault, ...others] = faultsOf({ ...sample({}), input_schema })
    expect([fault?.path, fault?.message, others]).toEqual([path, message, []])
  })

  test.each([
    [{ properties: { a: { $ref: '#/$defs/Missing' } } }, '#/$defs/Missing'],
    [{ properties: { a: { pattern: '(?=a)' } } }, 'pattern'],
    [{ required: ['a', 'a'] }, 'required'],
    [{ $dynamicRef: '#a' }, '$dynamicRef'],
  ])('for what it holds: %j', (part, word) => {
    const faults = faultsOf({ ...sample({}), input_schema: { type: 'object', ...part } })
    expect(faults.length).toBe(1)
    expect(`${faults[0]!.path} ${faults[0]!.message}`).toContain(word)
  })
})

test.each([[true], [{}], [{ type: 'string' }], [{ $defs: { a: {} }, $ref: '#/$defs/a' }]])(
  'an output schema may be %j',
  (output_schema) => {
    const { descriptor, faults } = checkDescriptor(patched({ output_schema }), CODE)
    expect([faults, descriptor?.output_schema]).toEqual([[], output_schema])
  },
)

test.each([['string'], [7], [[]], [{ type: 'word' }], [{ $ref: '#/$defs/x' }]])(
  'an output schema may not be %j',
  (output_schema) => {
    const faults = faultsOf({ output_schema })
    expect(faults.map(({ path }) => path)).toEqual([expect.stringMatching(/^descriptor\.output_schema/)])
  },
)

describe('a file input', () => {
  const file = { type: 'string', format: 'namespace-file' }
  const schemaOf = (properties: unknown, more = {}) => ({ type: 'object', properties, ...more })
  const PLACE = '"namespace-file" may stand only in an input or in the items of one'
  const TYPE = 'must be "string" for a file, whose value is 1f: and 64 hex digits'
  const id = `1f:${'0a'.repeat(32)}`

  test('may be an input or the items of one', () => {
    const input_schema = schemaOf({ clip: file, more: { type: 'array', items: file }, properties: file })
    expect(faultsOf({ ...sample({ clip: id, more: [id], properties: id }), input_schema })).toEqual([])
  })

  test.each([
    ['properties.a.properties.b', { a: { properties: { b: file } } }, {}],
    ['properties.a.items.items', { a: { items: { items: file } } }, {}],
    ['properties.a.anyOf[0]', { a: { anyOf: [file] } }, {}],
    ['properties.a.additionalProperties', { a: { additionalProperties: file } }, {}],
    ['$defs.f', {}, { $defs: { f: file } }],
    ['patternProperties.x', {}, { patternProperties: { x: file } }],
    ['additionalProperties', {}, { additionalProperties: file }],
  ])('may not stand at %s', (place, properties, more) => {
    expect(faultsOf({ ...sample({}), input_schema: schemaOf(properties, more) })).toEqual([
      { path: `descriptor.input_schema.${place}.format`, message: PLACE },
    ])
  })

  test.each([[{ format: 'namespace-file' }], [{ ...file, type: ['string', 'null'] }]])(
    'must be a string: %j',
    (schema) => {
      expect(faultsOf({ ...sample({}), input_schema: schemaOf({ a: schema }) })).toEqual([
        { path: 'descriptor.input_schema.properties.a.type', message: TYPE },
      ])
    },
  )

  test('is no more than a word where it is data', () => {
    const properties = { format: { default: file, enum: [file], const: file, examples: [file] } }
    expect(faultsOf({ ...sample({}), input_schema: schemaOf(properties) })).toEqual([])
  })
})
