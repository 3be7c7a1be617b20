import { describe, expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/check.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import { CODE, faultsOf, HTTP, MODEL, patched } from './patch.ts'

test('fills in what was left out and leaves out what is null', () => {
  const sent = patched({
    id: 'tool:maker/Count_words-2',
    label: null,
    input_schema: null,
    invoke: { kind: 'container', argv: ['ffmpeg', '-version'], env: null },
    result_selector: null,
    requirements: [],
    limits: { seconds: 60, memory_mb: null },
    verify: [{ kind: 'sample-run', input: {}, output_selector: '$', contains: 'ffmpeg' }],
  })
  expect(checkDescriptor(sent, CODE, 'maker')).toEqual({
    descriptor: {
      id: 'tool:Count_words-2',
      job: EXAMPLE.descriptor.job,
      input_schema: { type: 'object', properties: {}, additionalProperties: false },
      output_schema: EXAMPLE.descriptor.output_schema,
      invoke: { kind: 'container', argv: ['ffmpeg', '-version'], stdin: 'none', stdout: 'text' },
      placements: ['placement:deployed-container'],
      licence_class: 'licence:maker-own',
      limits: { seconds: 60 },
      verify: [{ kind: 'sample-run', input: {}, output_selector: '$', contains: 'ffmpeg' }],
    },
    faults: [],
    warnings: [],
  })
})

test.each([
  ['model', MODEL],
  ['http', HTTP],
])('accepts a %s tool', (_kind, patch) => {
  const sent = patched(patch)
  expect(checkDescriptor(sent, null)).toEqual({ descriptor: sent, faults: [], warnings: [] })
})

test('reports every fault at once', () => {
  const sent = {
    id: 'count words',
    Job: 'Count the words in a text',
    job: 'Count',
    label: 'x'.repeat(61),
    input_schema: { type: 'object', properties: { text: { type: 'strin' } } },
    invoke: {
      kind: 'container',
      argv: ['python3', 'mian.py', { from: 'txt' }],
      stdout: 'jsn',
      env: { PATH: '/bin' },
      shell: true,
    },
    result_selector: 'result',
    placements: ['placement:rented-model-runtime'],
    licence_class: 'licence:permissive',
    verify: [{ kind: 'output-contains', output_selector: '$..words', text: '' }],
    limits: { seconds: 0, memory_mb: 5_000 },
  }
  const { descriptor, faults } = checkDescriptor(sent, CODE)
  expect([descriptor, ...faults.map(({ path }) => path)]).toEqual([
    null,
    'descriptor.input_schema.properties.text.type',
    'descriptor.Job',
    'descriptor.id',
    'descriptor.job',
    'descriptor.output_schema',
    'descriptor.invoke.shell',
    'descriptor.invoke.argv[2].from',
    'descriptor.invoke.stdout',
    'descriptor.invoke.env.PATH',
    'descriptor.invoke.argv[1]',
    'descriptor.verify',
    'descriptor.verify[0].output_selector',
    'descriptor.verify[0].text',
    'descriptor.label',
    'descriptor.result_selector',
    'descriptor.limits.seconds',
    'descriptor.limits.memory_mb',
    'descriptor.placements',
    'descriptor.licence_class',
  ])
})

test('tells warnings apart from faults', () => {
  const input_schema = {
    ...EXAMPLE.descriptor.input_schema,
    required: ['text', 'txet'],
    additionalProperties: true,
  }
  const sent = patched({
    input_schema,
    verify: [{ ...EXAMPLE.descriptor.verify[0], input: { text: 'a', txet: 'b' } }],
  })
  const { descriptor, faults, warnings } = checkDescriptor(sent, CODE)
  expect({ descriptor, faults, paths: warnings.map(({ path }) => path) }).toEqual({
    descriptor: sent,
    faults: [],
    paths: ['descriptor.input_schema.required'],
  })
})

describe('an id', () => {
  const says = 'must be an id: "tool:" and a letter, then up to 62 letters, digits, "_" or "-"'

  test.each([
    ['tool:Count Words', 'did you mean "tool:Count-Words"?'],
    ['tool:', undefined],
    ['count-words', 'did you mean "tool:count-words"?'],
    ['tool:a/b', undefined],
    ['tool:other/count-words', undefined],
    ['tool:maker/', undefined],
    ['tool:maker/a/b', undefined],
    ['tool:../x', undefined],
    ['tool:count-words\n', 'did you mean "tool:count-words"?'],
    ['TOOL:x', 'did you mean "tool:x"?'],
    ['tool:1st', undefined],
    [`tool:${'a'.repeat(64)}`, undefined],
    ['', undefined],
  ])('is refused: %j', (id, hint) => {
    const { faults } = checkDescriptor(patched({ id }), CODE, 'maker')
    expect(faults).toEqual([{ path: 'descriptor.id', message: says, ...(hint && { hint }) }])
  })

  test.each([
    ['tool:x', 'tool:x'],
    ['tool:c0unt-words', 'tool:c0unt-words'],
    [`tool:${'A_-9'.repeat(15)}`, `tool:${'A_-9'.repeat(15)}`],
    ['tool:maker/x', 'tool:x'],
  ])('is accepted: %j', (id, slug) => {
    expect(checkDescriptor(patched({ id }), CODE, 'maker').descriptor?.id).toBe(slug)
  })
})

test.each([
  ['job', 'Count all', { message: 'must be at least 10 characters long' }],
  ['job', '   Count    ', { message: 'must be at least 10 characters long' }],
  ['job', '🧪'.repeat(501), { message: 'has 501 characters; at most 500 are allowed' }],
  ['job', 'Count the\nwords', { message: 'holds a control character', hint: 'write it in one line' }],
  ['job', 'Count the \u202esdrow', { message: 'holds a control character', hint: 'write it in one line' }],
  ['job', 7, { message: 'must be a text' }],
  ['job', undefined, { message: 'is missing' }],
  ['label', 'x'.repeat(61), { message: 'has 61 characters; at most 60 are allowed' }],
  ['label', ' ', { message: 'is empty' }],
  ['label', 'a\0b', { message: 'holds a control character', hint: 'write it in one line' }],
  ['output_schema', undefined, { message: 'is missing' }],
  ['invoke', 'python3 main.py', { message: 'must be an object with a "kind"' }],
  ['result_selector', '$..words', { message: expect.stringMatching(/^is not a selector: /) }],
  [
    'licence_class',
    'licence:maker_own',
    {
      message: 'must be "licence:maker-own", "licence:permissive" or "licence:own-computer-only"',
      hint: 'did you mean "licence:maker-own"?',
    },
  ],
])('%s %j is refused', (field, value, fault) => {
  expect(faultsOf({ [field]: value })).toEqual([{ path: `descriptor.${field}`, ...fault }])
})

test.each([
  ['Count words 🧪', 'x'.repeat(60)],
  ['🧪'.repeat(500), '🧪'.repeat(60)],
])('a job and a label of allowed length are accepted', (job, label) => {
  expect(faultsOf({ job, label })).toEqual([])
})

test.each([
  ['contaner', 'is "contaner", which is no kind of invoke', 'did you mean "container"?'],
  ['computer', 'is "computer", which is no kind of invoke', 'known here: "container", "model" or "http"'],
  [undefined, 'is missing', 'known here: "container", "model" or "http"'],
  ['toString', 'is "toString", which is no kind of invoke', 'known here: "container", "model" or "http"'],
])('the invoke kind %j is refused', (kind, message, hint) => {
  expect(faultsOf({ invoke: { kind } })).toEqual([{ path: 'descriptor.invoke.kind', message, hint }])
})

test.each([
  [null, undefined],
  [[], undefined],
  ['tool:x', undefined],
  ['{"id": "tool:x"}', 'send the object itself, not its JSON as a text'],
])('%j is no descriptor', (raw, hint) => {
  const faults = [{ path: 'descriptor', message: 'must be an object', ...(hint && { hint }) }]
  expect(checkDescriptor(raw, null)).toEqual({ descriptor: null, faults, warnings: [] })
})

function nest(levels: number, innermost: unknown): unknown {
  let value = innermost
  for (let level = 0; level < levels; level += 1) value = level % 2 ? [value] : { a: value }
  return value
}

test('a part may be 64 levels deep, and no depth is too much to be refused', () => {
  const deep = (levels: number) => faultsOf({ ...HTTP, invoke: { ...HTTP.invoke, body: nest(levels, 'x') } })
  const sample = (levels: number) =>
    faultsOf({
      input_schema: { type: 'object' },
      invoke: { kind: 'container', argv: ['ffmpeg'] },
      verify: [{ kind: 'sample-run', input: { a: nest(levels, 1) }, output_selector: '$', contains: 'x' }],
    })
  const endless = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`) as unknown
  const secret = ['ghp_', 'FAKE0123fake4567', 'FAKE0123fake'].join('')
  const tooDeep = expect.stringMatching(/^is more than 64 levels deep/)
  expect([deep(63), deep(64), sample(63), sample(64)]).toEqual([
    [],
    [{ path: expect.stringMatching(/^descriptor\.invoke\.body/), message: tooDeep }],
    [],
    [{ path: expect.stringMatching(/^descriptor\.verify\[0\]\.input/), message: tooDeep }],
  ])
  expect(checkDescriptor({ invoke: { [secret]: endless } }, null).faults).toEqual([
    { path: 'descriptor', message: tooDeep },
  ])
  expect(checkDescriptor({ invoke: endless }, null).faults).toEqual([
    { path: expect.any(String), message: tooDeep },
  ])
})

test('is at most 256 KB of JSON', () => {
  const at = (extra: number) => ({
    ...(EXAMPLE.descriptor.output_schema as object),
    description: 'é'.repeat(extra),
  })
  const room = Math.floor((256 * 1024 - JSON.stringify(patched({ output_schema: at(0) })).length) / 2)
  expect([faultsOf({ output_schema: at(room) }), faultsOf({ output_schema: at(room + 1) })]).toEqual([
    [],
    [
      {
        path: 'descriptor',
        message: expect.stringMatching(/^has 26214\d bytes of JSON; at most 262144 are/),
        hint: 'move data into files',
      },
    ],
  ])
})

test('half characters are refused wherever they stand', () => {
  const sent = patched({
    job: 'Count words \ud83e',
    output_schema: { title: '\udd2a', properties: { '\ud83e': {} } },
  })
  const message = 'holds half of a character (a lone surrogate)'
  expect(checkDescriptor(sent, CODE).faults).toEqual([
    { path: 'descriptor.job', message },
    { path: 'descriptor.output_schema.title', message },
    {
      path: 'descriptor.output_schema.properties["\ufffd"]',
      message: 'has half of a character (a lone surrogate) in its name',
    },
  ])
})

test('names that every object inherits are fields like any other', () => {
  const raw = JSON.parse('{"__proto__": {"id": "tool:x"}, "constructor": 1, "toString": 2}') as unknown
  const { faults } = checkDescriptor(raw, null)
  const unknown = faults.filter(({ message }) => message === 'is not a known field').map(({ path }) => path)
  expect(unknown).toEqual(['descriptor.__proto__', 'descriptor.constructor', 'descriptor.toString'])
  expect(faults).toContainEqual({ path: 'descriptor.id', message: 'is missing' })
})
