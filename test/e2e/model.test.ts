import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { fakeModelServer } from '../support/fake-models.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import type { Upstream } from '../support/upstream.ts'

let app: App
/** Stands for Ollama: no model is behind it. */
let server: Upstream

beforeAll(async () => {
  app = await (await makeAccount('model')).app()
  server = await fakeModelServer(inject('modelsAt'))
})

afterAll(() => server.close())

const summariser = (given: Record<string, unknown> = {}, invoke: Record<string, unknown> = {}) => ({
  descriptor: {
    id: 'tool:summarise',
    job: 'Summarise a text in one sentence',
    input_schema: { type: 'object', properties: { text: { type: 'string' } }, required: ['text'] },
    output_schema: { type: 'string' },
    invoke: {
      kind: 'model',
      model: '@cf/meta/llama-3.1-8b-instruct-fp8',
      input: {
        messages: [
          { role: 'system', content: 'Summarise in one sentence.' },
          { role: 'user', content: { fill: { from: 'input', field: 'text' } } },
        ],
        max_tokens: 200,
      },
      ...invoke,
    },
    placements: ['placement:rented-model-runtime'],
    licence_class: 'licence:permissive',
    verify: [
      { kind: 'sample-run', input: { text: 'Rain fell.' }, output_selector: '$', contains: 'Rain' },
      { kind: 'output-contains', output_selector: '$', text: 'says' },
      { kind: 'output-contains-input', output_selector: '$', field: 'text' },
    ],
    ...given,
  },
})

test('a summariser is saved, found and run, and tells what it took', async () => {
  const saved = await app.call('save_tool', summariser())
  expect(saved.answer.sample_check).toMatchObject({ passed: true, output: 'The text says: Rain fell.' })
  const found = await app.call('find_tool_for_job', { job: 'summarise a text' })
  const [best] = found.answer.candidates
  expect(best).toMatchObject({ tool_id: 'tool:summarise', runs_on: ['placement:rented-model-runtime'] })
  const { answer } = await app.call('run_tool', {
    tool_id: best.tool_id,
    input: { text: 'The sun shone.' },
    request_key: newKey(),
  })
  expect(answer).toMatchObject({
    state: 'completed',
    ran_on: 'placement:rented-model-runtime',
    output: 'The text says: The sun shone.',
    contract: {
      passed: true,
      checks: [
        { kind: 'output-contains', passed: true },
        { kind: 'output-contains-input', passed: true },
      ],
    },
    usage: { input_tokens: 11, output_tokens: 7, total_tokens: 18 },
  })
})

test('JSON is asked for, parsed and checked; what is none fails in words', async () => {
  const schema = { type: 'object', properties: { mood: { type: 'string' } }, required: ['mood'] }
  const verify = [
    {
      kind: 'sample-run',
      input: { text: 'reply {"mood": "glad"}' },
      output_selector: '$.mood',
      contains: 'glad',
    },
  ]
  const saved = await app.call('save_tool', summariser({ id: 'tool:mood', output_schema: schema, verify }))
  expect(saved.answer.sample_check).toMatchObject({ passed: true, output: { mood: 'glad' } })
  const run = async (text: string) =>
    (await app.call('run_tool', { tool_id: 'tool:mood', input: { text }, request_key: newKey() })).answer
  expect(await run('reply {"feeling": 1}')).toMatchObject({
    state: 'failed',
    end_reason: 'output_invalid',
    error: { message: expect.stringContaining('mood') },
  })
  expect(await run('reply glad, I think')).toMatchObject({
    state: 'failed',
    end_reason: 'model_failed',
    error: {
      message: expect.stringContaining('did not answer with JSON'),
      hint: expect.stringMatching(/\S/),
    },
  })
  expect(await run('fail 429 slow down')).toMatchObject({
    end_reason: 'model_failed',
    error: { message: expect.stringContaining('over capacity'), retryable: true },
  })
})

test('a retired model, another licence and another place are refused, each with what to use', async () => {
  const save = async (given: Record<string, unknown>, invoke: Record<string, unknown> = {}) =>
    (await app.call('save_tool', summariser({ id: 'tool:refused', ...given }, invoke))).answer.error.problems
  expect(await save({}, { model: '@cf/meta/llama-3.1-8b-instruct' })).toEqual([
    {
      path: 'descriptor.invoke.model',
      message: 'was retired on 2026-05-30',
      hint: 'use "@cf/meta/llama-3.1-8b-instruct-fp8"',
    },
  ])
  expect(await save({ licence_class: 'licence:maker-own' })).toMatchObject([
    { path: 'descriptor.licence_class' },
  ])
  expect(await save({ placements: ['placement:deployed-container'] })).toMatchObject([
    { path: 'descriptor.placements' },
  ])
})
