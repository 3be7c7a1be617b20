import { expect, test } from 'vitest'
import { nextCheckAt } from '../../../../src/core/tools/publishing/check-time.ts'

const DAY = 86_400_000
const NOW = Date.parse('2026-11-30T12:34:56.789Z')

test('a tool has its minute of the day, strictly later, and keeps it', () => {
  const first = nextCheckAt('tool_a', NOW)
  expect(first).toBeGreaterThan(NOW)
  expect(first - NOW).toBeLessThanOrEqual(DAY)
  expect(first % 60_000).toBe(0)
  expect(nextCheckAt('tool_a', first)).toBe(first + DAY)
  expect(nextCheckAt('tool_a', first - 1)).toBe(first)
  expect(nextCheckAt('tool_a', first + 3 * DAY + 1)).toBe(first + 4 * DAY)
})

test('tools are spread over the day', () => {
  const hours = Array.from({ length: 24 }, () => 0)
  for (let i = 0; i < 2_400; i += 1) {
    const hour = new Date(nextCheckAt(`tool_01kb${i.toString(36)}`, NOW)).getUTCHours()
    hours[hour] = (hours[hour] ?? 0) + 1
  }
  expect(Math.min(...hours)).toBeGreaterThan(50)
  expect(Math.max(...hours)).toBeLessThan(150)
})
