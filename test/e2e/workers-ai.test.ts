import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPS, type App } from '../support/clients.ts'
import { deployWithAi, type Deployed } from '../support/fake-ai-worker.ts'
import { newKey } from '../support/suite.ts'

let deployed: Deployed
let app: App

beforeAll(async () => {
  deployed = await deployWithAi()
  app = await APPS['v2 stateless'](deployed.mcpUrl, deployed.token)
})

afterAll(async () => {
  await app?.close()
  await deployed?.stop()
})

const summariser = (output_schema: unknown, model = '@cf/meta/llama-3.1-8b-instruct-fp8') => ({
  descriptor: {
    id: 'tool:summarise',
    job: 'Summarise a text in one sentence',
    input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    output_schema,
    invoke: {
      kind: 'model',
      model,
      input: { messages: [{ role: 'user', content: { fill: { from: 'input', field: 'text' } } }] },
    },
    placements: ['placement:rented-model-runtime'],
    licence_class: 'licence:permissive',
    verify: [{ kind: 'sample-run', input: { text: 'Rain fell.' }, output_selector: '$', contains: 'Rain' }],
  },
})

const run = async (text: string) =>
  (await app.call('run_tool', { tool_id: 'tool:summarise', input: { text }, request_key: newKey() })).answer

test('a summariser is saved and run by the Workers AI binding, and tells what it took', async () => {
  const { answer } = await app.call('save_tool', summariser({ type: 'string' }))
  expect(answer.sample_check).toMatchObject({ passed: true, output: 'The text says: Rain fell.' })
  expect(await run('The sun shone.')).toMatchObject({
    state: 'completed',
    output: 'The text says: The sun shone.',
    ran_on: 'placement:rented-model-runtime',
    usage: { total_tokens: 18 },
  })
})

test('a shape is asked for in JSON mode', async () => {
  const shape = { type: 'object', properties: { summary: { type: 'string' } }, required: ['summary'] }
  const { answer } = await app.call(
    'save_tool',
    summariser(shape, '@cf/meta/llama-3.3-70b-instruct-fp8-fast'),
  )
  expect(answer.sample_check).toMatchObject({ passed: true, output: { summary: 'Rain fell.' } })
})

test('a model without capacity fails in words, and may be asked again', async () => {
  expect(await run('overload')).toMatchObject({
    state: 'failed',
    end_reason: 'model_failed',
    error: { retryable: true },
  })
})

test('a retired model is refused with one that is listed', async () => {
  const retired = summariser({ type: 'string' }, '@cf/meta/llama-3.1-8b-instruct')
  const { isError, answer } = await app.call('save_tool', retired)
  expect(isError).toBe(true)
  expect(JSON.stringify(answer.error.problems)).toContain('@cf/meta/llama-3.1-8b-instruct-fp8')
})
