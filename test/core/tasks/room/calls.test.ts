import { expect, test } from 'vitest'
import { QUOTAS } from '../../../../src/core/limits.ts'
import { Calls } from '../../../../src/core/tasks/room/calls.ts'

const MINUTE = 60_000

test('so many calls count in a minute of the clock, and those refused do not', () => {
  const calls = new Calls({ ...QUOTAS, callsAMinute: 2 })
  expect(calls.count(0)).toBe(null)
  expect(calls.count(MINUTE - 1)).toBe(null)
  const over = { name: 'calls_a_minute', limit: 2, used: 2, resetsAt: MINUTE }
  expect(calls.count(MINUTE - 1)).toEqual(over)
  expect(calls.count(MINUTE - 1)).toEqual(over)
  expect(calls.count(MINUTE)).toBe(null)
  expect(calls.standing(MINUTE)).toMatchObject({ used: 1, resetsAt: 2 * MINUTE })
})

test('a limit of nothing lets nothing through', () => {
  expect(new Calls({ ...QUOTAS, callsAMinute: 0 }).count(0)).toMatchObject({ used: 0, limit: 0 })
})
