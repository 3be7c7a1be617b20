import { randomUUID } from 'node:crypto'
import { afterAll, afterEach, beforeAll, describe, expect, test } from 'vitest'
import type { Fault } from '../../src/core/problem.ts'
import type { Descriptor } from '../../src/core/tools/descriptor/descriptor.ts'
import type { End, Handle, Host, Invoke, Job, Step } from '../../src/invokes/invoke.ts'
import type { Network } from '../support/fake-invoke.ts'

/** A place under test, and the hands that the suite has on it. */
export interface Place {
  invoke: Invoke
  /** Work that ends at once as `done`, and prints something else at each run. */
  quick: Pick<Job, 'descriptor' | 'codeHash' | 'input'>
  /** Work that goes on for a minute. */
  slow: Pick<Job, 'descriptor' | 'codeHash' | 'input'>
  code: Host['code']
  /** How many messages that could begin a job were sent. */
  sent(): number
  /** Cuts what lies between this process and the place; left out, with `beforeSend`, where nothing does. */
  setNetwork?(network: Network): void
  /** Lets this happen once, between the recording of a handle and the sending of its job. */
  beforeSend?(act: () => Promise<void>): void
  /** Everything that runs there is lost, and what it would have answered. */
  restart(): Promise<void>
  /** Lets the place drop the result of a job that ended. */
  forget(handle: Handle): Promise<void>
  /** Faults that only this place can tell. */
  faulty: { descriptor: Descriptor; paths: string[] }
  /** At least two faults of a valid input. */
  faultyInput: { descriptor: Descriptor; input: Record<string, unknown>; paths: string[] }
  close(): Promise<void>
}

export interface Lent extends Host {
  /** What was recorded, in order. */
  handles: Handle[]
}

const SLICE_MS = 600

export function hostOf({ code }: Pick<Place, 'code'>, given: Partial<Host> = {}): Lent {
  const handles: Handle[] = []
  const recordHandle = (handle: Handle) => handles.push(handle) > 0
  const nothing = async () => null
  const lent = {
    sliceMs: SLICE_MS,
    now: () => Date.now(),
    recordHandle,
    code,
    file: nothing,
    secret: nothing,
  }
  return { ...lent, ...given, handles }
}

/** A handle as it comes back out of a database. */
const kept = (handle: Handle | undefined): Handle => JSON.parse(JSON.stringify(handle)) as Handle

/** Polls until the end, at most 20 s. */
export async function endOf(invoke: Invoke, first: Step, host: Lent): Promise<End> {
  let step = first
  for (let tries = 0; tries < 40 && step.kind !== 'ended'; tries += 1) {
    step = await invoke.poll(kept(host.handles.at(-1)), host)
  }
  if (step.kind !== 'ended') throw new Error(`no end: ${JSON.stringify(step)}`)
  return step.end
}

/**
 * What every invoke must keep, whatever it does the work with: see `src/invokes/invoke.ts`. `isHere`: the work is done
 * by this process, so that no network can be cut between the two.
 */
export function describeInvoke(name: string, make: () => Promise<Place>, { isHere = false } = {}): void {
  describe(`the contract of an invoke: ${name}`, () => {
    let place: Place
    const jobOf = (work: Place['quick'], handle: Handle | null = null): Job => ({
      ...work,
      id: `task_${randomUUID()}`,
      accountId: 'account_1',
      handle,
    })

    beforeAll(async () => {
      place = await make()
    })
    afterAll(() => place.close())
    afterEach(() => place.setNetwork?.('up'))

    /** Begins a job; gives its recorded handle as a database would, and the step. */
    async function begin(job: Job) {
      const host = hostOf(place)
      const step = await place.invoke.start(job, host)
      return { host, step, handle: kept(host.handles.at(-1)) }
    }

    async function beginSlow() {
      const begun = await begin(jobOf(place.slow))
      expect(begun.step).toMatchObject({ kind: 'running' })
      return begun
    }

    test('a job that is begun ends as done, and asking again gives the same end', async () => {
      const { host, step, handle } = await begin(jobOf(place.quick))
      const end = await endOf(place.invoke, step, host)
      expect(end.reason).toBe('done')
      expect(saidIn(end)).toMatch(/\S/)
      expect(await place.invoke.poll(handle, host)).toEqual({ kind: 'ended', end })
      expect(await place.invoke.poll(handle, host)).toEqual({ kind: 'ended', end })
    })

    test('the handle was recorded before anything was sent', async () => {
      const before = place.sent()
      const sentAtRecord: number[] = []
      const host = hostOf(place, { recordHandle: () => sentAtRecord.push(place.sent()) > 0 })
      await place.invoke.start(jobOf(place.quick), host)
      expect(sentAtRecord[0]).toBe(before)
      expect(place.sent()).toBeGreaterThan(before)
    })

    test('a handle that is not recorded lets nothing be sent', async () => {
      const before = place.sent()
      const offered: Handle[] = []
      const host = hostOf(place, { recordHandle: (handle) => offered.push(handle) < 0 })
      const step = await place.invoke.start(jobOf(place.quick), host)
      expect(step.kind).toBe('silent')
      expect(place.sent()).toBe(before)
      expect(await place.invoke.poll(kept(offered[0]), host)).toMatchObject({ kind: 'not_started' })
    })

    test('two starts at once of one id, and one later, are one run', async () => {
      const job = jobOf(place.quick)
      const [first, second] = await Promise.all([begin(job), begin(job)])
      const end = await endOf(place.invoke, first.step, first.host)
      expect(await endOf(place.invoke, second.step, second.host)).toEqual(end)
      const later = await begin({ ...job, handle: first.handle })
      expect(await endOf(place.invoke, later.step, later.host)).toEqual(end)
      const other = await begin(jobOf(place.quick))
      expect(saidIn(await endOf(place.invoke, other.step, other.host))).not.toBe(saidIn(end))
    })

    test('a running job is told as running within the slice', async () => {
      const { host, handle } = await beginSlow()
      const began = performance.now()
      const step = await place.invoke.poll(handle, host)
      expect(performance.now() - began).toBeLessThan(SLICE_MS + 2_000)
      expect(step).toMatchObject({ kind: 'running', isStarted: true })
      expect(step.kind === 'running' && kept(step.handle)).toEqual(handle)
      await place.invoke.stop(handle, host)
    })

    test('stop ends a running job, also twice, and leaves an end as it was', async () => {
      const { host, handle } = await beginSlow()
      await place.invoke.stop(handle, host)
      const step = await place.invoke.poll(handle, hostOf(place, { sliceMs: 0 }))
      expect(step.kind).toBe('ended')
      expect(step.kind === 'ended' && step.end.reason).not.toBe('done')
      await place.invoke.stop(handle, host)
      expect(await place.invoke.poll(handle, host)).toEqual(step)

      const quick = await begin(jobOf(place.quick))
      const end = await endOf(place.invoke, quick.step, quick.host)
      await place.invoke.stop(quick.handle, host)
      expect(await place.invoke.poll(quick.handle, host)).toEqual({ kind: 'ended', end })
    })

    test('stop of a job that never came there has nothing to do', async () => {
      const { handle } = await begin(jobOf(place.quick))
      await expect(place.invoke.stop({ ...handle, id: `task_${randomUUID()}` }, hostOf(place))).resolves.toBe(
        undefined,
      )
    })

    test.skipIf(isHere)(
      'unreachable: a new job is not started, a begun one silent, and it goes on afterwards',
      async () => {
        const job = jobOf(place.slow)
        const { host, handle } = await begin(job)
        place.setNetwork?.('down')
        const fresh = hostOf(place)
        expect(await place.invoke.start(jobOf(place.quick), fresh)).toMatchObject({
          kind: 'not_started',
          message: expect.stringMatching(/\S/),
        })
        expect(fresh.handles).toEqual([])
        expect(await place.invoke.poll(handle, host)).toMatchObject({ kind: 'silent' })
        expect(await place.invoke.start({ ...job, handle }, host)).toMatchObject({ kind: 'silent' })
        // A stop that nobody heard is no stop: whoever asked for it must know.
        await expect(place.invoke.stop(handle, host)).rejects.toThrow(/\S/)
        place.setNetwork?.('up')
        expect(await place.invoke.poll(handle, host)).toMatchObject({ kind: 'running' })
        await place.invoke.stop(handle, host)
      },
    )

    test.skipIf(isHere)('a lost answer is silence, and the one run is found again', async () => {
      const job = jobOf(place.quick)
      const host = hostOf(place)
      place.beforeSend?.(async () => place.setNetwork?.('deaf'))
      expect(await place.invoke.start(job, host)).toMatchObject({ kind: 'silent' })
      place.setNetwork?.('up')
      const [handle] = host.handles
      const end = await endOf(place.invoke, await place.invoke.poll(kept(handle), host), host)
      expect(end.reason).toBe('done')
      const again = await begin({ ...job, handle: kept(handle) })
      expect(await endOf(place.invoke, again.step, again.host)).toEqual(end)
    })

    test('restarted: what may have begun there is lost, in words, and never begun again', async () => {
      const job = jobOf(place.slow)
      const { host, handle } = await begin(job)
      await place.restart()
      const lost = {
        kind: 'ended',
        end: { reason: 'machine_lost', isRetryable: true, message: expect.stringMatching(/\S/) },
      }
      expect(await place.invoke.poll(handle, host)).toMatchObject(lost)
      expect(await place.invoke.start({ ...job, handle }, host)).toMatchObject(lost)
      expect(await place.invoke.poll(handle, host)).toMatchObject(lost)
      await place.invoke.stop(handle, host)
      const next = await begin(jobOf(place.quick))
      expect((await endOf(place.invoke, next.step, next.host)).reason).toBe('done')
    })

    test.skipIf(isHere)(
      'restarted before the job was sent: it is not started, and may be tried again',
      async () => {
        const job = jobOf(place.quick)
        place.beforeSend?.(() => place.restart())
        expect((await begin(job)).step).toMatchObject({ kind: 'not_started' })
        const again = await begin(job)
        expect((await endOf(place.invoke, again.step, again.host)).reason).toBe('done')
      },
    )

    test('a forgotten result is lost, and the job is not run again', async () => {
      const job = jobOf(place.quick)
      const { host, step, handle } = await begin(job)
      await endOf(place.invoke, step, host)
      await place.forget(handle)
      const lost = { kind: 'ended', end: { reason: 'result_lost', isRetryable: true } }
      expect(await place.invoke.poll(handle, host)).toMatchObject(lost)
      expect(await place.invoke.start({ ...job, handle }, host)).toMatchObject(lost)
      expect(await place.invoke.start(job, host)).toMatchObject(lost)
    })

    test('check and checkInput tell every fault at once, and nothing against what is right', async () => {
      const { faulty, faultyInput, quick } = place
      expect(await place.invoke.check(quick.descriptor)).toEqual([])
      expect(place.invoke.checkInput(quick.descriptor, quick.input)).toEqual([])
      expectFaults(await place.invoke.check(faulty.descriptor), faulty.paths)
      const faults = place.invoke.checkInput(faultyInput.descriptor, faultyInput.input)
      expectFaults(faults, faultyInput.paths)
    })
  })
}

/** What the work printed or answered. */
const saidIn = ({ raw }: End): string => raw?.stdout ?? JSON.stringify(raw?.result)

function expectFaults(faults: Fault[], paths: string[]): void {
  expect(paths.length).toBeGreaterThan(0)
  expect(faults.map(({ path }) => path).sort()).toEqual(paths.toSorted())
  for (const { message } of faults) expect(message).toMatch(/\S/)
}
