import { describe, expect, it, test } from 'vitest'
import type { Fault } from '../../../../src/core/problem.ts'
import { readRepeat } from '../../../../src/core/tasks/times/cron.ts'

const NOW = Date.parse('2026-10-20T12:00:00Z')

function read(cron: unknown, time_zone: unknown = 'UTC') {
  const faults: Fault[] = []
  const plan = readRepeat({ cron, time_zone }, NOW, faults)
  expect(plan === undefined).toBe(faults.length > 0)
  return { plan, faults }
}

describe('an expression', () => {
  test.each([
    '0 9 * * *',
    '0 * * * *',
    '5 */2 * * *',
    '*/60 * * * *',
    '59 23 31 12 7',
    '0 9 29 2 *',
    '0 0,23 * * *',
    '0 9 1,15 JAN-MAR mon-fri',
    '05 09 01 01 00',
    '0 9-17/4 * * SUN,SAT',
    '0 9 L * *',
    '0 9 * * 5#3',
    '0 9 15W * *',
    '0 9 30 2 1',
    '30 0-23 * * *',
    '0 12 * 2 1#5',
  ])('%s is read', (cron) => {
    expect(read(cron).plan).toEqual({ kind: 'cron', notBefore: NOW, cron, timeZone: 'UTC' })
  })

  test.each([
    ['60 9 * * *', 'The minute in repeat.cron is "60", which cannot be read.'],
    ['0 24 * * *', 'The hour in repeat.cron is "24", which cannot be read.'],
    ['0 9 0 * *', 'The day of the month in repeat.cron is "0", which cannot be read.'],
    ['0 9 * JANUARY *', 'The month in repeat.cron is "JANUARY", which cannot be read.'],
    ['0 9 * * 8', 'The day of the week in repeat.cron is "8", which cannot be read.'],
    ['0 9 ? * 1', 'The day of the month in repeat.cron is "?", which cannot be read.'],
    ['0 9 1 * +1', 'The day of the week in repeat.cron is "+1", which cannot be read.'],
    ['0 17-9 * * *', 'The hour in repeat.cron is "17-9", which cannot be read.'],
    ['0 9, * * *', 'The hour in repeat.cron is "9,", which cannot be read.'],
    ['*/0 9 * * *', 'The minute in repeat.cron is "*/0", which cannot be read.'],
    ['0 5/2 * * *', 'The hour in repeat.cron is "5/2", which cannot be read.'],
    ['-1 9 * * *', 'The minute in repeat.cron is "-1", which cannot be read.'],
    ['0 9 * *', 'repeat.cron is "0 9 * *", which is not five fields.'],
    ['', 'repeat.cron is "", which is not five fields.'],
    [
      '0 0 9 * * *',
      'repeat.cron is "0 0 9 * * *", which is not five fields. There is no field for seconds or years.',
    ],
    ['@reboot', 'repeat.cron is "@reboot", which is not five fields.'],
    ['2026-10-25T10:00:00Z', 'repeat.cron is "2026-10-25T10:00:00Z", which is not five fields.'],
    [`0 9 * * ${'1,'.repeat(200)}`, 'repeat.cron is longer than 256 characters.'],
    [9, 'repeat.cron has to be a text of five fields.'],
    [undefined, 'repeat.cron has to be a text of five fields.'],
    ['0 0 30 2 *', 'repeat.cron is "0 0 30 2 *", which never comes: no year has a day that matches.'],
    ['0 0 31W 4,6 *', 'repeat.cron is "0 0 31W 4,6 *", which never comes: no year has a day that matches.'],
  ])('%j is refused in words', (cron, message) => {
    expect(read(cron).faults).toEqual([{ path: 'repeat.cron', message, hint: expect.any(String) }])
  })

  it('by nickname is refused with its five fields', () => {
    expect(read('@Daily').faults).toEqual([
      {
        path: 'repeat.cron',
        message: 'repeat.cron is "@Daily"; write its five fields.',
        hint: '"0 0 * * *"',
      },
    ])
  })
})

describe('slots less than 1 h apart', () => {
  test.each([
    ['* * * * *', 'UTC', '2026-10-20T12:00Z and 2026-10-20T12:01Z, 1 min apart'],
    ['0,30 * * * *', 'UTC', '2026-10-20T12:00Z and 2026-10-20T12:30Z, 30 min apart'],
    ['*/59 * * * *', 'UTC', '2026-10-20T12:00Z and 2026-10-20T12:59Z, 59 min apart'],
    ['0,59 0 29 2 *', 'UTC', '2028-02-29T00:00Z and 2028-02-29T00:59Z, 59 min apart'],
    ['30 1,2 * * *', 'Europe/Berlin', '2027-03-28T00:30Z and 2027-03-28T01:00Z, 30 min apart'],
    ['30 1-3 25 3 *', 'Europe/Berlin', '2029-03-25T00:30Z and 2029-03-25T01:00Z, 30 min apart'],
    ['45 * * * *', 'Australia/Lord_Howe', '2027-04-03T14:45Z and 2027-04-03T15:15Z, 30 min apart'],
  ])('%s in %s is refused', (cron, zone, pair) => {
    const [fault] = read(cron, zone).faults
    expect(fault).toMatchObject({ path: 'repeat.cron', message: expect.stringContaining(pair) })
  })

  test.each([
    ['0 * * * *', 'Australia/Lord_Howe'],
    ['30 * * * *', 'Europe/Berlin'],
    ['0 1,2,3 * * *', 'Europe/Berlin'],
    ['30 1,2 24 3 *', 'Europe/Berlin'],
    ['30 8-17 * * *', 'America/New_York'],
    ['0 0,23 * * *', 'Africa/Casablanca'],
  ])('%s in %s has none', (cron, zone) => {
    expect(read(cron, zone).faults).toEqual([])
  })
})

describe('a time zone', () => {
  test.each([
    ['UTC', 'UTC'],
    ['utc', 'UTC'],
    ['GMT', 'GMT'],
    ['america/new_york', 'America/New_York'],
    ['Asia/Kolkata', 'Asia/Kolkata'],
    ['Europe/Kyiv', 'Europe/Kyiv'],
    ['Etc/GMT+5', 'Etc/GMT+5'],
  ])('%s is known', (zone, name) => {
    expect(read('0 9 * * *', zone).plan?.timeZone).toBe(name)
  })

  const ANY = 'An IANA name such as "Europe/Berlin", "America/New_York" or "UTC".'
  test.each([
    ['Europe/Berln', 'did you mean "Europe/Berlin"?'],
    ['Berlin', 'did you mean "Europe/Berlin"?'],
    ['new york', 'did you mean "America/New_York"?'],
    ['Mars/Olympus', ANY],
    ['IST', ANY],
    ['+02:00', ANY],
    ['', ANY],
    ['x/'.repeat(99), ANY],
    [2, ANY],
    [null, ANY],
  ])('%j is refused', (zone, hint) => {
    const message = expect.stringMatching(
      /^repeat\.time_zone is .{1,45}, which is not the name of a time zone\.$/,
    )
    expect(read('0 9 * * *', zone).faults).toEqual([{ path: 'repeat.time_zone', message, hint }])
  })
})

it('without a zone is refused', () => {
  const faults: Fault[] = []
  readRepeat({ cron: '0 9 * * *' }, NOW, faults)
  expect(faults).toMatchObject([{ path: 'repeat.time_zone', message: 'repeat needs a time_zone.' }])
})

test.each([[null], ['0 9 * * *'], [[]], [7]])('a repeat that is %j is refused', (repeat) => {
  const faults: Fault[] = []
  expect(readRepeat(repeat, NOW, faults)).toBeUndefined()
  expect(faults).toEqual([{ path: 'repeat', message: 'repeat has to be an object with cron and time_zone.' }])
})

it('is refused or read in little time', () => {
  const started = performance.now()
  for (const cron of ['0 0 30 2 *', '0 0 31 2,4,6,9,11 *', '0 0 31W 2 *', '0 0 * 2 1#5', '0 * * * *']) {
    read(cron, 'Australia/Lord_Howe')
  }
  expect(performance.now() - started).toBeLessThan(2_000)
})
