import { expect, test } from 'vitest'
import { anyOf, jobQuery } from '../../../../src/core/tools/search/query.ts'

test.each([
  ['count "the" words*', '"count" OR "word"'],
  ['NEAR(a b) AND x:y -z ^q', '"near" OR "b" OR "x" OR "y" OR "z" OR "q"'],
  ["'; drop table tool; --", '"drop" OR "tabl" OR "tool"'],
  ['?!', ''],
])('the job %j is no query of its own: %j', (job, expected) => {
  expect(anyOf(jobQuery(job).whole)).toBe(expected)
})

test('a job of several sentences is looked for in parts too', () => {
  const job = 'Resize the image. Then convert it to PNG, and then upload the picture; thanks'
  expect(jobQuery(job).clauses).toEqual([
    ['resiz', 'imag'],
    ['convert', 'png'],
    ['upload', 'pictur'],
  ])
  expect(jobQuery('Resize the image').clauses).toEqual([])
  expect(jobQuery('Resize the image. Resize the images!').clauses).toEqual([])
})

test('neither words nor parts without end', () => {
  const sentence = (i: number) =>
    `alpha${String.fromCharCode(97 + (i % 26))}${String.fromCharCode(97 + (i % 25))} beta. `
  const { whole, clauses } = jobQuery(Array.from({ length: 90 }, (_, i) => sentence(i)).join(''))
  expect(whole).toHaveLength(64)
  expect(clauses).toHaveLength(6)
})
