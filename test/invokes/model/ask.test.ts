import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { modelInvoke, openAi, workersAi, type ModelServer } from '../../../src/invokes/model/index.ts'
import { FakeAi, fakeModelServer } from '../../support/fake-models.ts'
import { freePort } from '../../support/ports.ts'
import type { Upstream } from '../../support/upstream.ts'
import { ask, modelDescriptor } from './place.ts'

const GLM = '@cf/zai-org/glm-4.7-flash'
const JSON_SCHEMA = { type: 'object', properties: { n: { type: 'number' } }, required: ['n'] }
const USAGE = { input_tokens: 11, output_tokens: 7, total_tokens: 18 }
const fill = (field: string) => ({ fill: { from: 'input', field } })

let ai: FakeAi
let address: Upstream
const servers: Record<string, ModelServer> = {}

beforeAll(async () => {
  ai = new FakeAi()
  address = await fakeModelServer(`127.0.0.1:${await freePort()}`)
  servers.binding = workersAi(ai)
  servers.address = openAi({ url: `http://${address.at}/v1`, key: 'sk-server' })
})

afterAll(() => address.close())

const lastSent = (): Record<string, unknown> => JSON.parse(address.asked.at(-1)?.body ?? '{}')

describe.each(['binding', 'address'])('by the %s', (name) => {
  const server = () => servers[name]!

  test('a text is answered, with what it took', async () => {
    const end = await ask(server(), 'reply a fine day')
    expect(end).toMatchObject({
      reason: 'done',
      raw: { result: { response: 'a fine day' }, usage: USAGE, took_ms: expect.any(Number) },
    })
  })

  test('JSON is asked for by the output_schema, and parsed', async () => {
    const end = await ask(server(), 'reply {"n": 4}', modelDescriptor({}, { output_schema: JSON_SCHEMA }))
    expect(end).toMatchObject({ reason: 'done', raw: { result: { response: { n: 4 } } } })
  })

  test('JSON between fences is parsed; what is no JSON fails and says what came', async () => {
    const descriptor = modelDescriptor({ model: GLM }, { output_schema: JSON_SCHEMA })
    const fenced = await ask(server(), 'reply ```json\n{"n": 4}\n```', descriptor)
    expect(fenced).toMatchObject({ reason: 'done', raw: { result: { response: { n: 4 } } } })
    const prose = await ask(server(), 'reply Sure! Here is n: 4', descriptor)
    expect(prose).toMatchObject({
      reason: 'model_failed',
      message: expect.stringMatching(/did not answer with JSON.*Sure! Here is n: 4/),
      hint: expect.stringMatching(/\S/),
      raw: { usage: USAGE },
    })
  })

  test('a model that takes too long is told with the limit that was applied', async () => {
    const end = await ask(server(), 'wait 5000', modelDescriptor({}, { limits: { seconds: 1 } }))
    expect(end).toMatchObject({
      reason: 'model_failed',
      message: 'The model did not answer within 1 s.',
      isRetryable: true,
    })
  })
})

describe('by the binding', () => {
  test.each([
    ['3040: Capacity temporarily exceeded, please try again.', /over capacity now/, true],
    ['3036: you have used up your daily free allocation', /used up/, true],
    ['InferenceUpstreamError: 3007: Request timeout', /timed out/, true],
    ['5007: No such model @cf/x/y or task', /no longer has this model/, undefined],
    ["AiError: JSON Mode couldn't be met", /did not answer with JSON/, undefined],
    ['5006: Error: required properties at "/" are "messages"', /refused the call: "5006/, undefined],
  ])('"%s" is told in words', async (words, says, isRetryable) => {
    const end = await ask(servers.binding!, `fail ${words}`)
    expect(end).toMatchObject({ reason: 'model_failed', message: expect.stringMatching(says) })
    expect('isRetryable' in end ? end.isRetryable : undefined).toBe(isRetryable)
  })

  test.each([
    ['@cf/meta/llama-3.1-8b-instruct-fp8', { type: 'json_schema', json_schema: JSON_SCHEMA }],
    [GLM, { type: 'json_schema', json_schema: { name: 'output', schema: JSON_SCHEMA } }],
    ['@cf/google/gemma-7b-it-lora', undefined],
  ])('%s is asked for JSON as it takes it', async (model, response_format) => {
    await ask(servers.binding!, 'reply {"n": 4}', modelDescriptor({ model }, { output_schema: JSON_SCHEMA }))
    expect(ai.asked.at(-1)).toMatchObject({ model, input: { max_tokens: 1_024 } })
    expect(ai.asked.at(-1)?.input.response_format).toEqual(response_format)
  })

  test.each([
    ['a text', {}, undefined],
    ['anything', { output_schema: true }, undefined],
    ['a text or null', { output_schema: { type: ['string', 'null'] } }, undefined],
    [
      'a part of JSON',
      { result_selector: '$.response.n', output_schema: { type: 'number' } },
      { type: 'json_object' },
    ],
    ['the whole answer', { result_selector: '$', output_schema: { type: 'object' } }, undefined],
    [
      'a choice',
      { output_schema: { enum: ['a', 'b'] } },
      { type: 'json_schema', json_schema: { enum: ['a', 'b'] } },
    ],
  ])('a tool that returns %s asks for it so', async (_, given, response_format) => {
    await ask(servers.binding!, 'reply {"n": 4}', modelDescriptor({}, given))
    expect(ai.asked.at(-1)?.input.response_format).toEqual(response_format)
  })

  test('inputs keep their types, but are texts where models take texts', async () => {
    const input = {
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: fill('list') },
        { role: 'user', content: fill('text') },
      ],
      temperature: fill('warmth'),
      stop: [fill('gone'), fill('text')],
      seed: fill('gone'),
      prompt: fill('gone'),
    }
    const descriptor = modelDescriptor({ input }, { input_schema: { type: 'object' } })
    const invoke = modelInvoke(servers.binding!)
    const job = { id: 'task_1', accountId: 'a', handle: null, descriptor, codeHash: null }
    const host = { sliceMs: 1_000, now: () => Date.now(), recordHandle: () => true }
    const none = async () => null
    const code = async (): Promise<never> => {
      throw new Error('no code')
    }
    await invoke.start(
      { ...job, input: { list: [1, { a: 2 }], text: '{"fill":1}', warmth: 0.5 } },
      {
        ...host,
        code,
        file: none,
        secret: none,
      },
    )
    expect(ai.asked.at(-1)?.input).toEqual({
      messages: [
        { role: 'system', content: 'Be brief.' },
        { role: 'user', content: '[1,{"a":2}]' },
        { role: 'user', content: '{"fill":1}' },
      ],
      temperature: 0.5,
      stop: ['{"fill":1}'],
      prompt: '',
      max_tokens: 1_024,
    })
  })

  test('a save is told of models that do not live, by what the binding lists when it can', async () => {
    const faults = (model: string) => modelInvoke(servers.binding!).check(modelDescriptor({ model }))
    expect(await faults('@cf/meta/llama-3.1-8b-instruct')).toEqual([
      {
        path: 'descriptor.invoke.model',
        message: 'was retired on 2026-05-30',
        hint: 'use "@cf/meta/llama-3.1-8b-instruct-fp8"',
      },
    ])
    ai.listed = ['@cf/new/model-1b']
    expect(await faults('@cf/new/model-1b')).toEqual([])
    expect(await faults(GLM)).toMatchObject([{ hint: 'use "@cf/new/model-1b"' }])
    ai.listed = null
  })
})

describe('by the address', () => {
  test('the model whose name is nearest answers, and the task says so', async () => {
    const end = await ask(servers.address!, 'reply yes')
    expect(end).toMatchObject({ raw: { result: { served_by: 'llama3.1:8b-instruct' } } })
    expect(lastSent().model).toBe('llama3.1:8b-instruct')
    expect(address.asked.at(-1)?.headers.authorization).toBe('Bearer sk-server')
  })

  test('a prompt is sent as a message, the schema under a name', async () => {
    const descriptor = modelDescriptor(
      { input: { prompt: fill('text'), max_tokens: 20 } },
      { output_schema: JSON_SCHEMA },
    )
    await ask(servers.address!, 'reply {"n": 4}', descriptor)
    expect(lastSent()).toEqual({
      model: 'llama3.1:8b-instruct',
      messages: [{ role: 'user', content: 'reply {"n": 4}' }],
      max_tokens: 20,
      response_format: { type: 'json_schema', json_schema: { name: 'output', schema: JSON_SCHEMA } },
    })
  })

  test.each([
    ['refuse', 'The model refused to answer: "I cannot help with that.".', undefined],
    ['429 slow down', 'The model is over capacity now.', true],
    ['503 loading model', 'The model is over capacity now.', true],
    ['404 model not found', 'status 404: "{\\"error\\":{\\"message\\":\\"model not found', false],
    ['500 out of memory', 'status 500', true],
    ['html', 'something that is no JSON: "<html>not an API</html>"', undefined],
  ])('"%s" is told in words', async (how, says, isRetryable) => {
    const end = await ask(servers.address!, `fail ${how}`)
    expect(end).toMatchObject({ reason: 'model_failed', message: expect.stringContaining(says) })
    expect('isRetryable' in end ? end.isRetryable : undefined).toBe(isRetryable)
  })

  test('an address that nobody serves is told, and its key is not', async () => {
    const gone = openAi({ url: `http://127.0.0.1:${await freePort()}/v1`, key: 'sk-server' })
    const end = await ask(gone, 'reply yes')
    expect(end).toMatchObject({ reason: 'model_failed', isRetryable: true })
    expect(JSON.stringify(end)).not.toContain('sk-server')
  })
})

test('without any server a tool is refused at save and at run, with what to set', async () => {
  const invoke = modelInvoke(null)
  const says = { message: expect.stringMatching(/no models/), hint: expect.stringMatching(/MODEL_BASE_URL/) }
  expect(await invoke.check(modelDescriptor({}))).toMatchObject([says])
  expect(invoke.checkInput(modelDescriptor({}), { text: 'a' })).toMatchObject([says])
  expect(await ask(null, 'reply yes')).toMatchObject({ reason: 'never_started', hint: says.hint })
})
