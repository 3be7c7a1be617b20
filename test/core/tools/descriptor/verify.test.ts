import { describe, expect, test } from 'vitest'
import { checkDescriptor } from '../../../../src/core/tools/descriptor/index.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import { CODE, faultsOf, faultsOfCheck, patched } from './patch.ts'

const SELECTOR = { output_selector: '$.words' }

test('every kind of check is kept as it is', () => {
  const verify = [
    ...EXAMPLE.descriptor.verify,
    { kind: 'sample-run', input: { text: '' }, output_selector: '.', contains: '0' },
    { kind: 'output-contains', ...SELECTOR, text: ' ok ' },
    { kind: 'output-contains-input', ...SELECTOR, field: 'text' },
    { kind: 'output-number-within', ...SELECTOR, min: 1, max: 1 },
    { kind: 'output-numbers-close', ...SELECTOR, to: 0, within: 0 },
    { kind: 'output-numbers-close', ...SELECTOR, to: [1, 2.5], within: 0.1 },
    { kind: 'output-numbers-close', ...SELECTOR, to_field: 'text', within: 1 },
  ]
  const { descriptor, faults } = checkDescriptor(patched({ verify }), CODE)
  expect({ faults, verify: descriptor?.verify }).toEqual({ faults: [], verify })
})

describe('there is a sample', () => {
  const hint = expect.stringContaining('"kind": "sample-run"')

  test.each([
    [undefined, [{ path: 'descriptor.verify', message: 'is missing' }]],
    [{}, [{ path: 'descriptor.verify', message: 'must be a list' }]],
    [[], [{ path: 'descriptor.verify', message: 'must include a sample-run', hint }]],
    [
      [{ kind: 'output-contains', ...SELECTOR, text: 'a' }],
      [{ path: 'descriptor.verify', message: 'must include a sample-run', hint }],
    ],
  ])('in %j', (verify, faults) => {
    expect(faultsOf({ verify })).toEqual(faults)
  })

  test('whose input a run would accept', () => {
    const bad = { ...EXAMPLE.descriptor.verify[0], input: { text: 7, txt: 'a' } }
    const paths = (verify: unknown[]) => faultsOf({ verify }).map(({ path }) => path)
    expect([
      paths([bad]),
      paths([EXAMPLE.descriptor.verify[0], { ...bad, input: {} }]),
      paths([{ ...bad, input: 'a' }]),
    ]).toEqual([
      ['descriptor.verify[0].input.text', 'descriptor.verify[0].input.txt'],
      ['descriptor.verify[1].input.text'],
      ['descriptor.verify[0].input'],
    ])
  })

  test('whose input is not judged by a schema that is wrong itself', () => {
    const faults = faultsOf({
      input_schema: { type: 'object', properties: { text: { type: 'number', minimum: 'a' } } },
    })
    expect(faults.map(({ path }) => path)).toEqual(['descriptor.input_schema.properties.text.minimum'])
  })
})

const missing = (path: string) => ({ path, message: 'is missing' })

test.each([
  ['sample-run', ['.input', '.output_selector', '.contains']],
  ['output-contains', ['.output_selector', '.text']],
  ['output-contains-input', ['.output_selector', '.field']],
  ['output-number-within', ['.output_selector', '.min', '.max']],
])('%s has what it needs', (kind, paths) => {
  expect(faultsOfCheck({ kind })).toEqual(paths.map(missing))
})

const KINDS =
  'known here: "sample-run", "output-contains", "output-contains-input", "output-number-within" or "output-numbers-close"'
const ONE_OF = 'must have exactly one of "to" (a number) and "to_field" (the name of an input)'
const close = { kind: 'output-numbers-close', ...SELECTOR, within: 1 }

test.each([
  [7, [{ path: '', message: 'must be an object with a "kind"' }]],
  [{}, [{ path: '.kind', message: 'is not a kind of check', hint: KINDS }]],
  [{ kind: 'constructor' }, [{ path: '.kind', message: 'is not a kind of check', hint: KINDS }]],
  [
    { kind: 'output_contain', text: 'a' },
    [{ path: '.kind', message: 'is not a kind of check', hint: 'did you mean "output-contains"?' }],
  ],
  [{ kind: 'output-contains', ...SELECTOR, text: '' }, [{ path: '.text', message: 'is empty' }]],
  [{ kind: 'output-contains', ...SELECTOR, text: 5 }, [{ path: '.text', message: 'must be a text' }]],
  [
    { kind: 'output-contains', ...SELECTOR, contains: 'a', text: 'a' },
    [
      {
        path: '.contains',
        message: 'is not a known field',
        hint: 'known here: "kind", "output_selector" or "text"',
      },
    ],
  ],
  [
    { kind: 'output-contains-input', ...SELECTOR, field: 'txt' },
    [
      {
        path: '.field',
        message: 'names "txt", which input_schema does not declare',
        hint: 'did you mean "text"?',
      },
    ],
  ],
  [
    { kind: 'output-number-within', ...SELECTOR, min: 2, max: 1 },
    [{ path: '.min', message: 'must not be more than max' }],
  ],
  [
    { kind: 'output-number-within', ...SELECTOR, min: '1', max: null },
    [{ path: '.min', message: 'must be a number' }, missing('.max')],
  ],
  [close, [{ path: '', message: ONE_OF }]],
  [{ ...close, to: 1, to_field: 'text' }, [{ path: '', message: ONE_OF }]],
  [{ ...close, to: 1, within: -1 }, [{ path: '.within', message: 'must be a number, 0 or more' }]],
  [{ ...close, to: '1' }, [{ path: '.to', message: 'must be a number' }]],
  [{ ...close, to: [] }, [{ path: '.to', message: 'is empty' }]],
  [{ ...close, to: [1, null] }, [{ path: '.to[1]', message: 'must be a number' }]],
  [
    { ...close, to_field: 'txt' },
    [
      {
        path: '.to_field',
        message: 'names "txt", which input_schema does not declare',
        hint: 'did you mean "text"?',
      },
    ],
  ],
])('%j is refused', (check, faults) => {
  expect(faultsOfCheck(check)).toEqual(faults)
})

test.each([
  ["$..[?(@.constructor.constructor('return process')())]"],
  ['$[(@.length-1)]'],
  ['$[?(alert(1))]'],
  ['$..*'],
  ['words'],
  [''],
])('the selector %j is refused', (output_selector) => {
  const message = expect.stringMatching(/^is not a selector: /)
  expect(faultsOfCheck({ kind: 'output-contains', output_selector, text: 'a' })).toEqual([
    { path: '.output_selector', message },
  ])
})
