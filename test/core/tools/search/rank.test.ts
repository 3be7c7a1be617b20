import { describe, expect, test } from 'vitest'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import { FITS_FROM, matchExpression, rank, type Rankable } from '../../../../src/core/tools/search/rank.ts'
import { shortSchema } from '../../../../src/core/tools/search/short-schema.ts'
import { searchText } from '../../../../src/core/tools/search/text.ts'
import { words } from '../../../../src/core/tools/search/words.ts'

const tool = (id: string, job: string, sampleState = 'passed'): Rankable => ({
  toolId: `tool:${id}`,
  descriptor: {
    ...EXAMPLE.descriptor,
    id: `tool:${id}`,
    job,
    label: undefined,
    input_schema: { type: 'object' },
  },
  sampleState,
})

describe('words', () => {
  test.each([
    ['Count the words in a text', ['count', 'words', 'text']],
    ['csvToJson snake_case src/main-file.ts', ['csv', 'json', 'snake', 'case', 'src', 'main', 'file', 'ts']],
    ['vat vat vat VAT', ['vat', 'vat']],
    ['要求 résumé ＡＢＣ', ['要求', 'résumé', 'abc']],
    ['the of and', []],
  ])('%j', (text, expected) => {
    expect(words(text, 50)).toEqual(expected)
  })

  test('no more than the cap', () => {
    expect(words(Array.from({ length: 99 }, (_, i) => `w${i}`).join(' '), 12)).toHaveLength(12)
  })
})

test('the index holds name, maker, job and inputs, each in its column', () => {
  expect(searchText(EXAMPLE.descriptor, 'ada')).toEqual({
    name: 'count words count words',
    provider: 'ada',
    descr: 'count words text',
    params: 'text text whose words counted',
  })
})

test.each([
  ['count "the" words*', '"count" OR "words"'],
  ['NEAR(a b) AND x:y', '"near" OR "b" OR "x" OR "y"'],
  ['?!', null],
])('the job %j is no query of its own: %j', (job, expected) => {
  expect(matchExpression(job)).toBe(expected)
})

describe('rank', () => {
  const count = tool('count-words', 'Count the words in a text')
  const lines = tool('count-lines', 'Count the lines in a file')
  const broken = tool('word-count', 'Count words of a text', 'failed')

  const order = (job: string, named: Rankable[], found: Rankable[]) =>
    rank(job, 'me', { named, found }).map(({ tool, score, matchedOn }) => [tool.toolId, score, matchedOn])

  test('by the share of the job that a tool has in common with it', () => {
    expect(order('counting the words of my texts', [], [lines, count])).toEqual([
      ['tool:count-words', 1, 'words of the job'],
      ['tool:count-lines', 0.33, 'words of the job'],
    ])
  })

  test('an exact name comes first, once, and a failed sample last', () => {
    expect(order('count-lines', [lines], [broken, count, lines])).toEqual([
      ['tool:count-lines', 1, 'exact name'],
      ['tool:count-words', 0.5, 'words of the job'],
      ['tool:word-count', 0.5, 'words of the job'],
    ])
  })

  test('another job fits nothing', () => {
    const [best] = rank('count the calories of my dinner', 'me', { named: [], found: [count] })
    expect(best?.score).toBeLessThan(FITS_FROM)
  })
})

describe('a schema in a list', () => {
  test('stays whole when it is short', () => {
    expect(shortSchema(EXAMPLE.descriptor.input_schema)).toEqual(EXAMPLE.descriptor.input_schema)
  })

  test('is cut to fields and types, then to a pointer', () => {
    const field = { type: 'string', description: 'x'.repeat(1_000) }
    expect(shortSchema({ type: 'object', properties: { text: field }, required: ['text'] })).toEqual({
      type: 'object',
      properties: { text: { type: 'string' } },
      required: ['text'],
      $comment: expect.stringContaining('describe_tool'),
    })
    const long = Object.fromEntries(
      Array.from({ length: 20 }, (_, i) => ['x'.repeat(100) + String(i), field]),
    )
    expect(shortSchema({ type: 'object', properties: long })).toEqual({
      type: 'object',
      $comment: expect.stringContaining('describe_tool'),
    })
  })
})
