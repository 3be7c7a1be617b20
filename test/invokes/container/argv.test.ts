import { expect, test } from 'vitest'
import { argumentFaults, fillArgv } from '../../../src/invokes/container/argv.ts'
import { descriptorOf } from './place.ts'

const invokeOf = (...names: string[]) =>
  descriptorOf({ argv: ['python3', 'main.py', ...names.map((from) => ({ from }))] }).invoke

test.each<[string, unknown, string]>([
  ['a text as it is', 'a "b" $c\n--d', 'a "b" $c\n--d'],
  ['an empty text', '', ''],
  ['a number', 0.1, '0.1'],
  ['a whole number', 9_007_199_254_740_991, '9007199254740991'],
  ['false', false, 'false'],
  ['null', null, 'null'],
  ['a list', [1, 'b', null], '[1,"b",null]'],
  ['an object', { a: { b: [] } }, '{"a":{"b":[]}}'],
])('%s becomes one argument', (_, value, argument) => {
  expect(fillArgv(invokeOf('x'), { x: value })).toEqual(['python3', 'main.py', argument])
  expect(argumentFaults(invokeOf('x'), { x: value })).toEqual([])
})

test('a missing input drops its argument, also one that every object has', () => {
  expect(fillArgv(invokeOf('a', 'toString', 'b'), { b: 'here' })).toEqual(['python3', 'main.py', 'here'])
})

test('what no argument can hold is named, every one, by its bytes', () => {
  const input = { nul: 'a\0b', full: 'x'.repeat(131_071), long: `${'é'.repeat(65_535)}xx`, deep: ['\0'] }
  const faults = argumentFaults(invokeOf('nul', 'full', 'long', 'deep'), input)
  expect(faults).toEqual([
    { path: 'input.nul', message: expect.stringContaining('NUL'), hint: expect.stringContaining('stdin') },
    {
      path: 'input.long',
      message: 'has 131072 bytes; a program argument has at most 131071',
      hint: expect.stringContaining('"stdin": "json"'),
    },
  ])
})
