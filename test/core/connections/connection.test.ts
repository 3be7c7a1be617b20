import { expect, test } from 'vitest'
import { readName, readValue } from '../../../src/core/connections/connection.ts'

test.each(['openai', 'A', 'my.key_2-x', `a${'b'.repeat(63)}`])('%s is a name', (name) => {
  expect(readName(name)).toBe(name)
})

test.each(['', '1key', '.key', 'a b', 'schlüssel', `a${'b'.repeat(64)}`, 'a/b'])(
  '"%s" is no name',
  (name) => {
    expect(() => readName(name)).toThrow(/a letter, then up to 63/)
  },
)

test.each([
  ['a text as it is', 'sk-canary-1 ', { text: 'sk-canary-1 ', kind: 'text' }],
  [
    'a JSON object as compact JSON',
    { user: 'u1', port: 1 },
    { text: '{"user":"u1","port":1}', kind: 'json' },
  ],
  ['a list', ['one-long', 'two-long'], { text: '["one-long","two-long"]', kind: 'json' }],
  ['a text that is JSON as it is', '{ "user": "u1" }', { text: '{ "user": "u1" }', kind: 'json' }],
  ['a text that is a number', '12345678', { text: '12345678', kind: 'text' }],
])('%s', (_, value, read) => {
  expect(readValue(value)).toEqual(read)
})

test.each([
  ['too short a text', 'canary7', /fewer than 8/],
  ['an empty object', {}, /fewer than 8/],
  ['a number', 12_345_678, /must be a text/],
  ['null', null, /must be a text/],
  ['nothing', undefined, /must be a text/],
  ['a NUL', 'canary\0canary', /NUL/],
  ['half a character', 'canary-\ud83d', /half of a character/],
  ['too long a text', 'canary--'.repeat(1_025), /8200 bytes; at most 8192/],
])('%s is refused, and not repeated', (_, value, says) => {
  expect(() => readValue(value)).toThrow(says)
  expect(() => readValue(value)).not.toThrow(/canary/)
})
