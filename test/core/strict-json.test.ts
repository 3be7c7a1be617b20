import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { lastLine, readStrictJson } from '../../src/core/strict-json.ts'

const NO_NUMBER = 'JSON has no such number: write null or a string instead'
const AS_TEXT = 'write it as a string'

describe('readStrictJson', () => {
  it.each([
    ['{"count": 0, "mean": NaN}', '$.mean', 'is NaN, which JSON does not have', NO_NUMBER],
    ['[1, [-Infinity]]', '$[1][0]', 'is -Infinity, which JSON does not have', NO_NUMBER],
    ['{"a.b": Infinity}', '$["a.b"]', 'is Infinity, which JSON does not have', NO_NUMBER],
    ['{"text": "NaN", "x": nan}', '$.x', 'is nan, which JSON does not have', NO_NUMBER],
    ['[inf]', '$[0]', 'is inf, which JSON does not have', NO_NUMBER],
    ['{"x": None}', '$.x', 'is None, which JSON does not have', 'write null'],
    ['[true, False]', '$[1]', 'is False, which JSON does not have', 'write false'],
    ['{"a": undefined}', '$.a', 'is undefined, which JSON does not have', 'write null'],
    ['[9007199254740993]', '$[0]', 'is 9007199254740993, past ±9007199254740991, where whole numbers lose digits', AS_TEXT],
    ['{"id": -9007199254740992}', '$.id', 'is -9007199254740992, past ±9007199254740991, where whole numbers lose digits', AS_TEXT],
    ['{"a": 1e20, "b": 123456789012345678901}', '$.b', 'is 123456789012345678901, past ±9007199254740991, where whole numbers lose digits', AS_TEXT],
    ['[1e400]', '$[0]', 'is 1e400, too large for a number', AS_TEXT],
    ['-1E999', '$', 'is -1E999, too large for a number', AS_TEXT],
  ])('%s', (text, ...[path, message, hint]) => {
    expect(readStrictJson(text)).toEqual({ ok: false, path, message, hint })
  }) // prettier-ignore

  it.each([
    ['["a\\ud800b"]', '$[0]'],
    ['{"x": "\ud800"}', '$.x'],
    ['{"x": "\udc00\ud800"}', '$.x'],
    ['{"x": 1e20, "y": "\\udfff"}', '$.y'],
    ['{"a": {"\\ud800": 1}}', '$.a["\ufffd"]'],
  ])('refuses half a character in %j', (text, path) => {
    expect(readStrictJson(text)).toMatchObject({
      ok: false,
      path,
      message: expect.stringContaining('lone surrogate'),
    })
  })

  it.each([
    ['', '$', 'it ends too early'],
    ['  ', '$', 'it ends too early'],
    ['[1', '$', 'it ends too early'],
    ['{"a": "b', '$.a', 'it ends too early'],
    ['```json', '$', '"```json" at character 1 does not belong there'],
    ["{'a': 1}", '$', `"'a': 1}" at character 2 does not belong there`],
    ['{"a": 1,}', '$', '"}" at character 9 does not belong there'],
    ['{"a": {"b": [1 2]}}', '$.a.b', '"2]}}" at character 16 does not belong there'],
    ['{"a" 1}', '$', '"1}" at character 6 does not belong there'],
    ['[1] 2', '$', '"2" at character 5 does not belong there'],
    ['[01]', '$[0]', '"01]" at character 2 does not belong there'],
    ['[1.]', '$[0]', '"1.]" at character 2 does not belong there'],
    ['[+1]', '$[0]', '"+1]" at character 2 does not belong there'],
    ['["a\\x"]', '$[0]', '"\\\\x\\"]" at character 4 does not belong there'],
    ['["a\tb"]', '$[0]', '"\\tb\\"]" at character 4 does not belong there'],
    ['\ufeff1', '$', '"\ufeff1" at character 1 does not belong there'],
    ['[1]\u00a0', '$', '"\u00a0" at character 4 does not belong there'],
  ])('says where %j stops being JSON', (text, path, message) => {
    const answer = readStrictJson(text)
    expect(answer).toMatchObject({ ok: false, path, hint: 'write one JSON value' })
    expect(answer.ok ? '' : answer.message).toContain(`is not JSON: ${message}`)
  })

  it.each([
    ['{"bread":"nan","letter":"Dear all,\\nan early note","list":["Nan","banana","NaN","-Infinity"]}'],
    ['{"rate": 1.2e-07}'],
    ['[9007199254740991, -9007199254740991, 1e20, 12345678901234567890.5, 1.7976931348623157e308]'],
    ['[0.1, 5e-324, 1e-400, -0]'],
    ['"\\ud83e\\uddea"'],
    ['{"a": 1, "a": 2}'],
    [' \t\r\n null \n'],
  ])('reads %s as JSON.parse does', (text) => {
    expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
  })

  it('keeps __proto__ as plain data', () => {
    const answer = readStrictJson('{"__proto__": {"admin": true}}')
    expect(answer.ok && Object.hasOwn(answer.value as object, '__proto__')).toBe(true)
    expect(answer.ok && (answer.value as { admin?: boolean }).admin).toBe(undefined)
    expect(readStrictJson('{"__proto__": NaN}')).toMatchObject({ path: '$.__proto__' })
  })

  it('takes 64 levels and no more, of whatever length', () => {
    const nest = (levels: number, inner = ''): string => '['.repeat(levels) + inner + ']'.repeat(levels)
    expect(readStrictJson(nest(64, '1')).ok).toBe(true)
    for (const text of [
      nest(65),
      nest(20_000),
      nest(20_000, 'NaN'),
      '['.repeat(100_000),
      '{"a":'.repeat(100_000),
    ]) {
      expect(readStrictJson(text)).toMatchObject({ ok: false, message: 'is more than 64 levels deep' })
    }
  })

  it('begins paths where it is told to', () => {
    expect(readStrictJson('{"mean": NaN}', 'result')).toMatchObject({ path: 'result.mean' })
  })

  it('repeats little of a long text', () => {
    for (const text of [
      `x${'y'.repeat(10_000)}`,
      '9'.repeat(10_000),
      `{"${'k'.repeat(10_000)}": NaN}`,
      `{"a": "${'z'.repeat(10_000)}`,
    ]) {
      expect(JSON.stringify(readStrictJson(text)).length).toBeLessThan(300)
    }
  })

  it('is fast on four megabytes, right or wrong', () => {
    const rows = Array.from({ length: 60_000 }, (_, index) => ({
      id: index,
      name: `row ${index}`,
      tags: ['a', 'b'],
      x: 0.5,
    }))
    const text = JSON.stringify(rows)
    const start = performance.now()
    expect(readStrictJson(text).ok).toBe(true)
    expect(readStrictJson(`${text.slice(0, -1)},NaN]`)).toMatchObject({ path: '$[60000]' })
    expect(readStrictJson(`${text.slice(0, -1)},1e20]`).ok).toBe(true)
    expect(performance.now() - start).toBeLessThan(3_000)
  })

  it('agrees with JSON.parse on what JSON.stringify writes', () => {
    fc.assert(
      fc.property(fc.jsonValue({ stringUnit: 'binary' }), (value) => {
        const text = JSON.stringify(value)
        fc.pre(!/\d{16}/.test(text)) // integers past 2^53 are refused
        expect(readStrictJson(text)).toEqual({ ok: true, value: JSON.parse(text) as unknown })
      }),
    )
  })

  it('takes no text that JSON.parse refuses, and refuses others only in its own words', () => {
    const pieces = fc.constantFrom(
      '{',
      '}',
      '[',
      ']',
      ',',
      ':',
      '"',
      '"a"',
      '1',
      '-',
      'e5',
      '.5',
      'null',
      'NaN',
      ' ',
      '\\',
      '\n',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 10 }), (parts) => {
        const text = parts.join('')
        expect(readStrictJson(text).ok).toBe(isJson(text))
      }),
      { numRuns: 5_000 },
    )
  })

  function isJson(text: string): boolean {
    try {
      JSON.parse(text)
      return true
    } catch {
      return false
    }
  }
})

describe('lastLine', () => {
  it.each([
    ['log\n{"n":3}', '{"n":3}'],
    ['log\n{"n":3}\n\n  \n', '{"n":3}'],
    ['log\r\n{"n":3}\r\n', '{"n":3}'],
    ['progress 1\rprogress 2\r{"n":3}', '{"n":3}'],
    ['only', 'only'],
    ['', undefined],
    [' \n\t\n', undefined],
  ])('%j', (text, line) => {
    expect(lastLine(text)).toBe(line)
  })
})
