import { expect, test } from 'vitest'
import { QUOTAS } from '../../../src/core/limits.ts'
import { dayEnd, minuteEnd, quotaProblem, standingOf } from '../../../src/core/quotas/quota.ts'

const NOW = Date.parse('2026-12-01T10:20:30.500Z')

test('one call too many is told which limit, what is left and when to come again', () => {
  const problem = quotaProblem(
    standingOf(QUOTAS, 'calls_a_minute', { used: 300, resetsAt: minuteEnd(NOW) }),
    NOW,
  )
  expect(problem.status).toBe(429)
  expect(problem).toMatchObject({
    code: 'rate_limited',
    message: 'This account may make 300 calls a minute and has made 300.',
    details: {
      hint: 'Send it again in 30 seconds.',
      retryable: true,
      retryAfterSeconds: 30,
      limit: {
        name: 'calls_a_minute',
        limit: 300,
        used: 300,
        left: 0,
        resets_at: '2026-12-01T10:21:00.000Z',
      },
    },
  })
})

test('a limit of the day ends with the day of UTC', () => {
  const standing = standingOf(QUOTAS, 'container_seconds_a_day', { used: 14_402, resetsAt: dayEnd(NOW) })
  expect(quotaProblem(standing, NOW)).toMatchObject({
    code: 'quota_exceeded',
    message: 'This account may run scripts for 14400 seconds a day and has used 14402.',
    details: { retryable: true, retryAfterSeconds: 49_170, limit: { resets_at: '2026-12-02T00:00:00.000Z' } },
  })
})

test('a limit that no clock resets says what to do instead', () => {
  const { details } = quotaProblem(standingOf(QUOTAS, 'tools', { used: 500 }), NOW)
  expect(details).toMatchObject({ retryable: false, hint: expect.stringContaining('delete_tool') })
  expect(details.limit).toEqual({ name: 'tools', limit: 500, used: 500, left: 0 })
})

test('the last moment of a minute belongs to it, and the wait is never nothing', () => {
  const last = Date.parse('2026-12-01T10:20:59.999Z')
  expect(minuteEnd(last)).toBe(last + 1)
  expect(minuteEnd(last + 1)).toBe(last + 60_001)
  const standing = standingOf(QUOTAS, 'calls_a_minute', { used: 300, resetsAt: minuteEnd(last) })
  expect(quotaProblem(standing, last).details.retryAfterSeconds).toBe(1)
})
