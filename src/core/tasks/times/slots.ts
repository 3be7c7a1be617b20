import { Cron } from 'croner'

/** When a task runs, as plain JSON. Times are milliseconds since 1970 in UTC, here and below. */
export type Plan = { kind: 'once'; at: number } | HoursPlan | CronPlan

/** Slots at `first` and every so many elapsed hours after it. */
export interface HoursPlan {
  kind: 'hours'
  first: number
  /** 1 to 8,760; fractions allowed. */
  hours: number
}

/**
 * Slots at the local times that a five-field cron expression names, from `notBefore` on (itself included).
 *
 * On the days when clocks change, an expression whose minute and hour are single values, lists or ranges keeps to
 * one slot for each time that it names: a time that does not exist moves to the first moment after the gap, a time
 * that exists twice is taken the first time only. One whose minute or hour has a `*` or a step (every hour, every
 * two) goes by the clock: times that do not exist are left out, those that exist twice are taken twice. A day of
 * the month and a day of the week together mean either of them.
 */
export interface CronPlan {
  kind: 'cron'
  notBefore: number
  cron: string
  timeZone: string
}

const HOUR_MS = 3_600_000
/** No plan has a slot from the year 3000 on. */
const END = Date.UTC(3000, 0, 1)
/** Slots of a cron plan that are counted one by one; a count that reaches it means "at least". */
export const MISSED_MOST = 1_000

/** How croner reads an expression, here and where expressions are checked. */
export const CRON_READING = { mode: '5-part', fixedTimeRule: 'no-wildcard' } as const

/** The first slot strictly after a time (`-Infinity` gives the very first), or null when there is none. */
export function nextSlot(plan: Plan, after: number): number | null {
  const [slot = null] = slotsAfter(plan, after)
  return slot
}

/**
 * The slots in (`from`, `now`], for a plan whose last handled slot is `from` (`-Infinity` before the first): the
 * newest of them, which runs, and how many older ones were missed. Of a cron plan at most `MISSED_MOST` are counted.
 */
export function slotsDue(plan: Plan, from: number, now: number): { newest: number | null; missed: number } {
  if (plan.kind === 'hours') return hoursDue(plan, from, now)
  let newest: number | null = null
  let due = 0
  for (const slot of slotsAfter(plan, from)) {
    if (!(slot <= now)) break
    newest = slot
    due += 1
    if (due <= MISSED_MOST || plan.kind === 'once') continue
    newest = latestSlot(plan, now) ?? slot
    break
  }
  return { newest, missed: Math.max(0, due - 1) }
}

/** The slots strictly after a time, strictly rising. A repeat has hundreds of thousands: take only what you need. */
export function* slotsAfter(plan: Plan, after: number): Generator<number, undefined> {
  if (!(after < END)) return
  if (plan.kind === 'once') {
    if (plan.at > after) yield plan.at
  } else if (plan.kind === 'hours') {
    for (let index = hourIndex(plan, after); hourSlot(plan, index) < END; index += 1)
      yield hourSlot(plan, index)
  } else {
    yield* cronSlots(plan, Math.max(after, plan.notBefore - 1))
  }
}

function* cronSlots(plan: CronPlan, after: number): Generator<number, undefined> {
  const cron = engine(plan)
  let last = after
  for (;;) {
    const slot = cron.nextRun(new Date(Math.floor(last)))?.getTime()
    if (slot === undefined || slot <= last || slot >= END) return
    yield slot
    last = slot
  }
}

/** The latest slot of a cron expression up to a time, that time included; `notBefore` is not looked at. */
export function latestSlot(plan: CronPlan, until: number): number | undefined {
  const [latest] = engine(plan).previousRuns(1, new Date(Math.floor(Math.min(until, END)) + 1))
  return latest?.getTime()
}

function engine({ cron, timeZone }: CronPlan): Cron {
  return new Cron(cron, { ...CRON_READING, timezone: timeZone })
}

function hoursDue(plan: HoursPlan, from: number, now: number): { newest: number | null; missed: number } {
  const next = hourIndex(plan, now)
  const due = next - hourIndex(plan, from)
  return due > 0 ? { newest: hourSlot(plan, next - 1), missed: due - 1 } : { newest: null, missed: 0 }
}

/** Each slot is counted from the first one, so that rounding to a whole millisecond never adds up. */
function hourSlot({ first, hours }: HoursPlan, index: number): number {
  return first + Math.round(index * hours * HOUR_MS)
}

/** The index of the first slot strictly after a time; NaN for NaN. */
function hourIndex(plan: HoursPlan, after: number): number {
  const last = Math.min(after, END)
  let index = Math.max(0, Math.floor((last - plan.first) / (plan.hours * HOUR_MS)))
  while (hourSlot(plan, index) <= last) index += 1
  return index
}
