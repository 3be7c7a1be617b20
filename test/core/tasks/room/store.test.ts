import * as fc from 'fast-check'
import { beforeEach, describe, expect, test } from 'vitest'
import { QUOTAS, type Quotas } from '../../../../src/core/limits.ts'
import type { Submission } from '../../../../src/core/tasks/port.ts'
import { TaskStore } from '../../../../src/core/tasks/store.ts'
import type { Verdict } from '../../../../src/core/tasks/task.ts'
import { fire } from '../../../../src/core/tasks/work/fire.ts'
import { unrun } from '../../../../src/core/tasks/work/verdict.ts'
import type { Wheel } from '../../../../src/core/tasks/work/wheel.ts'
import { openStorage } from '../../../bench/sqlite.ts'
import { toolOf } from '../../../support/tools.ts'

const DAY = 86_400_000
const HOUR = 3_600_000
const CANCELLED = unrun('cancelled', { message: 'cancelled' })

let now: number
let made: number
beforeEach(() => {
  now = 10 * DAY
  made = 0
})

const storeOf = (quotas: Partial<Quotas>) => new TaskStore(openStorage().storage, { ...QUOTAS, ...quotas })

const idOf = (n: number) => `task_${String(n).padStart(4, '0')}`

function submissionOf(
  given: Partial<Submission> = {},
  placement = 'placement:deployed-container',
): Submission {
  made += 1
  return {
    accountId: 'acc_1',
    id: idOf(made),
    requestKey: `key ${made}`,
    fingerprint: '',
    spec: {
      hash: `hash of ${placement}`,
      versionId: 1,
      toolId: 'tool:t',
      version: 1,
      descriptor: { ...toolOf('tool:t', {}).descriptor, placements: [placement] } as never,
      codeHash: null,
    },
    toolId: 'tool:t',
    input: {},
    job: null,
    isSample: false,
    plan: null,
    scheduleId: null,
    ...given,
  }
}

const verdictOf = (given: Partial<Verdict>): Verdict => ({
  ...CANCELLED,
  state: 'completed',
  endReason: 'done',
  error: null,
  ...given,
})

/** Takes up a task, unless that was done, and ends it. */
function run(store: TaskStore, id: string, given: Partial<Verdict>): void {
  store.claim(id, now)
  const attempt = store.find(id)?.attempt ?? 0
  store.apply(id, { kind: 'ended', attempt, verdict: verdictOf(given) }, now)
}

const usedOf = (store: TaskStore, name: string) =>
  store.room.standings(now).find((standing) => standing.name === name)?.used

describe('places', () => {
  test('the task after the last place waits, and begins when one is free', () => {
    const store = storeOf({ tasksAtOnce: 2 })
    for (let i = 0; i < 4; i += 1) store.submit(submissionOf(), now)
    expect([1, 2, 3, 4].map((n) => store.claim(idOf(n), now)?.phase)).toEqual([
      'waiting_for_machine',
      'waiting_for_machine',
      undefined,
      undefined,
    ])
    expect(store.find(idOf(3))).toMatchObject({ state: 'working', phase: 'waiting_for_machine', attempt: 0 })
    expect(store.due(now)).toEqual([])
    store.apply(idOf(2), { kind: 'called_off', verdict: CANCELLED }, now)
    expect(store.due(now)).toEqual([idOf(3)])
    expect(store.claim(idOf(4), now + DAY)).toBe(null)
    expect(store.claim(idOf(3), now)).toMatchObject({ attempt: 1 })
  })

  test('a task that waits for another gives its place away', () => {
    const store = storeOf({ tasksAtOnce: 1 })
    for (let i = 0; i < 2; i += 1) store.submit(submissionOf(), now)
    store.claim(idOf(1), now)
    store.claim(idOf(2), now)
    store.apply(idOf(1), { kind: 'waits', attempt: 1 }, now)
    expect(store.claim(idOf(2), now)).toMatchObject({ attempt: 1 })
    store.apply(idOf(1), { kind: 'woken' }, now)
    expect(store.claim(idOf(1), now)).toBe(null)
    run(store, idOf(2), {})
    expect(store.claim(idOf(1), now)).toMatchObject({ attempt: 2 })
  })

  test('whatever happens in whatever order, none is over the limit and none is forgotten', () => {
    const step = fc.record({
      what: fc.constantFrom('submit', 'look', 'wait', 'end', 'cancel', 'begin anew'),
      which: fc.nat(15),
    })
    fc.assert(
      fc.property(fc.array(step, { maxLength: 80 }), (steps) => {
        made = 0
        const store = storeOf({ tasksAtOnce: 3 })
        const lookAt = (id: string) => store.claim(id, now)
        for (const { what, which } of steps) {
          const id = idOf((which % Math.max(1, made)) + 1)
          const attempt = store.find(id)?.attempt ?? 0
          if (what === 'submit') store.submit(submissionOf(), now)
          if (what === 'look') lookAt(id)
          if (what === 'begin anew') store.releaseLeases(now)
          if (attempt > 0 && what === 'wait') store.apply(id, { kind: 'waits', attempt }, now)
          if (attempt > 0 && what === 'end')
            store.apply(id, { kind: 'ended', attempt, verdict: verdictOf({}) }, now)
          if (what === 'cancel') store.apply(id, { kind: 'called_off', verdict: CANCELLED }, now)
          expect(usedOf(store, 'tasks_at_once')).toBeLessThanOrEqual(3)
          // Whoever may begin is due, so that somebody looks.
          expect(store.due(now)).toEqual(expect.arrayContaining(store.room.inLine()))
        }
      }),
    )
  })
})

describe('more than an account may have', () => {
  test('tasks that wait: the next one is refused and nothing of it kept', () => {
    const store = storeOf({ tasksAtOnce: 20, tasksWaiting: 500, callsAMinute: 600 })
    for (let i = 0; i < 520; i += 1) {
      const submission = submissionOf()
      expect(store.submit(submission, now)).toMatchObject({ isNew: true })
      store.claim(submission.id, now)
    }
    expect(usedOf(store, 'tasks_at_once')).toBe(20)
    const last = submissionOf()
    expect(store.submit(last, now)).toEqual({
      over: { name: 'tasks_waiting', limit: 500, used: 500, resetsAt: null },
    })
    expect(store.find(last.id)).toBe(null)
    expect(store.findByKey(last)).toBe(null)
    // A key that is known is answered all the same.
    expect(store.submit({ ...submissionOf(), requestKey: 'key 7' }, now)).toMatchObject({ isNew: false })
    run(store, idOf(1), {})
    expect(store.submit(last, now)).toMatchObject({ isNew: true })
  })

  test('runs and repeats kept for later', () => {
    const store = storeOf({ schedules: 2 })
    const once = { kind: 'once' as const, at: now + HOUR }
    const hourly = { kind: 'hours' as const, first: now, hours: 1 }
    store.submit(submissionOf({ plan: once }), now)
    store.submit(submissionOf({ plan: hourly }), now)
    for (const plan of [once, hourly])
      expect(store.submit(submissionOf({ plan }), now)).toMatchObject({
        over: { name: 'schedules', used: 2 },
      })
    expect(store.submit(submissionOf(), now)).toMatchObject({ isNew: true })
  })
})

describe("a day's limits", () => {
  test('count what runs really took, each once', () => {
    const store = storeOf({ containerSecondsADay: 3 })
    store.submit(submissionOf(), now)
    run(store, idOf(1), { tookMs: 2_999.5 })
    run(store, idOf(1), { tookMs: 2_999.5 })
    expect(usedOf(store, 'container_seconds_a_day')).toBe(3)
    expect(store.submit(submissionOf(), now)).toMatchObject({
      over: { name: 'container_seconds_a_day', used: 3, resetsAt: 11 * DAY },
    })
    expect(store.submit(submissionOf({}, 'placement:public-web-address'), now)).toMatchObject({ isNew: true })
    now += DAY
    expect(usedOf(store, 'container_seconds_a_day')).toBe(0)
    expect(store.submit(submissionOf(), now)).toMatchObject({ isNew: true })
  })

  test('a run that was cancelled counts since it was seen to begin, one that never began not at all', () => {
    const store = storeOf({})
    for (const n of [1, 2]) {
      store.submit(submissionOf(), now)
      store.claim(idOf(n), now)
    }
    store.apply(idOf(1), { kind: 'seen', attempt: 1, isStarted: true }, now)
    now += 5_000
    for (const n of [1, 2]) store.apply(idOf(n), { kind: 'called_off', verdict: CANCELLED }, now)
    expect(usedOf(store, 'container_seconds_a_day')).toBe(5)
  })

  test('tokens are those that the model counted', () => {
    const store = storeOf({ modelTokensADay: 100 })
    store.submit(submissionOf({}, 'placement:rented-model-runtime'), now)
    run(store, idOf(1), { tookMs: 9_000, usage: { input_tokens: 40, output_tokens: 60, total_tokens: 100 } })
    expect(usedOf(store, 'model_tokens_a_day')).toBe(100)
    expect(usedOf(store, 'container_seconds_a_day')).toBe(0)
    expect(store.submit(submissionOf({}, 'placement:rented-model-runtime'), now)).toMatchObject({
      over: { name: 'model_tokens_a_day' },
    })
  })
})

test('a slot that finds no room ends as never started, and the schedule goes on', async () => {
  const store = storeOf({ tasksAtOnce: 1, tasksWaiting: 0 })
  const plan = { kind: 'hours' as const, first: now + HOUR, hours: 1 }
  const schedule = submissionOf({ plan })
  store.submit(schedule, now)
  const busy = submissionOf()
  store.submit(busy, now)
  store.claim(busy.id, now)
  const taken: string[] = []
  const wheel = {
    store,
    host: { now: () => now },
    isWithdrawn: async () => false,
    pay: async () => null,
    newTaskId: () => submissionOf().id,
    take: (id: string) => taken.push(id),
  } as unknown as Wheel
  const fireNext = async () => {
    now += HOUR
    const before = store.find(schedule.id)
    if (before) await fire(before, wheel)
    return store.find(store.find(schedule.id)?.schedule?.lastTaskId ?? '')
  }
  expect(await fireNext()).toMatchObject({
    state: 'failed',
    verdict: {
      endReason: 'never_started',
      error: { code: 'quota_exceeded', message: expect.stringContaining('0 runs waiting'), retryable: true },
    },
  })
  run(store, busy.id, {})
  expect(await fireNext()).toMatchObject({ state: 'working', verdict: null })
  expect(store.find(schedule.id)).toMatchObject({ state: 'scheduled', wakeAt: now + HOUR })
})
