import { beforeAll, describe, expect, test } from 'vitest'
import { expectRefusal, openBench, runText, save, type Bench } from '../cases/case.ts'
import { toolOf } from '../support/suite.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('case-schema')
})

const MAIN = { 'main.py': 'import sys\nprint(sys.stdin.read())\n' }
const sampleOf = (input: object) => [{ kind: 'sample-run', input, output_selector: '$', contains: '{' }]

interface SchemaCase {
  from: string
  what: string
  schema: object
  /** The sample, which must pass. */
  sample: object
  /** Inputs as JSON text that run as they were sent. */
  valid?: string[]
  /** Inputs as JSON text, and the places for which they are refused. */
  invalid?: [string, string[]][]
}

const property = (schema: object) => ({ type: 'object', properties: { x: schema }, required: ['x'] })

const CASES: SchemaCase[] = [
  {
    from: 'ajv-validator/ajv#2664',
    what: 'a required name that every object inherits must be there',
    schema: { type: 'object', properties: { toString: {} }, required: ['toString'] },
    sample: JSON.parse('{"toString": 1}'),
    valid: ['{"toString": null}'],
    invalid: [['{}', ['input.toString']]],
  },
  {
    from: 'ajv-validator/ajv#743',
    what: 'an extra __proto__ is extra, and changes nothing',
    schema: { type: 'object', properties: { a: { type: 'string' } }, additionalProperties: false },
    sample: { a: 'x' },
    invalid: [
      ['{"a": "x", "__proto__": {"admin": true}}', ['input.__proto__']],
      ['{"a": "x", "constructor": 1}', ['input.constructor']],
    ],
  },
  {
    from: 'ajv-validator/ajv#2329',
    what: 'prices are multiples of a cent',
    schema: property({ type: 'number', multipleOf: 0.01 }),
    sample: { x: 4.35 },
    valid: ['{"x": 4.35}', '{"x": 8.2}', '{"x": 1.15}', '{"x": 0.07}', '{"x": 1658529657949}'],
    invalid: [['{"x": 4.351}', ['input.x']]],
  },
  {
    from: 'n8n-io/n8n#35320',
    what: 'a pattern with slashes and colons escaped is a pattern',
    schema: property({ type: 'string', pattern: '^https\\:\\/\\/' }),
    sample: { x: 'https://shop.example/' },
    valid: ['{"x": "https://other.example"}'],
    invalid: [['{"x": "http://shop.example/"}', ['input.x']]],
  },
  {
    from: 'json-schema-org/JSON-Schema-Test-Suite maxLength.json',
    what: 'an emoji is one character',
    schema: property({ type: 'string', maxLength: 2 }),
    sample: { x: '🧪🧪' },
    valid: ['{"x": "\\ud83e\\uddea🧪"}'],
    invalid: [['{"x": "🧪🧪🧪"}', ['input.x']]],
  },
  {
    from: 'networknt/json-schema-validator#1100',
    what: 'properties known by a reference are known',
    schema: {
      type: 'object',
      properties: { server: { $ref: '#/$defs/s', unevaluatedProperties: false } },
      unevaluatedProperties: false,
      $defs: { s: { type: 'object', properties: { host: { type: 'string' }, port: { type: 'integer' } } } },
    },
    sample: { server: { host: 'h', port: 80 } },
    valid: ['{"server": {"host": "h", "port": 80}}'],
    invalid: [['{"server": {"host": "h", "port": 80, "bar": 1}}', ['input.server.bar']]],
  },
]

describe('inputs', () => {
  test.concurrent.each(CASES)('$what ($from)', async ({ schema, sample, valid = [], invalid = [] }) => {
    const { toolId, sample: check } = await save(bench, MAIN, {
      input_schema: schema,
      verify: sampleOf(sample),
    })
    expect(check).toMatchObject({ passed: true, output: sample })
    for (const text of valid) {
      const { answer } = await runText(bench, toolId, text)
      expect(answer, text).toMatchObject({ state: 'completed', contract: { passed: true } })
      expect(answer.output).toEqual(JSON.parse(text))
    }
    for (const [text, paths] of invalid) {
      expectRefusal(await runText(bench, toolId, text), 'invalid_input', paths)
    }
  })

  test('data deeper than any reader likes is refused at once, in words (openai/openai-agents-python#4358)', async () => {
    const input_schema = { type: 'object', properties: { d: {} } }
    const { toolId } = await save(bench, MAIN, { input_schema })
    const began = performance.now()
    const refused = await runText(bench, toolId, `{"d": ${'['.repeat(20_000)}${']'.repeat(20_000)}}`)
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(refused.isError).toBe(true)
    expect(refused.answer.error.code).toBe('invalid_request')
    expect(refused.answer.error.message).toMatch(/^run_tool: input\.d.* is more than 64 levels deep/)
    expect(refused.text).not.toMatch(/RangeError|stack/i)
  })
})

const saveSchema = (id: string, input_schema: unknown, sample: object) =>
  bench.app.call('save_tool', toolOf(id, MAIN, { input_schema, verify: sampleOf(sample) }))

describe('schemas', () => {
  test.each([
    {
      from: 'basicmachines-co/basic-memory#444',
      what: 'a reference to nothing',
      schema: { type: 'object', properties: { a: { $ref: '#/$defs/Missing' } } },
      path: 'descriptor.input_schema.properties.a.$ref',
      words: ['#/$defs/Missing'],
    },
    {
      from: 'ComposioHQ/composio#2933',
      what: 'a name required twice',
      schema: { type: 'object', properties: { a: {}, b: {} }, required: ['a', 'b', 'a'] },
      path: 'descriptor.input_schema.required',
      words: ['required'],
    },
    {
      from: 'ComposioHQ/composio#1829',
      what: 'no type at the root',
      schema: { properties: { a: { type: 'string' } } },
      path: 'descriptor.input_schema.type',
      words: ['type', 'object'],
    },
  ])('$what is refused when it is saved ($from)', async ({ schema, path, words }) => {
    const refused = await saveSchema('tool:bad-schema', schema, { a: '1', b: '2' })
    expectRefusal(refused, 'invalid_descriptor', [path])
    for (const word of words) expect(refused.answer.error.message).toContain(word)
    const { answer } = await bench.app.call('describe_tool', { tool_id: 'tool:bad-schema' })
    expect(answer.error.code).toBe('unknown_tool')
  })

  test('a schema deeper than any reader likes is refused at once, in words (openai/openai-agents-python#4358)', async () => {
    let schema: object = { type: 'object' }
    for (let depth = 0; depth < 2_000; depth += 1) schema = { not: schema }
    const began = performance.now()
    const refused = await saveSchema('tool:deep-schema', { type: 'object', properties: { d: schema } }, {})
    expect(performance.now() - began).toBeLessThan(1_000)
    expect(refused.isError).toBe(true)
    expect(refused.answer.error.message).toMatch(/input_schema\..* is more than 64 levels deep/)
    expect(refused.text).not.toMatch(/RangeError|internal/)
  })

  test('parts that each use the next one twice cost no more than they say (BerriAI/litellm#34328)', async () => {
    const $defs: Record<string, object> = { d24: { type: 'object' } }
    for (let level = 0; level < 24; level += 1) {
      const next = { $ref: `#/$defs/d${level + 1}` }
      $defs[`d${level}`] = { allOf: [next, next] }
    }
    const schema = { type: 'object', allOf: [{ $ref: '#/$defs/d0' }], $defs }
    const began = performance.now()
    const { isError, answer } = await saveSchema('tool:doubles', schema, {})
    expect(performance.now() - began).toBeLessThan(2_000)
    expect(isError, JSON.stringify(answer).slice(0, 2_000)).toBe(false)
    expect(answer.sample_check).toMatchObject({ passed: true })
  })

  test('what only endless data could satisfy satisfies nothing (Stranger6667/jsonschema#420)', async () => {
    const part = (name: string, next: string) => ({
      type: 'object',
      required: [name],
      properties: { [name]: { $ref: `#/$defs/${next}` } },
      unevaluatedProperties: false,
    })
    const schema = { type: 'object', $ref: '#/$defs/a', $defs: { a: part('b', 'c'), c: part('f', 'a') } }
    const began = performance.now()
    const refused = await saveSchema('tool:endless', schema, { b: { f: {} } })
    expect(performance.now() - began).toBeLessThan(2_000)
    expectRefusal(refused, 'invalid_descriptor', ['descriptor.verify[0].input.b.f.b'])
    expect(refused.text).not.toMatch(/RangeError|internal/)
  })
})
