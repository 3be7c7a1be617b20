import * as fc from 'fast-check'
import { expect, test } from 'vitest'
import { canonicalJson } from '../../src/core/canonical-json.ts'

test('keys stand in order at every level, lists as they are', () => {
  expect(canonicalJson({ b: [{ d: 1, c: 2 }, 3], a: null })).toBe('{"a":null,"b":[{"c":2,"d":1},3]}')
})

test('equal values give equal text, and the text is the value', () => {
  const reversed = (value: unknown): unknown => {
    if (Array.isArray(value)) return value.map(reversed)
    if (value === null || typeof value !== 'object') return value
    return Object.fromEntries(
      Object.entries(value)
        .toReversed()
        .map(([key, part]) => [key, reversed(part)]),
    )
  }
  fc.assert(
    fc.property(fc.jsonValue(), (value) => {
      expect(canonicalJson(reversed(value))).toBe(canonicalJson(value))
      expect(JSON.parse(canonicalJson(value))).toEqual(JSON.parse(JSON.stringify(value)))
    }),
  )
})
