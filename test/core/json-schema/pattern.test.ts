import * as fc from 'fast-check'
import { describe, expect, it } from 'vitest'
import { compilePattern } from '../../../src/core/json-schema/patterns/pattern.ts'

function matches(source: string, text: string): boolean | string {
  const compiled = compilePattern(source)
  return compiled.ok ? compiled.pattern.test(text) : compiled.message
}

describe('patterns mean what ECMA-262 says', () => {
  const SOURCES = [
    String.raw`^\d+$`, String.raw`^\D$`, String.raw`^\w+$`, String.raw`^\W$`, String.raw`^\s$`, String.raw`^\S$`,
    String.raw`^[\s]$`, String.raw`^[^\s]$`, String.raw`^[\S]$`, String.raw`^[\d\-a]+$`, String.raw`^[\b]$`,
    String.raw`^.$`, String.raw`^[^]$`, '[]', String.raw`^\cJ$`, String.raw`^\x41$`, String.raw`^\u0041$`,
    String.raw`^\u{1F432}$`, String.raw`^\uD83D\uDC32$`, String.raw`^\0$`, String.raw`^\t\n\v\f\r$`,
    String.raw`^\p{Letter}+$`, String.raw`^\p{Lu}$`, String.raw`^\P{L}$`, String.raw`^[\p{L}\p{N}]+$`,
    String.raw`^\p{Script=Greek}+$`, String.raw`^\p{gc=Nd}$`, '^(?:a|b){2,3}$', '^(?<name>a)b?$', 'a|', '',
    '^a{0}b$', 'x*?y', String.raw`\bfoo\b`, String.raw`\Boo`, '^🐲{2}$', '^[🐲-🐵]$', '^[a-]$', '^[-a]$',
    String.raw`^https:\/\/`, '^[!-/:-@]$', '^[&&]$', '^(a(b(c)))$',
  ] // prettier-ignore
  const TEXTS = [
    '', 'a', 'b', 'ab', 'aab', 'abc', 'A', 'Z', '1', '42', '_', '-', '/', '&', ' ', '\t', '\n', '\v', '\f', '\r',
    '\t\n\v\f\r', '\u0000', '\b', '\u00a0', '\ufeff', '\u2028', '\u2029', '\u3000', '\u180e', 'é', 'école', 'γάλα',
    '٣', '🐲', '🐲🐲', '🐴', 'foo bar', 'food', 'https://x', 'xy', 'abc\n', 'K', 'ſ', '\u200b',
  ] // prettier-ignore

  it.each(SOURCES)('%s', (source) => {
    const native = new RegExp(source, 'u')
    for (const text of TEXTS) expect([text, matches(source, text)]).toEqual([text, native.test(text)])
  })

  it('agrees with the native engine on random patterns of its own making', () => {
    const pieces = fc.constantFrom('a', 'b', '.', '^', '$', '(', ')', '(?:', '[', ']', '[^', '-', '|', '*', '+', '?',
      '{2}', '{1,}', '{,', '\\', 'd', 'w', 's', 'S', 'u0061', 'p{L}', '🐲', ',', '{', '}') // prettier-ignore
    const sources = fc.array(pieces, { maxLength: 8 }).map((parts) => parts.join(''))
    const texts = fc.array(fc.constantFrom('a', 'b', ' ', '\n', '🐲', 'd', '-'), { maxLength: 6 })
    fc.assert(
      fc.property(sources, texts, (source, parts) => {
        const text = parts.join('')
        const ours = matches(source, text)
        expect(ours).toBe(natively(source, text) ?? ours)
      }),
      { numRuns: 2_000 },
    )
  })

  /** Undefined for what ECMA-262 refuses: there we may be lenient. */
  function natively(source: string, text: string): boolean | undefined {
    try {
      return new RegExp(source, 'u').test(text)
    } catch {
      return undefined
    }
  }
})

describe('patterns', () => {
  it.each([
    [String.raw`^https\:\/\/`, 'https://shop.example/'],
    [String.raw`^\"a\_\ \@$`, '"a_ @'],
    ['^a{,3}$', 'a{,3}'],
    ['^{}$', '{}'],
    [String.raw`^[\w-.]+$`, 'a-.'],
  ])('take %s, which is meant well', (source, text) => {
    expect(matches(source, text)).toBe(true)
  })

  it.each([
    ['a(?=b)', 'uses look-ahead, at character 2'],
    ['a(?!b)', 'uses look-ahead, at character 2'],
    ['(?<=a)b', 'uses look-behind, at character 1'],
    ['(?<!a)b', 'uses look-behind, at character 1'],
    [String.raw`(a)\1`, 'uses a back-reference, at character 4'],
    [String.raw`(?<x>a)\k<x>`, 'uses a back-reference, at character 8'],
    ['(?i)a', 'uses a kind of group that JSON Schema does not have, at character 1'],
    ['(?P<x>a)', 'uses a kind of group that JSON Schema does not have, at character 1'],
    [String.raw`\Aa\Z`, String.raw`has \A, which has no meaning, at character 1`],
    ['a{1001}', 'repeats more than 1000 times (use maxLength or maxItems for that), at character 2'],
    ['(?:a{100}){100}', 'is too large with its repeats written out'],
    ['a**', 'repeats a repeat, at character 2'],
    ['*a', 'repeats nothing, at character 1'],
    ['(a', 'ends inside a group, at character 2'],
    ['a)', 'closes a group that is not open, at character 2'],
    ['[a', 'ends inside a class, at character 3'],
    ['[z-a]', 'has a range that is out of order, at character 4'],
    ['a{2,1}', 'has a repeat whose numbers are out of order, at character 2'],
    ['a\\', 'ends with a backslash, at character 2'],
    [String.raw`\pL`, String.raw`has \p without a known {…}, at character 1`],
    [String.raw`\p{Nope}`, 'cannot be compiled (invalid character class range: `\\p{Nope}`)'],
    ['('.repeat(60), 'has more than 50 groups inside each other, at character 51'],
    ['a'.repeat(4_001), 'is longer than 4000 characters'],
  ])('refuse %s', (source, why) => {
    expect(matches(source, '')).toBe(why)
  })
})
