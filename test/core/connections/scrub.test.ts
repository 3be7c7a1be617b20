import { describe, expect, test } from 'vitest'
import { scrubberOf } from '../../../src/core/connections/scrub.ts'

const VALUE = 'k3y "with" /odd+\\chärs\n&100%25 ok?'
const scrubber = scrubberOf(new Map([['odd', VALUE]]))
const MARK = '[connection odd]'

const utf8 = (text: string) => new TextEncoder().encode(text)
const base64 = (text: string) => btoa(String.fromCharCode(...utf8(text)))
const json = (text: string) => JSON.stringify(text).slice(1, -1)
const form = (text: string) => new URLSearchParams({ v: text }).toString().slice(2)
const everyByte = (text: string) =>
  Array.from(utf8(text), (byte) => `%${byte.toString(16).padStart(2, '0')}`).join('')
const everyUnit = (text: string) =>
  text
    .split('')
    .map((unit) => `\\u${unit.charCodeAt(0).toString(16).padStart(4, '0')}`)
    .join('')

describe('a value is found however it is written', () => {
  test.each<[string, (text: string) => string]>([
    ['as it is', (text) => text],
    ['without its ends', (text) => text.trim()],
    ['percent-encoded', encodeURIComponent],
    [
      'percent-encoded in lower case',
      (text) => encodeURIComponent(text).toLowerCase().replace('chärs', 'chärs'),
    ],
    ['as a path', encodeURI],
    ['as a form', form],
    ['with every byte encoded', everyByte],
    ['percent-encoded twice', (text) => encodeURIComponent(encodeURIComponent(text))],
    ['escaped as in JSON', json],
    ['as JSON in JSON', (text) => json(json(text))],
    ['as JSON in JSON in JSON', (text) => json(json(json(text)))],
    ['as JSON with every character escaped', everyUnit],
    ['as JSON in an address', (text) => encodeURIComponent(json(text))],
    ['as PHP escapes', (text) => json(text).replaceAll('/', '\\/')],
  ])('%s', (_, write) => {
    expect(scrubber.text(`before ${write(VALUE)} after`)).toBe(`before ${MARK} after`)
    expect(scrubber.finds(write(VALUE))).toBe(true)
  })

  test.each([0, 1, 2, 3, 4, 5])('in base64 behind %i bytes', (count) => {
    const whole = base64(`${'x'.repeat(count)}${VALUE}tail`)
    for (const text of [whole, whole.replaceAll('+', '-').replaceAll('/', '_'), encodeURIComponent(whole)]) {
      const scrubbed = scrubber.text(text)
      expect(scrubbed).toContain(MARK)
      // At most a few characters at the edges, which other bytes decide too, are left.
      expect(scrubbed.replace(MARK, '').length).toBeLessThanOrEqual(base64('x'.repeat(count)).length + 14)
    }
  })

  test('in hex', () => {
    const hex = Array.from(utf8(VALUE), (byte) => byte.toString(16).padStart(2, '0')).join('')
    expect(scrubber.text(hex)).toBe(MARK)
    expect(scrubber.text(hex.toUpperCase())).toBe(MARK)
  })
})

test('every random value is found in every spelling', () => {
  const random = seeded(7)
  const alphabet = 'aZ09 +/\\"\'%&=?#\n\té漢😀-_.~!*()'
  const letters = Array.from(alphabet)
  for (let round = 0; round < 300; round += 1) {
    const length = 8 + Math.floor(random() * 24)
    const value = Array.from({ length }, () => letters[Math.floor(random() * letters.length)]).join('')
    if (value.trim().length < 8 || value.includes('\n')) continue
    const { text } = scrubberOf(new Map([['r', value]]))
    for (const write of [
      (x: string) => x,
      encodeURIComponent,
      form,
      json,
      (x: string) => json(json(x)),
      everyByte,
    ]) {
      expect([write(value), text(`<${write(value)}>`)]).toEqual([write(value), '<[connection r]>'])
    }
  }
})

test('the texts of a JSON value are found by themselves; shorter ones and other kinds are not', () => {
  const value = JSON.stringify({
    user: 'u1',
    password: 'hunter2-long',
    more: [{ deep: 'deep-secret', port: 54_321 }],
  })
  const { deep } = scrubberOf(new Map([['DB', value]]))
  expect(deep({ a: 'hunter2-long', b: ['is deep-secret.'], c: 'u1', d: 54_321, e: value })).toEqual({
    a: '[connection DB]',
    b: ['is [connection DB].'],
    c: 'u1',
    d: 54_321,
    e: '[connection DB]',
  })
})

test('the lines of a value are found by themselves', () => {
  const pem = '-----BEGIN X-----\nMIIEline1aaaa\nMIIEline2bbbb\n-----END X-----\n'
  const { text } = scrubberOf(new Map([['pem', pem]]))
  expect(text('got MIIEline2bbbb')).toBe('got [connection pem]')
  expect(text(pem)).toBe('[connection pem]')
})

test('keys and numbers are scrubbed too, everything else is left as it was', () => {
  const { deep } = scrubberOf(new Map([['pin', '12345678']]))
  const given = { 'is 12345678': [12_345_678, 1234, null, true, { a: '1234567' }] }
  expect(deep(given)).toEqual({
    'is [connection pin]': ['[connection pin]', 1234, null, true, { a: '1234567' }],
  })
})

test('what was cut in the middle of a value is taken at the ends of a text', () => {
  const { cut } = scrubberOf(new Map([['key', 'sk-0123456789abcdef']]))
  expect(cut('456789abcdef and sk-0123456789abcdef and sk-012345678')).toBe(
    '[connection key] and [connection key] and [connection key]',
  )
  expect(cut('9abcdef stays')).toBe('9abcdef stays')
})

test('two values, one in the other, and none at all', () => {
  const { text } = scrubberOf(
    new Map([
      ['short', 'abcdefgh'],
      ['long', 'xx-abcdefgh-yy'],
    ]),
  )
  expect(text('xx-abcdefgh-yy abcdefgh')).toBe('[connection long] [connection short]')
  const none = scrubberOf(new Map())
  const given = { a: ['%61', 1] }
  expect(none.deep(given)).toBe(given)
  expect(none.finds('anything')).toBe(false)
  expect(none.longest).toBe(0)
})

test('a text made to take long to search is taken out whole', () => {
  const { text } = scrubberOf(new Map([['hard', `${'\\'.repeat(200)}x`]]))
  expect(text(`a${'\\'.repeat(500_000)}`)).toBe('[connection hard]')
})

/** The same numbers in every run. */
function seeded(seed: number): () => number {
  let state = seed
  return () => {
    state = (state * 1_103_515_245 + 12_345) % 2_147_483_648
    return state / 2_147_483_648
  }
}
