import { DatabaseSync, type SQLInputValue } from 'node:sqlite'
import { beforeEach, expect, test } from 'vitest'
import { QUOTAS } from '../../../../src/core/limits.ts'
import { TaskStore } from '../../../../src/core/tasks/store.ts'
import { drive } from '../../../../src/core/tasks/work/drive.ts'
import { unrun } from '../../../../src/core/tasks/work/verdict.ts'
import type { Wheel } from '../../../../src/core/tasks/work/wheel.ts'
import type { Handle, Invoke, Job, Step } from '../../../../src/invokes/invoke.ts'
import { toolOf } from '../../../support/tools.ts'

const TASK = 'task_1'

let now: number
let store: TaskStore
/** The handle that each start was given, and `poll` for each poll. */
let asked: (Handle | null | 'poll')[]

beforeEach(() => {
  now = 1_000
  asked = []
  store = new TaskStore(inMemory(), QUOTAS)
  store.submit(
    {
      accountId: 'acc_1',
      id: TASK,
      requestKey: 'k',
      fingerprint: '',
      spec: {
        hash: 'h',
        versionId: 1,
        toolId: 'tool:t',
        version: 1,
        descriptor: toolOf('tool:t', {}).descriptor as never,
        codeHash: null,
      },
      toolId: 'tool:t',
      input: {},
      job: null,
      isSample: false,
      plan: null,
      scheduleId: null,
    },
    now,
  )
})

/** The part of a durable object's storage that the store uses, in memory. */
function inMemory(): DurableObjectStorage {
  const db = new DatabaseSync(':memory:')
  const exec = (sql: string, ...values: SQLInputValue[]) => {
    if (values.length === 0 && sql.includes('create table')) return db.exec(sql)
    const rows = db.prepare(sql).all(...values)
    return { toArray: () => rows }
  }
  const storage = { sql: { exec }, transactionSync: <T>(change: () => T) => change() }
  return storage as unknown as DurableObjectStorage
}

/** A place that answers from a list, whatever it is asked. It records the boot that it is at. */
function placeOf(answers: (Step | (() => Step))[], boot = 'boot 1'): Invoke {
  const next = () => {
    const answer = answers.shift()
    if (!answer) throw new Error('there was one question more than answers')
    return typeof answer === 'function' ? answer() : answer
  }
  return {
    check: () => [],
    checkInput: () => [],
    start: async (job: Job, host) => {
      asked.push(job.handle)
      host.recordHandle(job.handle ?? { boot })
      return next()
    },
    poll: async () => {
      asked.push('poll')
      return next()
    },
    stop: async () => {},
  }
}

const wheelOf = (container: Invoke, keep: Wheel['outputs']['keep'] = async () => never()): Wheel => ({
  store,
  invokes: { container },
  host: {
    sliceMs: 0,
    now: () => now,
    code: async () => never(),
    file: async () => never(),
  },
  sleep: async (ms) => void (now += ms),
  newTaskId: () => never(),
  take: () => {},
  accountId: 'acc_test',
  isWithdrawn: async () => false,
  pay: async () => null,
  outputs: { keep, load: async () => never() },
  secrets: { take: async () => never(), open: async () => never(), page: '' },
  files: {
    hold: async () => never(),
    names: async () => never(),
    open: async () => never(),
    keep: async () => never(),
    release: async () => never(),
  },
})

const never = (): never => {
  throw new Error('this is not asked for')
}

const BUSY: Step = { kind: 'not_started', message: 'busy' }
const SILENT: Step = { kind: 'silent', message: 'no answer' }
const LOST: Step = { kind: 'ended', end: { reason: 'machine_lost', message: 'gone', isRetryable: true } }
const done = (stdout = '{}'): Step => ({ kind: 'ended', end: { reason: 'done', raw: { stdout } } })

test('what was turned away may be sent to another machine', async () => {
  await drive(TASK, wheelOf(placeOf([BUSY, BUSY, done()])))
  expect(asked).toEqual([null, null, null])
  expect(store.find(TASK)?.state).toBe('completed')
})

test('what got no answer belongs to the machine that it was sent to, also once that one turns it away', async () => {
  await drive(TASK, wheelOf(placeOf([SILENT, BUSY, BUSY, BUSY, LOST])))
  const handle = { boot: 'boot 1' }
  expect(asked).toEqual([null, 'poll', handle, handle, handle])
  expect(store.find(TASK)?.verdict?.endReason).toBe('machine_lost')
})

test('so does what was sent by one who is gone', async () => {
  store.claim(TASK, now)
  store.apply(TASK, { kind: 'resolved', attempt: 1, input: {} }, now)
  store.apply(TASK, { kind: 'sent', attempt: 1, handle: { boot: 'boot 0' } }, now)
  now += 60_000
  await drive(TASK, wheelOf(placeOf([BUSY, BUSY, BUSY, done()])))
  const handle = { boot: 'boot 0' }
  expect(asked).toEqual(['poll', handle, handle, handle])
})

test('an output that cannot be kept now is kept seconds later, and the run is not sent again', async () => {
  const wheel = (keep: Wheel['outputs']['keep']) =>
    wheelOf(placeOf([done(JSON.stringify('x'.repeat(30_000)))]), keep)
  await expect(
    drive(
      TASK,
      wheel(() => Promise.reject(new Error('R2 is away'))),
    ),
  ).rejects.toThrow('away')
  const wakeAt = store.find(TASK)?.wakeAt ?? 0
  expect(wakeAt - now).toBeLessThanOrEqual(5_000)
  now = wakeAt
  await drive(
    TASK,
    wheel(async () => ({ identity: '1f:0', size: 30_002, preview: 'x' })),
  )
  expect(asked).toEqual([null, 'poll'])
  expect(store.find(TASK)).toMatchObject({ state: 'completed', verdict: { outputFile: { size: 30_002 } } })
})

test('what was called off while it was being sent is stopped, and that is not forgotten', async () => {
  const callOff = (): Step => {
    store.apply(TASK, { kind: 'called_off', verdict: unrun('cancelled', { message: 'cancelled' }) }, now)
    // The machine had nothing of it yet.
    store.dropFromOutbox(TASK, 'stop')
    return { kind: 'running', handle: { boot: 'boot 1' }, isStarted: true }
  }
  await drive(TASK, wheelOf(placeOf([callOff])))
  expect(store.outbox('stop').map(({ id }) => id)).toEqual([TASK])
})

test('nothing is kept of a run whose connection cannot be read any more', async () => {
  store.keepSecrets(TASK, [{ name: 'openai', keyName: 'gone', sealed: 'AAAA' }])
  await drive(TASK, {
    ...wheelOf(placeOf([done('{"may hold": "a secret"}')])),
    secrets: { take: async () => never(), open: () => Promise.reject(new Error('no such key')), page: '' },
  })
  const verdict = store.find(TASK)?.verdict
  expect(verdict).toMatchObject({ endReason: 'result_lost', stdout: null })
  expect(verdict).not.toHaveProperty('output')
})
