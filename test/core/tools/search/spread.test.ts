import { expect, test } from 'vitest'
import { spread } from '../../../../src/core/tools/search/spread.ts'

/** Candidates by name, score, and the parts of the job that they speak of. */
const list = (...ones: [string, number, Record<string, number>, boolean?][]) =>
  ones.map(([name, score, parts, hasFailed = false]) => ({
    name,
    score,
    hasFailed,
    parts: new Map(Object.entries(parts)),
  }))

const names = (candidates: ReturnType<typeof list>) =>
  spread(candidates, 5)
    .map(({ name }) => name)
    .join(' ')

test('who speaks of what the first leaves out comes before who repeats it', () => {
  const weather = { weather: 0.3, oslo: 0.2 }
  const sorted = list(
    ['a', 1, weather],
    ['b', 0.9, weather],
    ['c', 0.8, weather],
    ['d', 0.7, { translate: 0.5 }],
  )
  expect(names(sorted)).toBe('a d b c')
})

test('a poor match is not lifted over a good one by what it adds', () => {
  const sorted = list(['a', 1, { x: 0.5 }], ['b', 0.9, { x: 0.5 }], ['c', 0.3, { y: 0.5 }])
  expect(names(sorted)).toBe('a b c')
})

test('the best match stays first, whatever others speak of', () => {
  expect(names(list(['a', 1, {}], ['b', 0.99, { x: 1 }]))).toBe('a b')
})

test('a job of one clause leaves all in their places', () => {
  const sorted = list(
    ...Array.from({ length: 30 }, (_, i) => [`t${i}`, 1, {}] as [string, number, Record<string, number>]),
  )
  expect(names(sorted)).toBe(sorted.map(({ name }) => name).join(' '))
})

test('a tool whose sample fails is never lifted', () => {
  const sorted = list(['a', 1, { x: 0.5 }], ['b', 0.5, { x: 0.5 }], ['c', 0.9, { y: 0.5 }, true])
  expect(names(sorted)).toBe('a b c')
})
