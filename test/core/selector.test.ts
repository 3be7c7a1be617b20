import * as fc from 'fast-check'
import { existsSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { parseSelector, select, type Selected } from '../../src/core/selector.ts'

function selected(text: string, value: unknown): Selected {
  const parsed = parseSelector(text)
  if (!parsed.ok) throw new Error(parsed.message)
  return select(parsed.selector, value)
}

const DOC: unknown = JSON.parse(`{
  "a": {"b": "plain", "nothing": null, "empty": []},
  "a.b": {"c-d": [{"x": 1}, {"x": 2}, {"y": 3}]},
  "_id": 7, "größe": 8, "": 9, "it's": 10, "\\"": 11, "*": 12, "^": 13, "$": 14, "..": 15, "0": 16, "__proto__": {"p": 17}
}`)

describe('select', () => {
  it.each([
    ['$.a.b', 'plain'],
    ['.a.b', 'plain'],
    ["$['a.b']['c-d'][1].x", 2],
    [`$["a.b"]['c-d'][-2].x`, 2],
    [".['a.b'].c-d[0].x", 1],
    ['$.a.nothing', null],
    ['$.a.empty', []],
    ['$._id', 7],
    ['$.größe', 8],
    ["$['']", 9],
    [String.raw`$['it\'s']`, 10],
    [String.raw`$["\""]`, 11],
    [String.raw`$['gr\u00f6\u00DFe']`, 8],
    ["$['*']", 12],
    ["$['^']", 13],
    ["$['$']", 14],
    ["$['..']", 15],
    ["$['0']", 16],
    ['$.__proto__.p', 17],
    ["$['a.b'].c-d[*].x", [1, 2]],
    ['$.a[*]', ['plain', null, []]],
  ])('%s', (text, value) => {
    expect(selected(text, DOC)).toEqual({ found: true, value })
  })

  it('gives the whole value for a root alone', () => {
    for (const value of [DOC, null, 0, '', [], undefined]) {
      expect(selected('$', value)).toEqual({ found: true, value })
      expect(selected('.', value)).toEqual({ found: true, value })
    }
  })

  it.each([
    ['$.a.q', 'has "b", "nothing", "empty", not .q'],
    ['$.a.b.c', '$.a.b is a string, not .c'],
    ['$.a.b.length', '$.a.b is a string, not .length'],
    ['$.a.b[0]', '$.a.b is a string, not [0]'],
    ['$.a.nothing.x', '$.a.nothing is null, not .x'],
    ['$.a.empty[0]', '$.a.empty is a list of 0, not [0]'],
    ['$.a.empty.length', '$.a.empty is a list of 0, not .length'],
    ['$.a.empty[*]', '$.a.empty is a list of 0, not any item'],
    ["$['a.b']['c-d'][3]", 'is a list of 3, not [3]'],
    ["$['a.b']['c-d'][-4]", 'is a list of 3, not [-4]'],
    ["$['a.b']['c-d'][*].z", 'none of its 3 parts has .z'],
    ['$[0]', 'not [0]'],
    ['$.constructor.name', 'not .constructor'],
    ['$.toString', 'not .toString'],
    ['$.a.__proto__', 'not .__proto__'],
    ['$.hasOwnProperty', 'not .hasOwnProperty'],
  ])('finds nothing at %s and says how far it came', (text, message) => {
    expect(selected(text, DOC)).toEqual({ found: false, message: expect.stringContaining(message) })
  })

  it('says little of a large value', () => {
    const value = Object.fromEntries(
      Array.from({ length: 10_000 }, (_, index) => [`k${index}`.repeat(100), 1]),
    )
    const answer = selected('$.missing', value)
    expect(JSON.stringify(answer).length).toBeLessThan(600)
  })

  it('is linear in what it selects', () => {
    const rows = Array.from({ length: 1_000 }, () => Array.from({ length: 1_000 }, (_, index) => index))
    const answer = selected('$[*][*]', rows)
    expect(answer.found && (answer.value as unknown[]).length).toBe(1_000_000)
  })
})

describe('parseSelector', () => {
  it.each([
    ['', 'starts with $ or .'],
    ['a', 'starts with $ or .'],
    [' $', 'starts with $ or .'],
    ['$ ', 'character 2 (" ")'],
    ['$..a', 'character 2 ("..a")'],
    ['..a', 'character 1 ("..a")'],
    ['$..*', 'character 2'],
    ['$.*', 'character 2 (".*")'],
    ['$.', 'character 2'],
    ['$.a.', 'character 4'],
    ['$.a b', 'character 4 (" b")'],
    ['$.1', 'character 2 (".1")'],
    ['$.-a', 'character 2'],
    ['$a', 'character 2'],
    ['$[]', 'character 2'],
    ['$[01]', 'character 2'],
    ['$[-0]', 'character 2'],
    ['$[1.0]', 'character 2'],
    ['$[9007199254740992]', 'character 2'],
    ['$[0,1]', 'character 2'],
    ['$[0:1]', 'character 2'],
    ["$['a','b']", 'character 2'],
    ["$['a", 'character 2'],
    [String.raw`$['\a']`, 'character 2'],
    [String.raw`$['\"']`, 'character 2'],
    [String.raw`$["\ud800"]`, 'character 2'],
    ['$["\n"]', 'character 2'],
    ['$.\ud800', 'character 2'],
    ['$.a~', 'character 4'],
    ['$.a^', 'character 4'],
    ['$[(@.length-1)]', 'character 2'],
    ['$[?(alert(1))]', 'character 2'],
    ["$[?(@.a=='aaaaaaaaaaaaaaaaaaaa')]", 'character 2'],
    ["$..[?(@.constructor.constructor('return process')())]", 'character 2'],
    [`$${'.a'.repeat(1_000)}`, 'at most 1000 characters'],
  ])('refuses %j and says where', (text, message) => {
    const start = performance.now()
    expect(parseSelector(text)).toEqual({ ok: false, message: expect.stringContaining(message) })
    expect(performance.now() - start).toBeLessThan(100)
  })

  it('says what is allowed', () => {
    const parsed = parseSelector('$.items[?@.price > 10]')
    expect(parsed).toEqual({
      ok: false,
      message:
        'character 8 ("[?@.price > 10]") is not understood; allowed are $ or . at the start, names (.a), ' +
        `quoted names (['a.b']), indexes ([0], [-1]) and [*]`,
    })
  })

  it('reaches any name when it is quoted', () => {
    fc.assert(
      fc.property(fc.string({ unit: 'grapheme' }), fc.jsonValue(), (name, value) => {
        const document = Object.fromEntries([[name, value]])
        expect(selected(`$[${JSON.stringify(name)}]`, document)).toEqual({ found: true, value })
      }),
    )
  })

  it('throws on no text whatsoever', () => {
    const pieces = fc.constantFrom(
      '$',
      '.',
      '[',
      ']',
      "'",
      '"',
      '*',
      '-',
      '0',
      '1',
      'a',
      '\\',
      'u00',
      ' ',
      '?',
      '\ud800',
    )
    fc.assert(
      fc.property(fc.array(pieces, { maxLength: 12 }), fc.jsonValue(), (parts, value) => {
        const parsed = parseSelector(parts.join(''))
        if (parsed.ok) select(parsed.selector, value)
      }),
      { numRuns: 2_000 },
    )
  })
})

/** The compliance suite of RFC 9535, which lies beside the repository when it is there at all. */
const SUITE = fileURLToPath(new URL('../../../shared/suites/jsonpath/cts.json', import.meta.url).href)
const isThere = existsSync(SUITE)
if (!isThere) console.log(`skipped: no JSONPath compliance suite at ${SUITE}`)

interface SuiteCase {
  name: string
  selector: string
  document?: unknown
  invalid_selector?: true
  result?: unknown[]
  results?: unknown[][]
}

describe.skipIf(!isThere)('the compliance suite of RFC 9535', () => {
  const { tests } = (isThere ? JSON.parse(readFileSync(SUITE, 'utf8')) : { tests: [] }) as {
    tests: SuiteCase[]
  }
  const ours = tests.filter(({ selector }) => parseSelector(selector).ok)
  /** The grammar of ours that RFC 9535 shares, told apart from all else by another hand. */
  const SHARED =
    /^\$(?:\.[A-Za-z_\u0080-\u{10ffff}][\w\u0080-\u{10ffff}]*|\[\*\]|\[-?\d+\]|\['[^',]*'\]|\["[^",]*"\])*$/u

  it('answers every selector of ours as the suite does', () => {
    for (const { name, selector, document, result, results } of ours) {
      const answer = selected(selector, document)
      const nodes = answer.found ? (selector.includes('[*]') ? answer.value : [answer.value]) : []
      expect({ name, allowed: results ?? [result] }).toEqual({
        name,
        allowed: expect.arrayContaining([nodes]),
      })
    }
  })

  it('refuses what the suite calls invalid', () => {
    expect(ours.filter((one) => one.invalid_selector)).toEqual([])
  })

  it('takes every valid selector that looks like ours', () => {
    const valid = tests.filter((one) => !one.invalid_selector && SHARED.test(one.selector))
    expect(valid.filter(({ selector }) => !parseSelector(selector).ok)).toEqual([])
    expect(valid.length).toBeGreaterThan(40)
  })
})
