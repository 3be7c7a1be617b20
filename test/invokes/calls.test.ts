import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import { expect, test } from 'vitest'
import { EXAMPLE } from '../../src/core/tools/example.ts'
import { Calls, type Work } from '../../src/invokes/calls.ts'
import type { End, Invoke, Job } from '../../src/invokes/invoke.ts'
import { describeInvoke, hostOf, type Place } from './contract.ts'

const { descriptor } = EXAMPLE
const NO_CODE = { code: () => Promise.reject(new Error('calls take no code')) }
const STOPPED: End = { reason: 'cancelled', message: 'it was stopped' }
const done = (result: unknown): End => ({ reason: 'done', raw: { result } })

/** An invoke whose work is some lines of this suite. */
function callsPlace(): Place {
  let calls = new Calls()
  let sent = 0
  const workOf =
    ({ input }: Job): Work =>
    async (stopped) => {
      sent += 1
      if (input.isSlow) await sleep(60_000, undefined, { signal: stopped, ref: false }).catch(() => {})
      return stopped.aborted ? STOPPED : done(input.isLarge ? 'x'.repeat(2_000_000) : randomUUID())
    }
  const invoke: Invoke = {
    check: ({ job }) => (job === 'bad' ? [{ path: 'descriptor.job', message: 'is bad' }] : []),
    checkInput: (_, { isBad }) => (isBad ? [{ path: 'input.isBad', message: 'is bad' }] : []),
    start: (job, host) => calls.start(job, host, workOf(job)),
    poll: (handle, host) => calls.poll(handle, host),
    stop: (handle) => calls.stop(handle),
  }
  const jobOf = (input: Record<string, unknown>): Job => {
    const id = randomUUID()
    return { id, accountId: 'a', handle: null, descriptor, codeHash: null, input }
  }
  return {
    invoke,
    quick: { descriptor, codeHash: null, input: {} },
    slow: { descriptor, codeHash: null, input: { isSlow: true } },
    ...NO_CODE,
    sent: () => sent,
    restart: async () => void (calls = new Calls()),
    forget: async () => {
      for (let i = 0; i < 14; i += 1) await invoke.start(jobOf({ isLarge: true }), hostOf(NO_CODE))
    },
    faulty: { descriptor: { ...descriptor, job: 'bad' }, paths: ['descriptor.job'] },
    faultyInput: { descriptor, input: { isBad: true }, paths: ['input.isBad'] },
    close: async () => {},
  }
}

describeInvoke('calls of this process', async () => callsPlace(), { isHere: true })

test('work that breaks is told as lost, without the words of the error', async () => {
  const host = hostOf(NO_CODE)
  const job: Job = { id: 'task_1', accountId: 'a', handle: null, descriptor, codeHash: null, input: {} }
  const step = await new Calls().start(job, host, async () => {
    throw new TypeError('a secret')
  })
  expect(step).toMatchObject({ kind: 'ended', end: { reason: 'result_lost', isRetryable: true } })
  expect(JSON.stringify(step)).not.toContain('secret')
})

test('a call that nobody knows any more after an hour counts as made', async () => {
  let now = 0
  const calls = new Calls()
  const host = hostOf(NO_CODE, { now: () => now })
  const start = (id: string) =>
    calls.start({ id, accountId: 'a', handle: null, descriptor, codeHash: null, input: {} }, host, async () =>
      done(id),
    )
  await start('task_1')
  const [handle = {}] = host.handles
  now += 3_600_001
  await start('task_2')
  await start('task_3')
  expect(await calls.poll(handle, host)).toMatchObject({ kind: 'ended', end: { reason: 'result_lost' } })
})
