import { CronPattern } from 'croner'
import { brief, didYouMean, quoteName } from '../../json-schema/wording.ts'
import { isRecord } from '../../json-schema/path.ts'
import type { Fault } from '../../problem.ts'
import { CRON_READING, nextSlot, slotsAfter, type CronPlan } from './slots.ts'

const MINUTE_MS = 60_000
const HOUR_MS = 60 * MINUTE_MS
const WEEK_MS = 168 * HOUR_MS

/** The fields of an expression, in order, and what each may hold beside `*`, lists, ranges and steps. */
const FIELDS = [
  { name: 'minute', holds: '0 to 59' },
  { name: 'hour', holds: '0 to 23' },
  { name: 'day of the month', holds: '1 to 31, or L for the last' },
  { name: 'month', holds: '1 to 12 or JAN to DEC' },
  { name: 'day of the week', holds: '0 to 7 or SUN to SAT (0 and 7 are Sunday)' },
]
const FIELD_TEXT = /^[0-9a-z*,/#-]+$/i
const CRON_CHARS = 256
const CRON_HINT =
  'Five fields: minute, hour, day of the month, month, day of the week; "0 9 * * 1-5" is 09:00 on weekdays.'
const NICKNAMES: Record<string, string> = {
  '@yearly': '0 0 1 1 *',
  '@annually': '0 0 1 1 *',
  '@monthly': '0 0 1 * *',
  '@weekly': '0 0 * * 0',
  '@daily': '0 0 * * *',
  '@midnight': '0 0 * * *',
  '@hourly': '0 * * * *',
}

const ZONE_HINT = 'An IANA name such as "Europe/Berlin", "America/New_York" or "UTC".'
const ZONE_CHARS = 64

/** Slots looked at from the start: two minutes of one hour show among the first three. */
const SLOTS_CHECKED = 10
/** Dates fall on the same day of the week again within 12 years, and so do clock changes on a date. */
const WEEKS_CHECKED = 12 * 53

/** A `repeat {cron, time_zone}` from a time on, or undefined when that added faults. Bounded work, never throws. */
export function readRepeat(value: unknown, notBefore: number, faults: Fault[]): CronPlan | undefined {
  if (!isRecord(value)) {
    faults.push({ path: 'repeat', message: 'repeat has to be an object with cron and time_zone.' })
    return undefined
  }
  const cron = readCron(value['cron'], faults)
  const timeZone = readZone(value['time_zone'], faults)
  if (cron === undefined || timeZone === undefined) return undefined
  const plan: CronPlan = { kind: 'cron', notBefore, cron, timeZone }
  const fault = nextSlot(plan, notBefore - 1) === null ? neverFires(cron) : tooClose(plan)
  if (fault) faults.push(fault)
  return fault ? undefined : plan
}

/** An expression with one blank between its fields; each field that croner cannot read is a fault of its own. */
function readCron(value: unknown, faults: Fault[]): string | undefined {
  const refuse = (message: string, hint = CRON_HINT) => {
    faults.push({ path: 'repeat.cron', message, hint })
    return undefined
  }
  if (typeof value !== 'string') return refuse('repeat.cron has to be a text of five fields.')
  if (value.length > CRON_CHARS) return refuse(`repeat.cron is longer than ${CRON_CHARS} characters.`)
  const fields = value.trim().split(/\s+/)
  const nickname = fields[0]?.startsWith('@') ? NICKNAMES[value.trim().toLowerCase()] : undefined
  if (nickname) return refuse(`repeat.cron is ${quoteName(value)}; write its five fields.`, `"${nickname}"`)
  if (fields.length !== FIELDS.length) {
    const seconds = fields.length > FIELDS.length ? ' There is no field for seconds or years.' : ''
    return refuse(`repeat.cron is ${brief(value)}, which is not five fields.${seconds}`)
  }
  let isWhole = true
  for (const [index, { name, holds }] of FIELDS.entries()) {
    const text = fields[index] ?? ''
    if (isField(text, index)) continue
    isWhole = false
    refuse(
      `The ${name} in repeat.cron is ${quoteName(text)}, which cannot be read.`,
      `It holds ${holds}, *, lists (1,3), ranges (1-5) and steps (*/2, 1-9/2).`,
    )
  }
  return isWhole ? fields.join(' ') : undefined
}

function isField(text: string, index: number): boolean {
  try {
    if (!FIELD_TEXT.test(text)) return false
    return Boolean(
      new CronPattern(FIELDS.map((_, at) => (at === index ? text : '*')).join(' '), undefined, CRON_READING),
    )
  } catch {
    return false
  }
}

/**
 * The name of a time zone, in its usual case. Names without a slash other than UTC and GMT are refused: they stand
 * for different places (IST, BST), as are offsets, which know no clock changes.
 */
function readZone(value: unknown, faults: Fault[]): string | undefined {
  const name = typeof value === 'string' && value.length <= ZONE_CHARS ? value : ''
  const known = /^(utc|gmt|[a-z].*\/.+)$/i.test(name) ? canonicalZone(name) : undefined
  if (known !== undefined) return known.toLowerCase() === name.toLowerCase() ? known : name
  const message =
    value === undefined
      ? 'repeat needs a time_zone.'
      : `repeat.time_zone is ${brief(value)}, which is not the name of a time zone.`
  faults.push({ path: 'repeat.time_zone', message, hint: likelyZone(name) ?? ZONE_HINT })
  return undefined
}

function canonicalZone(name: string): string | undefined {
  try {
    return new Intl.DateTimeFormat('en-US', { timeZone: name }).resolvedOptions().timeZone
  } catch {
    return undefined
  }
}

/** The zone of a city that was named alone, or one spelt much alike. */
function likelyZone(name: string): string | undefined {
  const zones = Intl.supportedValuesOf('timeZone')
  const city = `/${name.trim().replaceAll(/\s+/g, '_').toLowerCase()}`
  const ofCity = name === '' ? undefined : zones.find((zone) => zone.toLowerCase().endsWith(city))
  return didYouMean(ofCity ?? name, zones)
}

function neverFires(cron: string): Fault {
  const message = `repeat.cron is ${brief(cron)}, which never comes: no year has a day that matches.`
  return { path: 'repeat.cron', message, hint: 'Check the day of the month against the months.' }
}

/** The fault of a plan with two slots less than 1 h apart, at its start or where its zone changes the clocks. */
function tooClose(plan: CronPlan): Fault | undefined {
  const early = closePair(plan, plan.notBefore - 1, Number.POSITIVE_INFINITY)
  const changes = early ? [] : clockChanges(plan.timeZone, plan.notBefore)
  let pair = early
  for (const at of changes) pair ??= closePair(plan, at - HOUR_MS - MINUTE_MS, at + HOUR_MS)
  if (!pair) return undefined
  const [from, to] = pair.map((slot) => `${new Date(slot).toISOString().slice(0, 16)}Z`)
  const apart = (pair[1] - pair[0]) / MINUTE_MS
  return {
    path: 'repeat.cron',
    message: `repeat.cron has slots at ${from} and ${to}, ${apart} min apart; at least 1 h has to lie between them.`,
    hint: early
      ? 'Name one minute: "0 * * * *" is every hour.'
      : `${plan.timeZone} changes its clocks then. Leave that hour out, or use the time zone UTC.`,
  }
}

/** The first two neighbours less than 1 h apart of the slots after a time, the earlier one up to another time. */
function closePair(plan: CronPlan, after: number, until: number): [number, number] | undefined {
  let earlier = Number.NEGATIVE_INFINITY
  let seen = 0
  for (const slot of slotsAfter(plan, after)) {
    if (slot - earlier < HOUR_MS) return [earlier, slot]
    seen += 1
    if (slot > until || seen === SLOTS_CHECKED) return undefined
    earlier = slot
  }
  return undefined
}

/** When a zone changes its offset during the years that are checked: each time at most a minute late. */
function clockChanges(timeZone: string, from: number): number[] {
  const format = new Intl.DateTimeFormat('en-US', { timeZone, timeZoneName: 'longOffset' })
  const offset = (at: number) => format.formatToParts(at).find((part) => part.type === 'timeZoneName')?.value
  const changes: number[] = []
  let before = offset(from)
  for (let week = 0; week < WEEKS_CHECKED; week += 1) {
    let [low, high] = [from + week * WEEK_MS, from + (week + 1) * WEEK_MS]
    const after = offset(high)
    if (after !== before) {
      while (high - low > MINUTE_MS) {
        const middle = Math.floor((low + high) / 2)
        if (offset(middle) === before) low = middle
        else high = middle
      }
      changes.push(high)
    }
    before = after
  }
  return changes
}
