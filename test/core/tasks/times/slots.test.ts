import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  MISSED_MOST,
  nextSlot,
  slotsAfter,
  slotsDue,
  type CronPlan,
  type Plan,
} from '../../../../src/core/tasks/times/slots.ts'

const HOUR = 3_600_000
const NOW = Date.parse('2026-10-20T12:00:00Z')

function cronPlan(cron: string, timeZone: string, from = '2020-01-01T00:00:00Z'): CronPlan {
  return { kind: 'cron', notBefore: Date.parse(from), cron, timeZone }
}

/** The slots of a stretch of time, its start left out and its end included. */
function between(plan: Plan, from: number, to: number): number[] {
  const found: number[] = []
  for (const slot of slotsAfter(plan, from)) {
    if (slot > to) break
    found.push(slot)
  }
  return found
}

it('finds leap days, also over a century without one', () => {
  const plan = cronPlan('0 9 29 2 *', 'UTC', '2027-03-01T00:00:00Z')
  expect(nextSlot(plan, NOW)).toBe(Date.parse('2028-02-29T09:00:00Z'))
  expect(nextSlot(plan, Date.parse('2096-02-29T09:00:00Z'))).toBe(Date.parse('2104-02-29T09:00:00Z'))
})

it('agrees with a calendar on days of months and weeks', () => {
  const list = (min: number, max: number) =>
    fc.option(fc.uniqueArray(fc.integer({ min, max }), { minLength: 1, maxLength: 3 }), { nil: undefined })
  const fields = fc.record({
    days: list(1, 31),
    months: list(1, 12),
    weekdays: list(0, 6),
    from: fc.integer({ min: 0, max: 20_000 }),
  })
  fc.assert(
    fc.property(fields, ({ days, months, weekdays, from }) => {
      const text = [days, months, weekdays].map((field) => field?.join(',') ?? '*').join(' ')
      const start = Date.UTC(2020, 0, 1 + from)
      const expected: number[] = []
      for (let at = start + 7.5 * HOUR; at <= start + 800 * 24 * HOUR; at += 24 * HOUR) {
        const date = new Date(at)
        const isDay = days?.includes(date.getUTCDate())
        const isWeekday = weekdays?.includes(date.getUTCDay())
        const fits = days && weekdays ? isDay || isWeekday : (isDay ?? true) && (isWeekday ?? true)
        if (fits && (months?.includes(date.getUTCMonth() + 1) ?? true)) expected.push(at)
      }
      expect(between(cronPlan(`30 7 ${text}`, 'UTC'), start, start + 800 * 24 * HOUR)).toEqual(expected)
    }),
    { numRuns: 100 },
  )
})

const plans: fc.Arbitrary<Plan> = fc.oneof(
  fc.record({
    kind: fc.constant('once' as const),
    at: fc.integer({ min: NOW - 60_000, max: NOW + 9_000 * HOUR }),
  }),
  fc.record({
    kind: fc.constant('hours' as const),
    first: fc.integer({ min: NOW - 60_000, max: NOW + 9_000 * HOUR }),
    hours: fc.oneof(fc.integer({ min: 1, max: 8_760 }), fc.double({ min: 1, max: 50, noNaN: true })),
  }),
  fc.record({
    kind: fc.constant('cron' as const),
    notBefore: fc.integer({ min: NOW - 60_000, max: NOW + 9_000 * HOUR }),
    cron: fc.constantFrom(
      '0 * * * *',
      '30 2 * * *',
      '0 9 * * 1-5',
      '15 */5 1,15 * *',
      '0 0 29 2 *',
      '45 1,3 * * 0#1',
    ),
    timeZone: fc.constantFrom(
      'UTC',
      'Europe/Berlin',
      'Australia/Lord_Howe',
      'America/Havana',
      'Africa/Casablanca',
    ),
  }),
)
const times = fc.oneof(
  fc.integer({ min: NOW - 1_000 * HOUR, max: NOW + 20_000 * HOUR }),
  fc.double({ min: NOW, max: NOW + 9_000 * HOUR, noNaN: true }),
  fc.constant(-Infinity),
)

it('has slots that strictly rise, and the next one after a time is the first of them', () => {
  fc.assert(
    fc.property(plans, times, (plan, after) => {
      let last = after
      for (let step = 0; step < 20; step += 1) {
        const slot = nextSlot(plan, last)
        if (slot === null) {
          expect(plan.kind).toBe('once')
          return
        }
        expect(slot).toBeGreaterThan(last)
        expect(Number.isInteger(slot)).toBe(true)
        expect(nextSlot(plan, slot - 1)).toBe(slot)
        last = slot
      }
    }),
    { numRuns: 150 },
  )
})

it('counts due slots as a walk over all of them does', () => {
  fc.assert(
    fc.property(plans, times, fc.integer({ min: 0, max: 1_200 }), (plan, from, span) => {
      const now = Math.max(from, NOW) + span * HOUR
      const due = between(plan, from, now)
      if (due.length <= MISSED_MOST) {
        expect(slotsDue(plan, from, now)).toEqual({
          newest: due.at(-1) ?? null,
          missed: Math.max(0, due.length - 1),
        })
      }
    }),
    { numRuns: 200 },
  )
})

it('never drifts from its first slot', () => {
  const hours = fc.oneof(
    fc.double({ min: 1, max: 8_760, noNaN: true }),
    fc.constantFrom(1.1, 1 + 1 / 3, 24.7),
  )
  fc.assert(
    fc.property(hours, fc.integer({ min: 1, max: 50_000 }), (hours, count) => {
      const slot = NOW + Math.round(count * hours * HOUR)
      if (slot < Date.UTC(3000, 0, 1)) {
        expect(nextSlot({ kind: 'hours', first: NOW, hours }, slot - 1)).toBe(slot)
      }
    }),
  )
})

describe('after years asleep', () => {
  const later = Date.parse('2046-10-20T12:00:30Z')

  it('counts every slot of elapsed hours', () => {
    const plan: Plan = { kind: 'hours', first: NOW, hours: 1 }
    const newest = Date.parse('2046-10-20T12:00:00Z')
    expect(slotsDue(plan, NOW, later)).toEqual({ newest, missed: (newest - NOW) / HOUR - 1 })
  })

  it.each(['Europe/Berlin', 'Australia/Lord_Howe'])(
    'finds the newest cron slot in %s and stops counting',
    (zone) => {
      const started = performance.now()
      for (const cron of ['0 * * * *', '0 0-23 * * *']) {
        expect(slotsDue(cronPlan(cron, zone), NOW, later)).toEqual({
          newest: Date.parse('2046-10-20T12:00:00Z'),
          missed: MISSED_MOST,
        })
      }
      expect(performance.now() - started).toBeLessThan(4_000)
    },
  )
})

test.each<[Plan]>([
  [{ kind: 'once', at: NOW }],
  [{ kind: 'hours', first: NOW, hours: 1 }],
  [{ kind: 'cron', notBefore: NOW, cron: '0 * * * *', timeZone: 'UTC' }],
])('%j has no slot at times that are none', (plan) => {
  for (const time of [Number.NaN, Number.POSITIVE_INFINITY, 8.64e15]) expect(nextSlot(plan, time)).toBeNull()
  for (const [from, now] of [
    [Number.NaN, NOW],
    [NOW, Number.NaN],
    [NOW, -Infinity],
    [NOW + 1, NOW],
    [Infinity, Infinity],
    [-Infinity, NOW - 1],
  ] as const) {
    expect(slotsDue(plan, from, now)).toEqual({ newest: null, missed: 0 })
  }
  expect(slotsDue(plan, -Infinity, NOW)).toEqual({ newest: NOW, missed: 0 })
})
