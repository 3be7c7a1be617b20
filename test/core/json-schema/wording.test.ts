import { describe, expect, it } from 'vitest'
import { childPath } from '../../../src/core/json-schema/path.ts'
import { brief, choices, count, listed, nearest } from '../../../src/core/json-schema/wording.ts'

describe('childPath', () => {
  it.each([
    ['text', 'input.text'],
    ['$ref', 'input.$ref'],
    ['c-d', 'input.c-d'],
    ['größe', 'input.größe'],
    ['a.b', 'input["a.b"]'],
    ['1a', 'input["1a"]'],
    ['', 'input[""]'],
    ['say "hi"', String.raw`input["say \"hi\""]`],
    [0, 'input[0]'],
  ])('names %j', (key, path) => {
    expect(childPath('input', key)).toBe(path)
  })

  it('cuts long names and long paths', () => {
    expect(childPath('input', 'k'.repeat(1_000))).toBe(`input["${'k'.repeat(40)}…"]`)
    let path = 'input'
    for (let level = 0; level < 1_000; level += 1) path = childPath(path, 'level')
    expect(path.length).toBeLessThan(320)
    expect(path.endsWith('…')).toBe(true)
  })
})

describe('nearest', () => {
  const known = ['text', 'count', 'result_selector', 'outputSchema']
  it.each([
    ['txet', 'text'],
    ['Text', 'text'],
    ['counts', 'count'],
    ['resultSelector', 'result_selector'],
    ['output_schema', 'outputSchema'],
    ['weight', undefined],
    ['', undefined],
    ['x'.repeat(10_000), undefined],
  ])('finds for %j %j', (name, meant) => {
    expect(nearest(name, known)).toBe(meant)
  })
})

describe('words', () => {
  it.each([
    ['a', '"a"'],
    ['x'.repeat(41), 'a string of 41 characters'],
    [{ a: [1, 2] }, '{"a":[1,2]}'],
    [Array.from({ length: 100 }, () => 0), 'an array'],
    [{ a: 'x'.repeat(1_000_000) }, 'an object'],
    [null, 'null'],
    [false, 'false'],
  ])('are brief about a value', (value, words) => {
    expect(brief(value)).toBe(words)
  })

  it('list and count', () => {
    expect([choices(['a']), choices(['a', 'b']), choices(['a', 'b', 'c'])]).toEqual([
      'a',
      'a or b',
      'a, b or c',
    ])
    expect(listed(Array.from({ length: 20 }, (_, index) => String(index)))).toMatch(
      /^0, 1, .* 11, … \(20 in all\)$/,
    )
    expect([count(1, 'item'), count(2, 'item')]).toEqual(['1 item', '2 items'])
  })
})
