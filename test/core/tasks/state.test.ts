import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { LEASE_MS, step, type TaskEvent } from '../../../src/core/tasks/state.ts'
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
  isSample: false,
  state: 'working',
  phase: 'waiting_for_machine',
  attempt: 0,
  leaseUntil: 1_000,
  handle: null,
  verdict: null,
  createdAt: 1_000,
  startedAt: null,
  endedAt: null,
}

const after = (task: Task, event: TaskEvent, now: number): Task => step(task, event, now) ?? task

describe('a task', () => {
  test('is claimed, sent, seen and ended', () => {
    let task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(task).toMatchObject({ attempt: 1, leaseUntil: 1_000 + LEASE_MS })
    task = after(task, { kind: 'sent', attempt: 1, handle: { boot: 'b' } }, 1_010)
    expect(task).toMatchObject({ phase: 'preparing', handle: { boot: 'b' }, startedAt: null })
    task = after(task, { kind: 'seen', attempt: 1, isStarted: true }, 1_020)
    expect(task).toMatchObject({ phase: 'running', startedAt: 1_020 })
    task = after(task, { kind: 'ended', attempt: 1, verdict: DONE }, 2_000)
    expect(task).toMatchObject({
      state: 'completed',
      phase: null,
      leaseUntil: null,
      endedAt: 2_000,
      startedAt: 1_020,
    })
  })

  test('that ended before anybody saw it start began as long ago as it took', () => {
    const task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(after(task, { kind: 'ended', attempt: 1, verdict: DONE }, 1_100).startedAt).toBe(1_070)
    const never = { ...DONE, tookMs: null }
    expect(after(task, { kind: 'ended', attempt: 1, verdict: never }, 1_100).startedAt).toBe(null)
  })

  test('that is held is not claimed by another before its lease has run out', () => {
    const task = after(FRESH, { kind: 'claimed' }, 1_000)
    expect(step(task, { kind: 'claimed' }, 1_000 + LEASE_MS - 1)).toBe(null)
    expect(step(task, { kind: 'claimed' }, 1_000 + LEASE_MS)).toMatchObject({ attempt: 2 })
  })
})

const events: fc.Arbitrary<TaskEvent> = fc.oneof(
  fc.constant<TaskEvent>({ kind: 'claimed' }),
  fc.record({ kind: fc.constant('sent' as const), attempt: fc.nat(3), handle: fc.constant({ boot: 'b' }) }),
  fc.record({ kind: fc.constant('unsent' as const), attempt: fc.nat(3) }),
  fc.record({ kind: fc.constant('seen' as const), attempt: fc.nat(3), isStarted: fc.boolean() }),
  fc.record({ kind: fc.constant('ended' as const), attempt: fc.nat(3), verdict: fc.constant(DONE) }),
)

test('whatever happens in whatever order: no way back from an end, and the past speaks no more', () => {
  fc.assert(
    fc.property(fc.array(fc.tuple(events, fc.nat(60_000)), { maxLength: 40 }), (history) => {
      let task = FRESH
      let now = 1_000
      for (const [event, pause] of history) {
        now += pause
        const next = step(task, event, now)
        if (isEnded(task)) expect(next).toBe(null)
        if (next === null) continue
        expect(next.attempt - task.attempt).toBe(event.kind === 'claimed' ? 1 : 0)
        if ('attempt' in event) expect(event.attempt).toBe(task.attempt)
        if (task.startedAt !== null) expect(next.startedAt).toBe(task.startedAt)
        expect(next.leaseUntil === null).toBe(isEnded(next))
        expect(isEnded(next)).toBe(event.kind === 'ended')
        task = next
      }
    }),
  )
})
