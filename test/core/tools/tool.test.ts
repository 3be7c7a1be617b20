import { expect, test } from 'vitest'
import { parseToolRef } from '../../../src/core/tools/tool.ts'

const HASH = 'a'.repeat(64)

test.each([
  ['tool:count-words', { maker: null, slugKey: 'count-words', pin: null }],
  ['tool:Count_Words', { maker: null, slugKey: 'count_words', pin: null }],
  ['tool:me/count-words', { maker: null, slugKey: 'count-words', pin: null }],
  ['tool:count-words@3', { maker: null, slugKey: 'count-words', pin: { number: 3 } }],
  ['tool:you/count-words', { maker: 'you', slugKey: 'count-words', pin: null }],
  ['tool:you/count-words@2', { maker: 'you', slugKey: 'count-words', pin: { number: 2 } }],
  [`tool:me/count-words@${HASH}`, { maker: null, slugKey: 'count-words', pin: { hash: HASH } }],
])('%s names a version', (text, ref) => {
  expect(parseToolRef(text, 'me')).toEqual(ref)
})

test.each([
  'count-words',
  'tool:',
  'tool:1st',
  'tool:a b',
  'tool:a\n',
  'tool:../x',
  'TOOL:x',
  'tool:a@0',
  'tool:a@01',
  'tool:a@1e3',
  `tool:a@${HASH}0`,
  'tool:a@',
  `tool:${'a'.repeat(64)}`,
])('%j names none', (text) => {
  expect(parseToolRef(text, 'me')).toBe(null)
})
