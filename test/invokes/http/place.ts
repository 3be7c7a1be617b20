import { randomUUID } from 'node:crypto'
import { webOf, type Web } from '../../../src/core/net/web.ts'
import type { LookUp } from '../../../src/core/net/look-up.ts'
import type { Descriptor, HttpInvoke } from '../../../src/core/tools/descriptor/descriptor.ts'
import { EXAMPLE } from '../../../src/core/tools/example.ts'
import { httpInvoke } from '../../../src/invokes/http/index.ts'
import type { End, Host, Job } from '../../../src/invokes/invoke.ts'
import { freePort } from '../../support/ports.ts'
import { json, Upstream } from '../../support/upstream.ts'
import { endOf, hostOf, type Place } from '../contract.ts'

/** The complete example as a call of a web address. */
export function httpDescriptor(invoke: Partial<HttpInvoke>, given: Partial<Descriptor> = {}): Descriptor {
  return {
    ...EXAMPLE.descriptor,
    placements: ['placement:public-web-address'],
    ...given,
    invoke: { kind: 'http', url: 'https://api.example.test/', method: 'GET', ...invoke },
  }
}

/** A name server that knows nobody: tests that mean a name say what it stands for. */
const NOBODY: LookUp = async () => []

/** The way out of Node, with the guard of the product; `allowed` is what the environment allows to tests. */
export function testWeb(allowed: string[], lookUp: LookUp = NOBODY, fetcher: typeof fetch = fetch): Web {
  return webOf({ rules: { ownHosts: ['localhost'], allowed: new Set(allowed) }, lookUp, fetch: fetcher })
}

export const NO_CODE = { code: () => Promise.reject(new Error('a web address takes no code')) }

/** Runs one job to its end. */
export async function runHttp(
  web: Web,
  descriptor: Descriptor,
  { input = {}, host = {} }: { input?: Record<string, unknown>; host?: Partial<Host> } = {},
): Promise<End> {
  const invoke = httpInvoke(web)
  const lent = hostOf(NO_CODE, { sliceMs: 5_000, ...host })
  return endOf(invoke, await invoke.start(jobOf(descriptor, input), lent), lent)
}

const jobOf = (descriptor: Descriptor, input: Record<string, unknown>): Job => ({
  id: `task_${randomUUID()}`,
  accountId: 'account_1',
  handle: null,
  descriptor,
  codeHash: null,
  input,
})

/** A real server on loopback under the contract of every invoke. */
export async function webPlace(): Promise<Place> {
  const upstream = await Upstream.listen(`127.0.0.1:${await freePort()}`, {
    '/quick': (response) => json(response, { id: randomUUID() }),
    '/large': (response) => json(response, 'x'.repeat(1_000_000)),
    '/slow': (response) => void setTimeout(() => json(response, {}), 29_000).unref(),
  })
  const web = testWeb([upstream.at])
  let current = httpInvoke(web)
  const work = (path: string) => ({
    descriptor: httpDescriptor({ url: upstream.url(path) }),
    codeHash: null,
    input: {},
  })
  return {
    invoke: {
      check: (descriptor) => current.check(descriptor),
      checkInput: (descriptor, input) => current.checkInput(descriptor, input),
      start: (job, host) => current.start(job, host),
      poll: (handle, host) => current.poll(handle, host),
      stop: (handle, host) => current.stop(handle, host),
    },
    quick: work('/quick'),
    slow: work('/slow'),
    ...NO_CODE,
    sent: () => upstream.asked.length,
    restart: async () => void (current = httpInvoke(web)),
    forget: async () => {
      for (let i = 0; i < 26; i += 1) {
        const { descriptor, input } = work('/large')
        await current.start(jobOf(descriptor, input), hostOf(NO_CODE, { sliceMs: 5_000 }))
      }
    },
    faulty: {
      descriptor: httpDescriptor(
        {
          url: 'https://127.0.0.1/%{text}',
          method: 'POST',
          headers: { 'content-type': 'text/plain' },
          body: {},
        },
        { limits: { seconds: 31, memory_mb: 64 } },
      ),
      paths: [
        'descriptor.invoke.headers.content-type',
        'descriptor.invoke.url',
        'descriptor.invoke.url',
        'descriptor.limits.memory_mb',
        'descriptor.limits.seconds',
      ],
    },
    faultyInput: {
      descriptor: httpDescriptor({ url: 'https://a.example.test/{text}/{to}', headers: { 'X-A': '{line}' } }),
      input: { text: '..', line: 'a\r\nB: c' },
      paths: ['input.text', 'input.to', 'input.line'],
    },
    close: () => upstream.close(),
  }
}
