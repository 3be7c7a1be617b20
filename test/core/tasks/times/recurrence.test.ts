import * as fc from 'fast-check'
import { describe, expect, it, test } from 'vitest'
import {
  nextSlot,
  readTimes,
  type Plan,
  type TimesInput,
} from '../../../../src/core/tasks/times/recurrence.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')
const iso = (at: number) => new Date(at).toISOString()

function planOf(input: TimesInput, now = NOW): Plan {
  const read = readTimes(input, now)
  if (!read.ok) throw new Error(JSON.stringify(read.faults))
  return read.plan
}

function faultsOf(input: TimesInput, now = NOW) {
  const read = readTimes(input, now)
  return read.ok ? [] : read.faults
}

function slots(plan: Plan, count: number): string[] {
  const found: string[] = []
  for (let at = nextSlot(plan, -Infinity); at !== null && found.length < count; at = nextSlot(plan, at)) {
    found.push(iso(at).replace('.000Z', 'Z'))
  }
  return found
}

test.each<[string, TimesInput, string[]]>([
  [
    '24 h over a clock change are elapsed hours',
    { run_at: '2026-10-31T09:00:00-04:00', repeat_every_hours: 24 },
    ['2026-10-31T13:00:00Z', '2026-11-01T13:00:00Z', '2026-11-02T13:00:00Z', '2026-11-03T13:00:00Z'],
  ],
  [
    '13 h are not 00 and 13 o’clock',
    { run_at: '2026-03-01T00:00:00Z', repeat_every_hours: 13 },
    ['2026-03-01T00:00:00Z', '2026-03-01T13:00:00Z', '2026-03-02T02:00:00Z', '2026-03-02T15:00:00Z'],
  ],
  [
    '24 h over a leap day',
    { run_at: '2028-02-28T12:00:00Z', repeat_every_hours: 24 },
    ['2028-02-28T12:00:00Z', '2028-02-29T12:00:00Z', '2028-03-01T12:00:00Z'],
  ],
  [
    'cron in a zone, not before run_at',
    { run_at: '2026-10-30T12:00:00Z', repeat: { cron: '0 9 * * *', time_zone: 'America/New_York' } },
    ['2026-10-30T13:00:00Z', '2026-10-31T13:00:00Z', '2026-11-01T14:00:00Z', '2026-11-02T14:00:00Z'],
  ],
  [
    'a cron slot at run_at itself counts',
    { run_at: '2026-10-21T09:00:00Z', repeat: { cron: '0 9 * * 1-5', time_zone: 'UTC' } },
    ['2026-10-21T09:00:00Z', '2026-10-22T09:00:00Z', '2026-10-23T09:00:00Z', '2026-10-26T09:00:00Z'],
  ],
])('%s', (_, input, times) => {
  const now = Date.parse(String(input.run_at)) - 86_400_000
  expect(slots(planOf(input, now), times.length)).toEqual(times)
})

describe('what a call without some times means', () => {
  test.each<[TimesInput, Plan]>([
    [{}, { kind: 'once', at: NOW }],
    [
      { run_at: null, repeat_every_hours: null, repeat: null },
      { kind: 'once', at: NOW },
    ],
    [{ repeat_every_hours: 24.5 }, { kind: 'hours', first: NOW, hours: 24.5 }],
    [
      { repeat: { cron: '  0\t9 * *  MON ', time_zone: 'europe/BERLIN' } },
      { kind: 'cron', notBefore: NOW, cron: '0 9 * * MON', timeZone: 'Europe/Berlin' },
    ],
  ])('%j', (input, plan) => {
    expect(planOf(input)).toEqual(plan)
    expect(JSON.parse(JSON.stringify(plan))).toEqual(plan)
  })
})

describe('run_at', () => {
  test.each([
    ['2026-10-20T12:00:00Z', '2026-10-20T12:00:00.000Z'],
    ['2026-10-20t14:00:00.5+02:00', '2026-10-20T12:00:00.500Z'],
    ['2026-10-20T12:00:00.1239999z', '2026-10-20T12:00:00.123Z'],
    ['2026-10-20T12:00:00-00:00', '2026-10-20T12:00:00.000Z'],
    ['2026-10-20T11:59:00Z', '2026-10-20T11:59:00.000Z'],
    ['2027-10-20T12:00:00Z', '2027-10-20T12:00:00.000Z'],
    ['2026-10-21T00:00:00+23:59', '2026-10-20T00:01:00.000Z'],
  ])('reads %s', (runAt, at) => {
    const now = runAt.includes('+23:59') ? Date.parse(at) : NOW
    expect(planOf({ run_at: runAt }, now)).toEqual({ kind: 'once', at: Date.parse(at) })
  })

  test.each<unknown>([
    '2026-10-05T10:00:00',
    '2026-10-05',
    '10/05/2026',
    '05.10.2026 10:00',
    '0',
    '1',
    'tomorrow',
    '1759658400',
    '2026-W40-1',
    '',
    '2026-10-25T10:00Z',
    '2026-10-25 10:00:00Z',
    '2026-10-25T10:00:00+2',
    '2026-10-25T10:00:00+0200',
    '2026-10-25T24:00:00Z',
    '2026-10-25T10:60:00Z',
    '2026-12-31T23:59:60Z',
    '2026-10-25T10:00:00+24:00',
    '2026-10-25T10:00:00Z\n',
    ' 2026-10-25T10:00:00Z',
    '+002026-10-25T10:00:00Z',
    '2026-10-25T10:00:00.Z',
    1_792_000_000_000,
    true,
    {},
    [],
    `2026-10-25T10:00:00.${'1'.repeat(99)}Z`,
  ])('refuses %j', (runAt) => {
    const [fault, ...others] = faultsOf({ run_at: runAt })
    expect(others).toEqual([])
    expect(fault).toMatchObject({ path: 'run_at', message: expect.stringContaining('Z or an offset') })
    expect(fault!.message.length).toBeLessThan(140)
  })

  test.each([
    ['2027-02-30T10:00:00Z', 'run_at is "2027-02-30T10:00:00Z", but there is no day 2027-02-30.'],
    ['2027-02-29T10:00:00Z', 'run_at is "2027-02-29T10:00:00Z", but there is no day 2027-02-29.'],
    ['2027-13-01T10:00:00Z', 'run_at is "2027-13-01T10:00:00Z", but there is no day 2027-13-01.'],
    ['2027-00-00T10:00:00Z', 'run_at is "2027-00-00T10:00:00Z", but there is no day 2027-00-00.'],
    ['0000-01-01T10:00:00Z', 'run_at is "0000-01-01T10:00:00Z", which is past: it is 2026-10-20T12:00:00Z.'],
    ['2026-10-20T11:58:59Z', 'run_at is "2026-10-20T11:58:59Z", which is past: it is 2026-10-20T12:00:00Z.'],
    ['2027-10-20T12:00:01Z', 'run_at is "2027-10-20T12:00:01Z", which is more than 1 year ahead.'],
    ['9999-12-31T23:59:59Z', 'run_at is "9999-12-31T23:59:59Z", which is more than 1 year ahead.'],
  ])('says why not %s', (runAt, message) => {
    expect(faultsOf({ run_at: runAt })).toEqual([{ path: 'run_at', message, hint: expect.any(String) }])
  })

  it('may lie a year ahead of a leap day', () => {
    const leapDay = Date.parse('2028-02-29T12:00:00Z')
    expect(planOf({ run_at: '2029-03-01T12:00:00Z' }, leapDay)).toBeDefined()
    expect(faultsOf({ run_at: '2029-03-01T12:00:01Z' }, leapDay)).toHaveLength(1)
  })
})

describe('repeat_every_hours', () => {
  test.each(['NaN', '1', 0, -1, 0.0001, 0.999, 8_760.1, 1e9, NaN, Infinity, true, [2]])(
    'refuses %j',
    (hours) => {
      expect(faultsOf({ repeat_every_hours: hours })).toEqual([
        {
          path: 'repeat_every_hours',
          message: expect.stringContaining('which is not a number from 1 to 8760.'),
        },
      ])
    },
  )

  test.each([1, 1.1, 24.5, 8_760])('reads %d', (hours) => {
    expect(planOf({ repeat_every_hours: hours })).toEqual({ kind: 'hours', first: NOW, hours })
  })
})

it('names every fault at once', () => {
  const input = {
    run_at: 'tomorrow',
    repeat_every_hours: 0,
    repeat: { cron: '61 9 * 13 *', time_zone: 'Mars' },
  }
  expect(faultsOf(input).map(({ path }) => path)).toEqual([
    'run_at',
    'repeat_every_hours',
    'repeat.cron',
    'repeat.cron',
    'repeat.time_zone',
    'repeat',
  ])
})

it('takes one repeat only', () => {
  const both = { repeat_every_hours: 24, repeat: { cron: '0 9 * * *', time_zone: 'UTC' } }
  expect(faultsOf(both)).toEqual([
    {
      path: 'repeat',
      message: 'repeat and repeat_every_hours are two repeats; a call has one.',
      hint: 'Leave one of them out.',
    },
  ])
})

it('answers whatever is submitted, with a plan that has a first slot or with faults', () => {
  const cron = fc
    .array(fc.constantFrom(...'0 1 5 9 * , - / L # @ ? + W a'.split(' ')), { maxLength: 12 })
    .map((parts) => parts.join(' '))
  const repeat = fc.record({
    cron: fc.oneof(cron, fc.string()),
    time_zone: fc.constantFrom('UTC', 'Asia/Gaza', 'x'),
  })
  const anything = fc.record({
    run_at: fc.oneof(
      fc.jsonValue(),
      fc.date({ noInvalidDate: true }).map((date) => date.toISOString()),
    ),
    repeat_every_hours: fc.oneof(fc.constant(null), fc.double(), fc.jsonValue()),
    repeat: fc.oneof(fc.constant(null), fc.jsonValue(), repeat),
  })
  fc.assert(
    fc.property(
      fc.oneof(
        anything,
        repeat.map((one) => ({ repeat: one })),
      ),
      (input) => {
        const read = readTimes(input, NOW)
        if (read.ok) expect(nextSlot(read.plan, -Infinity)).toBeGreaterThanOrEqual(NOW - 60_000)
        else expect(read.faults.length).toBeGreaterThan(0)
      },
    ),
    { numRuns: 300 },
  )
})
