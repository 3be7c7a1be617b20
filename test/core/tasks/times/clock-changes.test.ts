import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import { latestSlot, nextSlot, slotsAfter, type CronPlan } from '../../../../src/core/tasks/times/slots.ts'

const HOUR = 3_600_000

function cronPlan(cron: string, timeZone: string): CronPlan {
  return { kind: 'cron', notBefore: Date.parse('2020-01-01T00:00:00Z'), cron, timeZone }
}

/** The slots of a stretch of time, its start left out and its end included. */
function between(plan: CronPlan, from: number, to: number): number[] {
  const found: number[] = []
  for (const slot of slotsAfter(plan, from)) {
    if (slot > to) break
    found.push(slot)
  }
  return found
}

describe('cron on the days of clock changes', () => {
  const BERLIN = 'Europe/Berlin'
  const YORK = 'America/New_York'
  test.each([
    ['30 2 * * *', BERLIN, '2027-03-27', ['27T01:30', '28T01:00', '29T00:30']],
    ['30 2 * * *', BERLIN, '2026-10-24', ['24T00:30', '25T00:30', '26T01:30']],
    ['30 2 * * *', YORK, '2027-03-13', ['13T07:30', '14T07:00', '15T06:30']],
    ['30 1 * * *', YORK, '2026-10-31', ['31T05:30', '01T05:30', '02T06:30']],
    ['30 2 * * *', YORK, '2026-10-31', ['31T06:30', '01T07:30', '02T07:30']],
    ['0 2,3 28 3 *', BERLIN, '2027-03-28', ['28T01:00']],
    ['30 2,14 28 3 *', BERLIN, '2027-03-28', ['28T01:00', '28T12:30']],
    ['30 2,14 25 10 *', BERLIN, '2026-10-25', ['25T00:30', '25T13:30']],
    ['0 0 * * *', 'America/Havana', '2027-03-13', ['13T05:00', '14T05:00', '15T04:00']],
    ['0 * 28 3 *', BERLIN, '2027-03-28', ['27T23:00', '28T00:00', '28T01:00', '28T02:00']],
    ['0 * 25 10 *', BERLIN, '2026-10-25', ['24T22:00', '24T23:00', '25T00:00', '25T01:00', '25T02:00']],
    ['0 */2 25 10 *', BERLIN, '2026-10-25', ['24T22:00', '25T00:00', '25T01:00', '25T03:00']],
  ])('%s in %s from %s', (cron, zone, ...[day, slots]) => {
    const plan = cronPlan(cron, zone)
    let at = Date.parse(`${day}T00:00:00Z`) - 3 * HOUR
    const found = slots.map(() => new Date((at = nextSlot(plan, at)!)).toISOString().slice(8, 16))
    expect(found).toEqual(slots)
  })

  it('comes once a day for a daily time, all through the years', () => {
    for (const zone of [BERLIN, YORK]) {
      const day = new Intl.DateTimeFormat('en-CA', { timeZone: zone })
      const from = Date.parse('2026-01-01T12:00:00Z')
      const days = between(cronPlan('30 2 * * *', zone), from, from + 730 * 24 * HOUR).map((at) =>
        day.format(at),
      )
      expect(days).toHaveLength(730)
      expect(new Set(days).size).toBe(730)
    }
  })
})

/** Zones and days on which their clocks change, by an hour, half an hour or two, at midnight or at night. */
const CHANGES = [
  ['Europe/Berlin', '2027-03-28'],
  ['Europe/Berlin', '2026-10-25'],
  ['America/New_York', '2027-03-14'],
  ['America/New_York', '2026-11-01'],
  ['Australia/Lord_Howe', '2026-10-03'],
  ['Australia/Lord_Howe', '2027-04-03'],
  ['Antarctica/Troll', '2027-03-28'],
  ['Antarctica/Troll', '2026-10-25'],
  ['America/Havana', '2027-03-14'],
  ['America/Havana', '2026-11-01'],
  ['America/Santiago', '2026-09-06'],
  ['Asia/Beirut', '2027-03-28'],
  ['America/St_Johns', '2026-11-01'],
  ['Africa/Casablanca', '2027-02-07'],
  ['Asia/Kathmandu', '2026-10-25'],
] as const

/** Every minute of the three days around a change, with the local time at it. */
const WALLS = CHANGES.map(([timeZone, day]) => {
  const noon = Date.parse(`${day}T12:00:00Z`)
  const format = new Intl.DateTimeFormat('sv-SE', { timeZone, dateStyle: 'short', timeStyle: 'short' })
  const minutes = Array.from({ length: 72 * 60 }, (_, index) => noon + (index - 36 * 60) * 60_000)
  return {
    timeZone,
    noon,
    walls: minutes.map((at) => ({
      at,
      date: format.format(at).slice(0, 10),
      time: format.format(at).slice(11),
    })),
  }
})

it('agrees with a walk through the minutes around clock changes', () => {
  const hour = fc.integer({ min: 0, max: 23 })
  const hours = fc.oneof(
    fc.uniqueArray(fc.oneof(hour, fc.integer({ min: 0, max: 4 })), { minLength: 1, maxLength: 5 }),
    fc.constantFrom('*', '*/2', '*/5'),
  )
  const case_ = fc.record({
    minute: fc.integer({ min: 0, max: 59 }),
    hours,
    change: fc.constantFrom(...WALLS),
  })
  fc.assert(
    fc.property(case_, ({ minute, hours, change: { timeZone, noon, walls } }) => {
      const isFixed = Array.isArray(hours)
      const step = isFixed ? 1 : Number(hours.slice(2) || 1)
      const named = Array.from({ length: 24 }, (_, at) => at)
        .filter((at) => (isFixed ? hours.includes(at) : at % step === 0))
        .map((at) => `${String(at).padStart(2, '0')}:${String(minute).padStart(2, '0')}`)
      const expected = new Set<number>()
      if (!isFixed) for (const { at, time } of walls) if (named.includes(time)) expected.add(at)
      if (isFixed) {
        for (const date of new Set(walls.map((wall) => wall.date))) {
          const ofDay = walls.filter((wall) => wall.date === date)
          for (const time of named) {
            const slot = ofDay.find((wall) => wall.time === time) ?? ofDay.find((wall) => wall.time > time)
            if (slot) expected.add(slot.at)
          }
        }
      }
      const [from, to] = [noon - 14 * HOUR, noon + 14 * HOUR]
      const plan = cronPlan(`${minute} ${isFixed ? hours.join(',') : hours} * * *`, timeZone)
      const wanted = [...expected].filter((at) => at > from && at <= to).sort((a, b) => a - b)
      expect(between(plan, from, to)).toEqual(wanted)
    }),
    { numRuns: 1_000 },
  )
})

it('finds the latest slot backwards as it does forwards', () => {
  for (const [timeZone, day] of CHANGES) {
    for (const cron of ['0 * * * *', '30 2 * * *', '0 0,2,3 * * *', '15 */3 * * *']) {
      const plan = cronPlan(cron, timeZone)
      const from = Date.parse(`${day}T00:00:00Z`) - 60 * HOUR
      const slots = between(plan, from, from + 120 * HOUR)
      for (let until = from + 30 * HOUR; until < from + 110 * HOUR; until += HOUR / 2) {
        const latest = slots.findLast((slot) => slot <= until)
        expect([timeZone, cron, until, latestSlot(plan, until)]).toEqual([timeZone, cron, until, latest])
      }
    }
  }
})
