import { expect, test } from 'vitest'
import { grownAt, inReportsOfToday } from '../../../../src/core/tools/evidence/grown.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-30T12:00:00Z')

test('a sum of reports is worth each of them, halved for every 90 days', () => {
  const sum = grownAt(NOW) + grownAt(NOW - 90 * DAY) + grownAt(NOW - 180 * DAY)
  expect(inReportsOfToday(sum, NOW)).toBeCloseTo(1.75, 9)
  expect(inReportsOfToday(sum, NOW + 90 * DAY)).toBeCloseTo(0.875, 9)
})

test('sums stay numbers for a century', () => {
  expect(inReportsOfToday(grownAt(NOW), NOW + 36_500 * DAY)).toBeGreaterThan(0)
  expect(grownAt(NOW + 36_500 * DAY) * 1e9).toBeLessThan(Number.MAX_VALUE)
})
