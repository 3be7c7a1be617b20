import { randomUUID } from 'node:crypto'
import { EXAMPLE } from '../../src/core/tools/example.ts'
import type { End } from '../../src/invokes/invoke.ts'
import { FakePlace } from '../support/fake-invoke.ts'
import { describeInvoke, type Place } from './contract.ts'

const { descriptor } = EXAMPLE
const STOPPED: End = { reason: 'machine_lost', message: 'the fake place was told to stop', isRetryable: true }

/** Works until it is stopped when its input says so, else ends at once. */
const fake = () =>
  new FakePlace(({ input }, stopped) => {
    if (!input.isSlow) return { reason: 'done', raw: { stdout: randomUUID() } }
    return new Promise((done) => stopped.addEventListener('abort', () => done(STOPPED)))
  })

describeInvoke('the fake in memory', async (): Promise<Place> => {
  const place = fake()
  place.faults = ({ job }) => (job === 'bad' ? [fault('descriptor.job'), fault('descriptor.invoke')] : [])
  place.inputFaults = ({ isBad }) => (isBad ? [fault('input.a'), fault('input.b')] : [])
  return {
    invoke: place.invoke,
    quick: { descriptor, codeHash: null, input: {} },
    slow: { descriptor, codeHash: null, input: { isSlow: true } },
    code: () => Promise.reject(new Error('the fake place takes no code')),
    sent: () => place.sent,
    setNetwork: (network) => void (place.network = network),
    beforeSend: (act) => void (place.beforeSend = act),
    restart: async () => place.restart(),
    forget: async ({ id }) => place.forget(String(id)),
    faulty: {
      descriptor: { ...descriptor, job: 'bad' },
      paths: ['descriptor.job', 'descriptor.invoke'],
    },
    faultyInput: { descriptor, input: { isBad: true }, paths: ['input.a', 'input.b'] },
    close: async () => place.restart(),
  }
})

const fault = (path: string) => ({ path, message: 'is bad' })
