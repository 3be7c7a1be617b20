import { gives, refuses, type StarterCases } from './case.ts'

const BERLIN = { time_zone: 'Europe/Berlin' }
const HOLIDAYS = { holidays: ['2026-12-25', '2026-12-26', '2027-01-01'] }

export const TIMES_AND_UNITS: StarterCases = {
  'date-difference': [
    gives(
      { from: '2024-02-29', to: '2025-02-28' },
      { days: 365, years: 0, months: 11, days_after_months: 30 },
    ),
    gives(
      { from: '2026-01-31', to: '2026-03-01' },
      { days: 29, months: 1, days_after_months: 1, seconds: null },
    ),
    gives({ from: '2026-03-01', to: '2026-01-31' }, { days: -29, months: -1, days_after_months: -1 }),
    gives({ from: '2026-11-27', to: '2026-12-07' }, { business_days: 6 }),
    gives({ from: '2026-12-24', to: '2027-01-04', ...HOLIDAYS }, { business_days: 5 }),
    gives(
      { from: '0001-01-01', to: '9999-12-31' },
      { days: 3_652_058, years: 9998, months: 11, business_days: 2_608_614 },
    ),
    gives({ from: '2026-10-25T00:00', to: '2026-10-26T00:00', ...BERLIN }, { hours: 25, days: 1 }),
    gives({ from: '2026-03-01T23:30Z', to: '2026-03-02T00:30+01:00' }, { seconds: 0, days: 0 }),
    gives({ from: '2026-01-01', to: '2026-01-08', weekend: [] }, { business_days: 7 }),
    refuses({ from: '2026-02-30', to: '2026-03-01' }, '"2026-02-30" is not a date'),
    refuses(
      { from: '2026-03-29T02:30', to: '2026-03-30T00:00', ...BERLIN },
      'does not exist in Europe/Berlin',
    ),
    refuses({ from: '2026-03-29', to: '2026-03-30T00:00' }, 'give two dates, or two dates with times'),
    refuses({ from: '2026-03-29', to: '2026-03-30', time_zone: '../../../etc/passwd' }, 'is not a time zone'),
  ],
  'add-business-days': [
    gives({ start: '2026-11-27', days: 1 }, { date: '2026-11-30', weekday: 'monday' }),
    gives({ start: '2026-11-28', days: 0 }, { date: '2026-11-30' }),
    gives(
      { start: '2027-01-04', days: -1, ...HOLIDAYS },
      { date: '2026-12-31', skipped_holidays: ['2027-01-01'] },
    ),
    gives({ start: '2026-11-26', days: 1, weekend: ['friday', 'saturday'] }, { date: '2026-11-29' }),
    gives({ start: '2026-01-01', days: 100_000 }, { date: '2409-04-23' }),
    refuses({ start: '9999-12-30', days: 5 }, 'outside the years'),
    refuses({ start: 'tomorrow', days: 5 }, '"tomorrow" is not a date'),
  ],
  'convert-time-zone': [
    gives(
      { time: '2026-07-01T12:00Z', to_zones: ['America/New_York', 'Asia/Kathmandu'] },
      {
        times: [
          expectedClock('America/New_York', '2026-07-01T08:00:00-04:00', {
            abbreviation: 'EDT',
            is_summer_time: true,
          }),
          expectedClock('Asia/Kathmandu', '2026-07-01T17:45:00+05:45', {
            abbreviation: '+0545',
            is_summer_time: false,
          }),
        ],
      },
    ),
    gives(
      { time: '2026-10-25T02:30', from_zone: 'Europe/Berlin', to_zones: ['UTC'] },
      { utc: '2026-10-25T00:30:00Z' },
    ),
    refuses({ time: '2026-03-08T02:30', from_zone: 'America/New_York', to_zones: ['UTC'] }, 'does not exist'),
    refuses({ time: '2026-03-08T02:30', to_zones: ['new york'] }, 'named like America/New_York'),
    refuses({ time: '0001-01-01T00:00', to_zones: ['America/New_York'] }, 'outside the years'),
    refuses({ time: 'noon', to_zones: ['UTC'] }, '"noon" is not a date and time'),
  ],
  'convert-units': [
    gives({ value: -40, from: '°F', to: 'celsius' }, { value: -40 }),
    gives({ value: 1, from: 'mile', to: 'm' }, { value: 1609.344 }),
    gives({ value: 1, from: 'MB', to: 'Mb' }, { value: 8, measures: 'data' }),
    gives({ value: 1, from: 'GiB', to: 'bytes' }, { value: 1_073_741_824 }),
    gives({ value: 0.1, from: 'inch', to: 'cm' }, { value: 0.254 }),
    gives({ value: 1.005, from: 'kg', to: 'kg', decimals: 2 }, { value: 1.01 }),
    gives({ value: -2.5, from: 's', to: 'seconds', decimals: 0 }, { value: -3 }),
    gives({ value: 1, from: 'imp gal', to: 'l' }, { value: 4.54609 }),
    gives({ value: 1, from: 'acre', to: 'm2' }, { value: 4046.8564224 }),
    gives({ value: 100, from: 'mph', to: 'km/h' }, { value: 160.9344 }),
    refuses({ value: 1, from: 'kg', to: 'm' }, 'kg measures mass and m measures length'),
    refuses({ value: -1, from: 'kelvin', to: '°C' }, 'below absolute zero'),
    refuses({ value: 1, from: 'kilomter', to: 'm' }, 'did you mean'),
    refuses({ value: 1e308, from: 'km', to: 'nm' }, 'too large'),
    refuses({ value: 1, from: '__proto__', to: 'm' }, 'is not a unit'),
  ],
}

function expectedClock(zone: string, time: string, more: Record<string, unknown>) {
  return { zone, time, weekday: 'wednesday', ...more }
}
