import { randomUUID } from 'node:crypto'
import type { Descriptor, ModelInvoke } from '../../../src/core/tools/descriptor/descriptor.ts'
import { EXAMPLE } from '../../../src/core/tools/example.ts'
import type { End, Job } from '../../../src/invokes/invoke.ts'
import { modelInvoke, openAi, workersAi, type ModelServer } from '../../../src/invokes/model/index.ts'
import { FakeAi, fakeModelServer } from '../../support/fake-models.ts'
import { freePort } from '../../support/ports.ts'
import { endOf, hostOf, type Place } from '../contract.ts'

export const NO_CODE = { code: () => Promise.reject(new Error('a model takes no code')) }

const FILL = (field: string) => ({ fill: { from: 'input', field } })

/** The complete example as a question to a model. */
export function modelDescriptor(invoke: Partial<ModelInvoke>, given: Partial<Descriptor> = {}): Descriptor {
  return {
    ...EXAMPLE.descriptor,
    input_schema: { type: 'object', properties: { text: { type: 'string' } } },
    output_schema: { type: 'string' },
    result_selector: '.response',
    placements: ['placement:rented-model-runtime'],
    licence_class: 'licence:permissive',
    ...given,
    invoke: {
      kind: 'model',
      model: '@cf/meta/llama-3.1-8b-instruct-fp8',
      input: { messages: [{ role: 'user', content: { fill: { from: 'input', field: 'text' } } }] },
      ...invoke,
    },
  }
}

const jobOf = (descriptor: Descriptor, input: Record<string, unknown>): Job => ({
  id: `task_${randomUUID()}`,
  accountId: 'account_1',
  handle: null,
  descriptor,
  codeHash: null,
  input,
})

/** Asks one question and waits for its end. */
export async function ask(
  server: ModelServer | null,
  text: string,
  descriptor: Descriptor = modelDescriptor({}),
): Promise<End> {
  const invoke = modelInvoke(server)
  const host = hostOf(NO_CODE, { sliceMs: 5_000 })
  return endOf(invoke, await invoke.start(jobOf(descriptor, { text }), host), host)
}

/** The fake binding under the contract of every invoke. */
export async function bindingPlace(): Promise<Place> {
  const ai = new FakeAi()
  return placeOf(workersAi(ai), { sent: () => ai.asked.length, close: async () => {} })
}

/** The fake OpenAI-compatible server under the contract of every invoke. */
export async function addressPlace(): Promise<Place> {
  const at = `127.0.0.1:${await freePort()}`
  const fake = await fakeModelServer(at)
  const sent = () => fake.asked.filter(({ method }) => method === 'POST').length
  return placeOf(openAi({ url: `http://${at}/v1`, key: null }), { sent, close: () => fake.close() })
}

function placeOf(server: ModelServer, { sent, close }: Pick<Place, 'sent' | 'close'>): Place {
  let current = modelInvoke(server)
  const work = (text: string) => ({ descriptor: modelDescriptor({}), codeHash: null, input: { text } })
  return {
    invoke: {
      check: (descriptor) => current.check(descriptor),
      checkInput: (descriptor, input) => current.checkInput(descriptor, input),
      start: (job, host) => current.start(job, host),
      poll: (handle, host) => current.poll(handle, host),
      stop: (handle, host) => current.stop(handle, host),
    },
    get quick() {
      return work(`reply ${randomUUID()}`)
    },
    slow: work('wait 59000'),
    ...NO_CODE,
    sent,
    restart: async () => void (current = modelInvoke(server)),
    forget: async () => {
      for (let i = 0; i < 26; i += 1) {
        const { descriptor, input } = work(`reply ${'x'.repeat(1_000_000)}`)
        await current.start(jobOf(descriptor, input), hostOf(NO_CODE, { sliceMs: 5_000 }))
      }
    },
    faulty: {
      descriptor: modelDescriptor(
        { input: { stream: true, max_tokens: 0, max_completion_tokens: 10_000 } },
        { limits: { seconds: 301 } },
      ),
      paths: [
        'descriptor.invoke.input',
        'descriptor.invoke.input.max_completion_tokens',
        'descriptor.invoke.input.max_tokens',
        'descriptor.invoke.input.stream',
        'descriptor.limits.seconds',
      ],
    },
    faultyInput: {
      descriptor: modelDescriptor({ input: { prompt: FILL('text'), system: [FILL('rules'), FILL('text')] } }),
      input: { text: 'x'.repeat(400_000), rules: 'y'.repeat(400_001), other: 'z'.repeat(500_000) },
      paths: ['input.rules', 'input.text'],
    },
    close,
  }
}
