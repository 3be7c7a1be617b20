import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { KEEP_MS, LEASE_MS, step, type TaskEvent } from '../../../src/core/tasks/state.ts'
import { isEnded, type Task, type Verdict } from '../../../src/core/tasks/task.ts'

const DONE: Verdict = {
  state: 'completed',
  endReason: 'done',
  output: 1,
  contract: { passed: true, checks: [] },
  error: null,
  exitCode: 0,
  stdout: null,
  stderr: null,
  tookMs: 30,
}

const FRESH: Task = {
  id: 'task_1',
  accountId: 'acc_1',
  specHash: 'h',
  toolId: 'tool:t',
  version: 1,
  job: null,
  input: {},
  depth: 0,
  isSample: false,
  scheduleId: null,
  state: 'working',
  phase: 'waiting_for_machine',
  attempt: 0,
  wakeAt: 1_000,
  frozenInput: null,
  handle: null,
  schedule: null,
  verdict: null,
  createdAt: 1_000,
  startedAt: null,
  endedAt: null,
}

const HOURLY: Task = {
  ...FRESH,
  state: 'scheduled',
  phase: null,
  schedule: { plan: { kind: 'hours', first: 1_000, hours: 1 }, lastSlot: 999, missed: 0, lastTaskId: null },
}

const after = (task: Task, event: TaskEvent, now: number): Task => step(task, event, now) ?? task

describe('a task', () => {
  test('is claimed, sent, seen and ended', () => {
    let task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(task).toMatchObject({ attempt: 1, wakeAt: 1_000 + LEASE_MS })
    task = after(task, { kind: 'sent', attempt: 1, handle: { boot: 'b' } }, 1_010)
    expect(task).toMatchObject({ phase: 'preparing', handle: { boot: 'b' }, startedAt: null })
    task = after(task, { kind: 'seen', attempt: 1, isStarted: true }, 1_020)
    expect(task).toMatchObject({ phase: 'running', startedAt: 1_020 })
    task = after(task, { kind: 'ended', attempt: 1, verdict: DONE }, 2_000)
    expect(task).toMatchObject({
      state: 'completed',
      phase: null,
      wakeAt: 2_000 + KEEP_MS,
      endedAt: 2_000,
      startedAt: 1_020,
    })
  })

  test('that ended before anybody saw it start began as long ago as it took', () => {
    const task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(after(task, { kind: 'ended', attempt: 1, verdict: DONE }, 1_100).startedAt).toBe(1_070)
    const seen = after(task, { kind: 'seen', attempt: 1, isStarted: true }, 1_090)
    expect(after(seen, { kind: 'ended', attempt: 1, verdict: DONE }, 1_100).startedAt).toBe(1_070)
    const never = { ...DONE, tookMs: null }
    expect(after(task, { kind: 'ended', attempt: 1, verdict: never }, 1_100).startedAt).toBe(null)
  })

  test('that is held is not claimed by another before its lease has run out', () => {
    const task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(step(task, { kind: 'claimed' }, 1_000 + LEASE_MS - 1)).toBe(null)
    expect(step(task, { kind: 'claimed' }, 1_000 + LEASE_MS)).toMatchObject({ attempt: 2 })
  })
})

describe('a task that waits', () => {
  test('for its time is claimed when it has come, not before', () => {
    const task: Task = { ...FRESH, state: 'scheduled', phase: null, wakeAt: 9_000 }
    expect(step(task, { kind: 'claimed' }, 8_999)).toBe(null)
    expect(step(task, { kind: 'claimed' }, 9_000)).toMatchObject({ state: 'working', attempt: 1 })
  })

  test('for another is woken by its end, and its input is frozen once', () => {
    let task = after(FRESH, { kind: 'claimed' }, 1_000)
    task = after(task, { kind: 'waits', attempt: 1 }, 1_000)
    expect(task).toMatchObject({ phase: 'waiting_for_task', wakeAt: 31_000 })
    task = after(task, { kind: 'woken' }, 2_000)
    expect(task.wakeAt).toBe(2_000)
    task = after(task, { kind: 'claimed' }, 2_000)
    task = after(task, { kind: 'resolved', attempt: 2, input: { a: 1 } }, 2_000)
    task = after(task, { kind: 'resolved', attempt: 2, input: { a: 2 } }, 2_000)
    expect(task.frozenInput).toEqual({ a: 1 })
    expect(step(task, { kind: 'woken' }, 2_000)).toBe(null)
  })
})

describe('a schedule', () => {
  const fired = (slot: number, taskId: string | null, missed = 0): TaskEvent => ({
    kind: 'fired',
    slot,
    missed,
    taskId,
    next: slot + 3_600_000,
  })

  test('is never claimed; each slot counts once, and the newest task is named', () => {
    expect(step(HOURLY, { kind: 'claimed' }, 5_000)).toBe(null)
    let task = after(HOURLY, fired(1_000, 'task_a', 2), 5_000)
    expect(step(task, fired(1_000, 'task_b'), 5_000)).toBe(null)
    task = after(task, fired(3_601_000, null, 1), 3_700_000)
    expect(task).toMatchObject({
      state: 'scheduled',
      wakeAt: 7_201_000,
      schedule: { lastSlot: 3_601_000, missed: 3, lastTaskId: 'task_a' },
    })
  })

  test('that was called off fires no more', () => {
    const task = after(
      HOURLY,
      { kind: 'called_off', verdict: { ...DONE, state: 'failed', endReason: 'cancelled' } },
      5,
    )
    expect(task).toMatchObject({ state: 'failed', endedAt: 5 })
    expect(step(task, fired(1_000, 'task_a'), 6)).toBe(null)
  })
})

const attempt = fc.nat(3)
const events: fc.Arbitrary<TaskEvent> = fc.oneof(
  fc.constant<TaskEvent>({ kind: 'claimed' }),
  fc.record({ kind: fc.constant('resolved' as const), attempt, input: fc.constant({}) }),
  fc.record({ kind: fc.constant('waits' as const), attempt }),
  fc.constant<TaskEvent>({ kind: 'woken' }),
  fc.record({ kind: fc.constant('sent' as const), attempt, handle: fc.constant({ boot: 'b' }) }),
  fc.record({ kind: fc.constant('unsent' as const), attempt }),
  fc.record({ kind: fc.constant('seen' as const), attempt, isStarted: fc.boolean() }),
  fc.record({ kind: fc.constant('ended' as const), attempt, verdict: fc.constant(DONE) }),
  fc.record({
    kind: fc.constant('fired' as const),
    slot: fc.integer({ min: 900, max: 1_100 }),
    missed: fc.nat(3),
    taskId: fc.option(fc.constant('task_2')),
    next: fc.integer({ min: 1_100, max: 1_200 }),
  }),
  fc.constant<TaskEvent>({
    kind: 'called_off',
    verdict: { ...DONE, state: 'failed', endReason: 'cancelled' },
  }),
)

test.each([
  ['a task that runs now', FRESH],
  ['a task that runs later', { ...FRESH, state: 'scheduled' as const, phase: null, wakeAt: 60_000 }],
  ['a schedule', HOURLY],
])(
  '%s: whatever happens in whatever order, no way back from an end, and the past speaks no more',
  (_what, first) => {
    fc.assert(
      fc.property(fc.array(fc.tuple(events, fc.nat(60_000)), { maxLength: 40 }), (history) => {
        let task: Task = first
        let now = 1_000
        const slots = new Set<number>()
        for (const [event, pause] of history) {
          now += pause
          const next = step(task, event, now)
          if (isEnded(task)) expect(next).toBe(null)
          if (next === null) continue
          expect(next.attempt - task.attempt).toBe(event.kind === 'claimed' ? 1 : 0)
          if ('attempt' in event) expect(event.attempt).toBe(task.attempt)
          if (task.startedAt !== null) expect(next.startedAt).toBeLessThanOrEqual(task.startedAt)
          if (task.frozenInput !== null) expect(next.frozenInput).toBe(task.frozenInput)
          expect(isEnded(next)).toBe(event.kind === 'ended' || event.kind === 'called_off')
          expect(isEnded(next)).toBe(next.endedAt !== null)
          if (event.kind === 'fired') {
            expect(slots.has(event.slot)).toBe(false)
            slots.add(event.slot)
          }
          task = next
        }
      }),
    )
  },
)
