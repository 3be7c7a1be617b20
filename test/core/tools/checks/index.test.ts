import { expect, test } from 'vitest'
import { checkSample, runChecks, type Run } from '../../../../src/core/tools/checks/index.ts'
import type { OutputCheck, SampleRun } from '../../../../src/core/tools/descriptor/index.ts'

const RUN: Run = {
  input: { text: 'one two', count: 2, tags: ['a', 'b'], none: null, empty: '', price: '9.90' },
  output: {
    words: 2,
    line: 'Found "one two" twice',
    list: [{ n: 1 }, { n: 2 }],
    nothing: null,
    tags: { of: ['a', 'b'] },
    price: '10.00',
    big: 'x'.repeat(500),
  },
}

function outcome(check: OutputCheck) {
  const { passed, checks } = runChecks([check], RUN)
  expect(checks).toEqual([
    { kind: check.kind, passed, ...(checks[0]?.message && { message: checks[0].message }) },
  ])
  return passed ? (checks[0]?.message ?? true) : checks[0]?.message
}

const contains = (output_selector: string, text: string): OutputCheck => ({
  kind: 'output-contains',
  output_selector,
  text,
})
const sameAs = (output_selector: string, field: string): OutputCheck => ({
  kind: 'output-contains-input',
  output_selector,
  field,
})

test.each<[OutputCheck, unknown]>([
  [contains('$.line', '"one two"'), true],
  [contains('$.words', '2'), true],
  [contains('$.list', '{"n":2}'), true],
  [contains('$.list[*].n', '[1,2]'), true],
  [contains('$.nothing', 'null'), true],
  [contains('.', '"words":2'), true],
  [contains('$.words', '3'), 'The output 2 does not contain "3".'],
  [contains('$.line', 'ONE'), 'The output "Found \\"one two\\" twice" does not contain "ONE".'],
  [contains('$.big', 'y'), `The output "${'x'.repeat(80)}…" does not contain "y".`],
  [
    contains('$.missing', 'x'),
    expect.stringMatching(/^The output has nothing to check: "\$\.missing" selects nothing: /),
  ],
  [contains('$.list[9]', 'x'), expect.stringMatching(/^The output has nothing to check: /)],
  [contains('$.toString', 'native'), expect.stringMatching(/^The output has nothing to check: /)],
  [contains('$..words', '2'), expect.stringMatching(/^The output has nothing to check: /)],
  [sameAs('$.line', 'text'), true],
  [sameAs('$.words', 'count'), true],
  [sameAs('$.tags', 'tags'), true],
  [sameAs('$.nothing', 'none'), true],
  [sameAs('$.words', 'empty'), true],
  [sameAs('$.words', 'text'), 'The output 2 does not contain "one two".'],
  [sameAs('$.missing', 'text'), expect.stringMatching(/^The output has nothing to check: /)],
  [sameAs('$.words', 'absent'), 'The input has no "absent": there was nothing to compare with.'],
  [sameAs('$.words', 'toString'), 'The input has no "toString": there was nothing to compare with.'],
  [{ kind: 'output-number-within', output_selector: '$.words', min: 2, max: 3 }, true],
  [{ kind: 'output-number-within', output_selector: '$.list[*].n', min: 1, max: 2 }, true],
  [
    { kind: 'output-number-within', output_selector: '$.words', min: 3, max: 4 },
    'The output 2 is not from 3 to 4.',
  ],
  [
    { kind: 'output-number-within', output_selector: '$.nothing', min: 0, max: 1 },
    'The output is null, which is not a number or a list of numbers.',
  ],
  [{ kind: 'output-numbers-close', output_selector: '$.words', to: 2.5, within: 0.5 }, true],
  [{ kind: 'output-numbers-close', output_selector: '$.words', to_field: 'count', within: 0 }, true],
  [{ kind: 'output-numbers-close', output_selector: '$.price', to_field: 'price', within: 0.1 }, true],
  [
    { kind: 'output-numbers-close', output_selector: '$.words', to: 4, within: 1 },
    'The output 2 is not within 1 of 4.',
  ],
  [
    { kind: 'output-numbers-close', output_selector: '$.words', to_field: 'text', within: 1 },
    'The value to compare with is "one two", which is not a number or a list of numbers.',
  ],
  [
    { kind: 'output-numbers-close', output_selector: '$.words', to_field: 'absent', within: 1 },
    'The input has no "absent": there was nothing to compare with.',
  ],
])('%j', (check, expected) => {
  expect(outcome(check)).toEqual(expected)
})

const SAMPLE: SampleRun = { kind: 'sample-run', input: {}, output_selector: '$.words', contains: '2' }

test('checks run in their order, without samples, and one that fails fails them all', () => {
  expect([
    runChecks([SAMPLE, contains('$.words', '3'), contains('$.words', '2')], RUN),
    runChecks([SAMPLE], RUN),
  ]).toEqual([
    {
      passed: false,
      checks: [
        { kind: 'output-contains', passed: false, message: 'The output 2 does not contain "3".' },
        { kind: 'output-contains', passed: true },
      ],
    },
    { passed: true, checks: [] },
  ])
})

test.each([
  [{ words: 12 }, { kind: 'sample-run', passed: true }],
  [{ words: 13 }, { kind: 'sample-run', passed: false, message: 'The output 13 does not contain "2".' }],
  [
    'words',
    {
      kind: 'sample-run',
      passed: false,
      message: expect.stringMatching(/^The output has nothing to check: /),
    },
  ],
])('a sample that returned %j', (output, result) => {
  expect(checkSample(SAMPLE, output)).toEqual(result)
})

test('no output makes a check throw', () => {
  const ring: Record<string, unknown> = {}
  ring.words = ring
  let deep: unknown = 1
  for (let level = 0; level < 100_000; level += 1) deep = [deep]
  for (const output of [undefined, ring, { words: deep }, { words: 10n }, { words: undefined }]) {
    expect(checkSample(SAMPLE, output).passed).toBe(false)
  }
})
