import { describe, expect, test } from 'vitest'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import { jobsText } from '../../../../src/core/tools/search/index/jobs.ts'
import { searchText } from '../../../../src/core/tools/search/text.ts'
import { distinctStems, stems } from '../../../../src/core/tools/search/words.ts'

describe('stems', () => {
  test.each([
    ['Counting the words in texts', ['count', 'word', 'text']],
    ['csvToJson snake_case src/main-file.ts', ['csv', 'json', 'snake', 'case', 'src', 'main', 'file', 'ts']],
    ['parseHTTPResponse mp3', ['pars', 'http', 'respons', 'mp', '3']],
    ['vat vat vat VAT', ['vat', 'vat']],
    ['résumé ＡＢＣ Straße', ['resum', 'abc', 'straße']],
    ['使用必应搜索', ['使用', '用必', '必应', '应搜', '搜索']],
    ['the of and', []],
    ['😀 👍🏽', []],
  ])('%j', (text, expected) => {
    expect(stems(text, 50)).toEqual(expected)
  })

  test('no more than the cap, each word once where only that counts', () => {
    const many = Array.from(
      { length: 99 },
      (_, i) => `${'abcdefghij'[i % 10]}${'klmnopqrst'[Math.floor(i / 10)]}`,
    )
    expect(stems(many.join(' '), 12)).toHaveLength(12)
    expect(distinctStems('vat vat uk', 12)).toEqual(['vat', 'uk'])
  })
})

test('the index holds name, maker, job and inputs, each in its column', () => {
  expect(searchText(EXAMPLE.descriptor, 'ada')).toEqual({
    name: 'count word',
    provider: 'ada',
    descr: 'count word text',
    params: 'text text whose word count',
    jobs: '',
  })
})

describe('the jobs a tool is known to have done', () => {
  test('no job twice, one a reporter, twenty at most', () => {
    const met = [
      { reporter: 'ada', job: 'Count my words' },
      { reporter: 'ada', job: 'Count these sentences' },
      { reporter: 'bob', job: 'count my WORDS!' },
      { reporter: 'eve', job: 'the' },
      { reporter: 'bob', job: 'Length of an essay' },
    ]
    expect(jobsText(met)).toBe('count word length essai')
    const many = Array.from({ length: 50 }, (_, i) => ({
      reporter: `r${i}`,
      job: `job${'abcdefghijklmnopqrstuvwxy'[i % 25]}${'qwxz'[i % 4]}`,
    }))
    expect(jobsText(many).split(' ')).toHaveLength(20)
  })

  test('a long or stuffed one adds no more than another', () => {
    const stuffed = { reporter: 'eve', job: 'vat '.repeat(500) + 'best tool' }
    expect(jobsText([stuffed, { reporter: 'ada', job: 'add vat' }])).toBe('vat vat add')
  })
})
