import { expect, test } from 'vitest'
import { inputFaults } from '../../../../src/core/tasks/work/inputs.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'

const OPEN = { ...EXAMPLE.descriptor, input_schema: { type: 'object' } }

test('the shape comes first, then what the place cannot take', () => {
  const asked: unknown[] = []
  const fault = { path: 'input.text', message: 'is too loud' }
  const container = {
    check: () => [],
    checkInput: (_: unknown, input: Record<string, unknown>) => {
      asked.push(input)
      return [fault]
    },
    start: () => Promise.reject(new Error('not here')),
    poll: () => Promise.reject(new Error('not here')),
    stop: () => Promise.reject(new Error('not here')),
  }
  expect(inputFaults(EXAMPLE.descriptor, { text: 1 }, { container })).toMatchObject([{ path: 'input.text' }])
  expect(asked).toEqual([])
  expect(inputFaults(EXAMPLE.descriptor, { text: 'A' }, { container })).toEqual([fault])
})

test.each<[object, string, string]>([
  [{ id: 9_007_199_254_740_992 }, 'input.id', '9007199254740991'],
  [{ list: [{ id: -(2 ** 60) }] }, 'input.list[0].id', '9007199254740991'],
  [{ text: 'a\ud83e' }, 'input.text', 'lone surrogate'],
])('%j may have lost a part on its way', (input, path, words) => {
  expect(inputFaults(OPEN, { ...input }, {})).toEqual([
    { path, message: expect.stringContaining(words), hint: expect.stringMatching(/\S/) },
  ])
})

test('numbers that are what was sent are kept', () => {
  expect(
    inputFaults(OPEN, { a: 9_007_199_254_740_991, b: 6.022e23, c: 1e-9, d: '9007199254740993', e: '🧪' }, {}),
  ).toEqual([])
})
