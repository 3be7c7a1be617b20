/** After this long a report counts half. */
const HALF_LIFE_MS = 90 * 86_400_000
/** When one report counts one. */
const EPOCH = Date.UTC(2026, 0)

/**
 * How much a report made at a time adds to a sum that later reports outgrow: one made 90 days later adds twice as
 * much. So the sum never has to be worked over as reports age: dividing it by what a report of today adds gives the
 * same as halving each for every 90 days.
 */
export const grownAt = (at: number): number => 2 ** ((at - EPOCH) / HALF_LIFE_MS)

/** What a grown sum is worth in reports of today. */
export const inReportsOfToday = (grown: number, now: number): number => grown / grownAt(now)
