import type { Quotas } from '../limits.ts'
import { Problem } from '../problem.ts'

/** How an account stands to one of its limits. */
export interface Standing {
  name: QuotaName
  limit: number
  used: number
  /** When nothing of it is used any more, in milliseconds since 1970; null where time alone changes nothing. */
  resetsAt: number | null
}

/** The limits as answers name them. */
export type QuotaName = keyof typeof QUOTA_WORDS

interface Words {
  quota: keyof Quotas
  /** What an account may, and what it did: `This account may make 300 calls a minute and has made 300.` */
  may: (limit: number) => string
  did: (used: number) => string
  /** What to change where waiting does not help, or what to wait for. */
  hint?: string
}

const QUOTA_WORDS = {
  calls_a_minute: {
    quota: 'callsAMinute',
    may: (limit) => `make ${limit} calls a minute`,
    did: (used) => `has made ${used}`,
  },
  tasks_at_once: {
    quota: 'tasksAtOnce',
    may: (limit) => `run ${limit} tools at once`,
    did: (used) => `runs ${used}`,
  },
  tasks_waiting: {
    quota: 'tasksWaiting',
    may: (limit) => `have ${limit} runs waiting`,
    did: (used) => `has ${used}`,
    hint: 'Wait until some have ended, or cancel some with cancel_task.',
  },
  tools: {
    quota: 'tools',
    may: (limit) => `have ${limit} tools`,
    did: (used) => `has ${used}`,
    hint: 'Remove tools with delete_tool first, or save a new version of one.',
  },
  schedules: {
    quota: 'schedules',
    may: (limit) => `have ${limit} runs and repeats scheduled`,
    did: (used) => `has ${used}`,
    hint: 'End some with cancel_task first; list_tasks with state "scheduled" shows them.',
  },
  file_bytes: {
    quota: 'fileBytes',
    may: (limit) => `keep ${limit} bytes of files`,
    did: (used) => `has ${used}`,
    hint: 'Remove files with delete_file first.',
  },
  container_seconds_a_day: {
    quota: 'containerSecondsADay',
    may: (limit) => `run scripts for ${limit} seconds a day`,
    did: (used) => `has used ${used}`,
  },
  model_tokens_a_day: {
    quota: 'modelTokensADay',
    may: (limit) => `use ${limit} model tokens a day`,
    did: (used) => `has used ${used}`,
  },
} satisfies Record<string, Words>

/** How an account that has used so much stands to a limit. */
export const standingOf = (
  quotas: Quotas,
  name: QuotaName,
  { used, resetsAt = null }: { used: number; resetsAt?: number | null },
): Standing => ({ name, limit: quotas[QUOTA_WORDS[name].quota], used, resetsAt })

export const isOver = ({ used, limit }: Standing): boolean => used >= limit

/** How soon a limit that no clock resets may be asked again, in seconds. */
const TRY_AGAIN_SECONDS: Partial<Record<QuotaName, number>> = { tasks_waiting: 10 }
const SELDOM_SECONDS = 3_600

/** The refusal of what would go past a limit: which one, what is left and when it helps to come again. */
export function quotaProblem(standing: Standing, now: number): Problem {
  const { name, limit, used, resetsAt } = standing
  const words: Words = QUOTA_WORDS[name]
  const retryAfterSeconds =
    resetsAt === null
      ? (TRY_AGAIN_SECONDS[name] ?? SELDOM_SECONDS)
      : Math.max(1, Math.ceil((resetsAt - now) / 1_000))
  return new Problem(
    name === 'calls_a_minute' ? 'rate_limited' : 'quota_exceeded',
    `This account may ${words.may(limit)} and ${words.did(used)}.`,
    {
      hint: words.hint ?? `Send it again in ${retryAfterSeconds} seconds.`,
      retryable: resetsAt !== null || name in TRY_AGAIN_SECONDS,
      limit: standingAnswer(standing),
      retryAfterSeconds,
    },
  )
}

/** A standing as answers tell it. */
export const standingAnswer = ({ name, limit, used, resetsAt }: Standing) => ({
  name,
  limit,
  used,
  left: Math.max(0, limit - used),
  ...(resetsAt !== null && { resets_at: new Date(resetsAt).toISOString() }),
})

const MINUTE_MS = 60_000
const DAY_MS = 86_400_000

/** When the current minute or day of UTC ends. */
export const minuteEnd = (now: number): number => (Math.floor(now / MINUTE_MS) + 1) * MINUTE_MS
export const dayEnd = (now: number): number => (Math.floor(now / DAY_MS) + 1) * DAY_MS
