import type { MiddlewareHandler } from 'hono'
import type { AccountTaskPort, Key, Submission, TaskFilter } from '../../core/tasks/port.ts'
import type { Report } from '../../core/tasks/task.ts'
import { readSettings } from '../../env.ts'
import { Turns, type Turn } from './turns.ts'

export type TakingTurns = { Bindings: Env; Variables: { turn: Turn } }

/** Calls of one caller that may wait in one isolate. */
const LINE = 200
/** Longer than a call is at work, unless it waits for something. */
const LONGEST_MS = 250

/** Those of this isolate, whose one thread all callers share. */
let turns: Turns | undefined

/**
 * Lets callers take turns, before anything is done for them. They are told apart by what they sign in with: finding out
 * who they are is work already.
 */
export const takeTurns: MiddlewareHandler<TakingTurns> = async (c, next) => {
  turns ??= new Turns({
    places: readSettings(c.env).callsAtOnce,
    line: LINE,
    longestMs: LONGEST_MS,
    now: Date.now,
    sleep: (ms) => scheduler.wait(ms),
  })
  const taking = turns.take(c.req.header('authorization') ?? '')
  const over = Promise.withResolvers<void>()
  // Whoever goes away while it waits still passes its turn on.
  c.executionCtx.waitUntil(over.promise)
  const turn = await taking
  if (!turn) {
    c.header('Retry-After', '1')
    const message = `More than ${LINE} calls wait already. Send fewer at once.`
    return c.json({ error: { code: 'rate_limited', message, retryable: true } }, 429)
  }
  c.set('turn', turn)
  await next()
  // What is still being written passes it on itself.
  if (!c.res.headers.get('content-type')?.startsWith('text/event-stream')) turn.pass()
  return undefined
}

/** An account's tasks, as a call is lent them that passes its turn on when it comes to wait for one. */
export const passingOn = (tasks: AccountTaskPort, { pass }: Turn): AccountTaskPort => ({
  submit(submission: Submission, waitMs: number) {
    if (waitMs > 0) pass()
    return tasks.submit(submission, waitMs)
  },
  recall(key: Key, waitMs: number) {
    if (waitMs > 0) pass()
    return tasks.recall(key, waitMs)
  },
  read(taskId: string, waitMs: number) {
    if (waitMs > 0) pass()
    return tasks.read(taskId, waitMs)
  },
  list: (filter: TaskFilter) => tasks.list(filter),
  cancel: (taskId: string) => tasks.cancel(taskId),
  report: (taskId: string, said: Omit<Report, 'at'>) => tasks.report(taskId, said),
  countCall: () => tasks.countCall(),
  over: (placement: string | undefined) => tasks.over(placement),
  standings: () => tasks.standings(),
})
