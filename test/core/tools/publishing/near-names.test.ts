import { describe, expect, test } from 'vitest'
import {
  hiddenFaults,
  isWithin,
  nearNames,
  type Name,
} from '../../../../src/core/tools/publishing/near-names.ts'

const named = (slug: string, given: Partial<Name> = {}): Name => ({
  handle: 'bob',
  slug,
  label: null,
  ...given,
})
const published = (slug: string, given: Partial<Name> = {}): Name =>
  named(slug, { handle: 'alice', ...given })

describe('a name that cannot be told from a published one', () => {
  test.each([
    [named('c0unt-words'), published('count-words')],
    [named('count-vvords'), published('count-words')],
    [named('trirn-video'), published('trim-video')],
    [named('cIip'), published('clip')],
    [named('c1ip'), published('clip')],
    [named('x', { label: 'Соunt words' }), published('y', { label: 'Count words' })],
    [named('x', { label: 'lmage tool' }), published('y', { label: 'Image tool' })],
    [named('count-words', { handle: 'w0rkshop' }), published('count-words', { handle: 'workshop' })],
    [named('Count_words', { handle: 'workshop-' }), published('count-words', { handle: 'w0rkshop' })],
  ])('%j beside %j is refused', (own, other) => {
    expect(nearNames(own, [other])).toEqual({ refused: [`tool:${other.handle}/${other.slug}`], similar: [] })
  })
})

describe('a name that is close', () => {
  test.each([
    [named('count-words'), published('count-words')],
    [named('Count_Words'), published('count-words')],
    [named('cuont-words'), published('count-words')],
    [named('count-word'), published('count-words')],
    [named('countt-worrds'), published('count-words')],
    [named('x', { label: 'COUNT-words' }), published('y', { label: 'Count words' })],
  ])('%j beside %j is flagged', (own, other) => {
    expect(nearNames(own, [other])).toEqual({ refused: [], similar: [`tool:${other.handle}/${other.slug}`] })
  })
})

test.each([
  [named('count-words'), published('count-lines')],
  [named('png'), published('jpg')],
  [named('h264'), published('h265')],
  [named('csv-to-json'), published('json-to-csv')],
  [named('x', { label: 'Count words' }), published('y')],
])('%j beside %j is neither', (own, other) => {
  expect(nearNames(own, [other])).toEqual({ refused: [], similar: [] })
})

test.each([
  ['abc', 'abc', 0],
  ['abcd', 'abdc', 1],
  ['abcd', 'acbdx', 2],
  ['', 'ab', 2],
])('%s becomes %s by no less than %i edits', (a, b, edits) => {
  expect(isWithin(a, b, edits)).toBe(true)
  expect(isWithin(a, b, edits - 1)).toBe(false)
})

describe('hidden characters', () => {
  test.each([
    ['Count\u200b words', 'U+200B'],
    ['Count \u202ewords', 'U+202E'],
    ['Count\u00adwords', 'U+00AD'],
    ['Count\u3164', 'U+3164'],
    ['Count \u{e0041}', 'U+E0041'],
    ['Count\u0000', 'U+0000'],
    ['Count\u200dwords', 'U+200D'],
  ])('in %j are named', (job, code) => {
    expect(hiddenFaults({ job })).toMatchObject([{ path: 'job', message: expect.stringContaining(code) }])
  })

  test.each(['Two\nlines\tand a tab', 'Family 👨‍👩‍👧 ❤️', 'نمی‌خواهم', 'Zähle Wörter', '数える', undefined])(
    'are none in %j',
    (job) => {
      expect(hiddenFaults({ job })).toEqual([])
    },
  )
})
