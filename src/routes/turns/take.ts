import type { MiddlewareHandler } from 'hono'
import type { AccountTaskPort, Key, Submission, TaskFilter } from '../../core/tasks/port.ts'
import type { Report } from '../../core/tasks/task.ts'
import { readSettings } from '../../env.ts'
import { Turns, type Turn } from './turns.ts'

export type TakingTurns = { Bindings: Env; Variables: { turn: Turn } }

/** Longer than a call is at work, unless it waits for something. */
const LONGEST_MS = 250

/** Those of this isolate, whose one thread all callers share. */
let turns: Turns | undefined

function turnsOf(env: Env): Turns {
  const { callsAtOnce, quotas } = readSettings(env)
  return new Turns({
    places: callsAtOnce,
    // Nobody may make more in a minute.
    line: quotas.callsAMinute,
    longestMs: LONGEST_MS,
    now: Date.now,
    sleep: (ms) => scheduler.wait(ms),
  })
}

/**
 * Lets callers take turns, before anything is done for them. They are told apart by what they sign in with: finding out
 * who they are is work already.
 */
export const takeTurns: MiddlewareHandler<TakingTurns> = async (c, next) => {
  turns ??= turnsOf(c.env)
  const taking = turns.take(c.req.header('authorization') ?? '')
  // Whoever goes away while it waits still passes its turn on.
  c.executionCtx.waitUntil(taking.then((taken) => scheduler.wait(LONGEST_MS).then(() => taken?.pass())))
  const turn = await taking
  if (!turn) {
    c.header('Retry-After', '1')
    const message = `${readSettings(c.env).quotas.callsAMinute} calls wait already. Send fewer at once.`
    return c.json({ error: { code: 'rate_limited', message, retryable: true } }, 429)
  }
  c.set('turn', turn)
  await next()
  // What is still being written passes it on itself.
  if (!c.res.headers.get('content-type')?.startsWith('text/event-stream')) turn.pass()
  return undefined
}

/** What a run needs of the thread before its place is at it: whoever comes anew need not wait for that. */
const BEGINNING_MS = 30

/** An account's tasks, as a call is lent them that passes its turn on when it comes to wait for one. */
export function passingOn(tasks: AccountTaskPort, { pass, lend }: Turn): AccountTaskPort {
  const waits = (ms: number) => {
    if (ms <= 0) return ms
    lend()
    void scheduler.wait(BEGINNING_MS).then(pass)
    return ms
  }
  return {
    submit: (submission: Submission, waitMs: number) => tasks.submit(submission, waits(waitMs)),
    recall: (key: Key, waitMs: number) => tasks.recall(key, waits(waitMs)),
    read: (taskId: string, waitMs: number) => tasks.read(taskId, waits(waitMs)),
    list: (filter: TaskFilter) => tasks.list(filter),
    cancel: (taskId: string) => tasks.cancel(taskId),
    report: (taskId: string, said: Omit<Report, 'at'>) => tasks.report(taskId, said),
    countCall: () => tasks.countCall(),
    over: (placement: string | undefined) => tasks.over(placement),
    standings: () => tasks.standings(),
  }
}
