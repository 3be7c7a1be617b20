import { brief } from '../../json-schema/wording.ts'
import type { Fault } from '../../problem.ts'
import { readRepeat } from './cron.ts'
import type { HoursPlan, Plan } from './slots.ts'

export { MISSED_MOST, nextSlot, slotsDue, type Plan } from './slots.ts'

/** The times of a call as submitted: anything may stand in them; null means absent. */
export interface TimesInput {
  run_at?: unknown
  repeat_every_hours?: unknown
  repeat?: unknown
}

export type TimesReading = { ok: true; plan: Plan } | { ok: false; faults: Fault[] }

const HOURS = { min: 1, max: 8_760 }
/** How far back a `run_at` may lie. */
const PAST_MS = 60_000
/** RFC 3339 with seconds; `T` and `Z` in either case. Seconds go to 59: no leap second is to come. */
const RUN_AT =
  /^(\d{4}-\d\d-\d\d)t([01]\d|2[0-3]):([0-5]\d):([0-5]\d)(\.\d+)?(z|[+-]([01]\d|2[0-3]):[0-5]\d)$/i
const RUN_AT_CHARS = 64

/**
 * The plan of a call, or every fault of its times at once (paths `run_at`, `repeat_every_hours`, `repeat`,
 * `repeat.cron`, `repeat.time_zone`). `now` is in milliseconds. Without any times the plan is once, now. A `run_at`
 * up to 1 min past is kept as it is and so is due at once; later slots of a repeat count from it.
 */
export function readTimes(input: TimesInput, now: number): TimesReading {
  const faults: Fault[] = []
  const runAt = readRunAt(input.run_at ?? undefined, now, faults) ?? now
  const hours = input.repeat_every_hours ?? undefined
  const repeat = input.repeat ?? undefined
  let plan: Plan | undefined = { kind: 'once', at: runAt }
  if (hours !== undefined) plan = readHours(hours, runAt, faults)
  if (repeat !== undefined) plan = readRepeat(repeat, runAt, faults)
  if (hours !== undefined && repeat !== undefined) {
    const message = 'repeat and repeat_every_hours are two repeats; a call has one.'
    faults.push({ path: 'repeat', message, hint: 'Leave one of them out.' })
  }
  return plan && faults.length === 0 ? { ok: true, plan } : { ok: false, faults }
}

/** A `run_at` in milliseconds (further digits are cut), or undefined when absent or when it added a fault. */
function readRunAt(value: unknown, now: number, faults: Fault[]): number | undefined {
  if (value === undefined) return undefined
  const refuse = (message: string, hint: string) => {
    faults.push({ path: 'run_at', message, hint })
    return undefined
  }
  const example = `For example ${shown(now + 3_600_000)}.`
  const parts = typeof value === 'string' && value.length <= RUN_AT_CHARS ? RUN_AT.exec(value) : null
  if (!parts) {
    return refuse(
      `run_at is ${brief(value)}, which is not an RFC 3339 date and time with seconds and Z or an offset.`,
      example,
    )
  }
  const [, date = '', hour, minute, second, fraction = '', zone = ''] = parts
  const midnight = Date.parse(`${date}T00:00:00Z`)
  if (Number.isNaN(midnight) || !new Date(midnight).toISOString().startsWith(date)) {
    return refuse(`run_at is ${brief(value)}, but there is no day ${date}.`, example)
  }
  const ms = fraction.slice(0, 4).padEnd(4, fraction ? '0' : '.000')
  const at = Date.parse(`${date}T${hour}:${minute}:${second}${ms}${zone.toUpperCase()}`)
  if (at < now - PAST_MS) {
    return refuse(
      `run_at is ${brief(value)}, which is past: it is ${shown(now)}.`,
      'Leave it out to run now.',
    )
  }
  const latest = new Date(now).setUTCFullYear(new Date(now).getUTCFullYear() + 1)
  return at <= latest
    ? at
    : refuse(`run_at is ${brief(value)}, which is more than 1 year ahead.`, `It is ${shown(now)}.`)
}

/** Elapsed hours from the first slot, so a day's 24 move the local time where clocks change. */
function readHours(value: unknown, first: number, faults: Fault[]): HoursPlan | undefined {
  if (typeof value === 'number' && value >= HOURS.min && value <= HOURS.max) {
    return { kind: 'hours', first, hours: value }
  }
  const message = `repeat_every_hours is ${brief(value)}, which is not a number from ${HOURS.min} to ${HOURS.max}.`
  faults.push({ path: 'repeat_every_hours', message })
  return undefined
}

/** A time in UTC, to the second. */
function shown(at: number): string {
  return `${new Date(at).toISOString().slice(0, 19)}Z`
}
