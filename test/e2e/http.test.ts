import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import { json, Upstream } from '../support/upstream.ts'

/** What https://www.gov.uk/bank-holidays.json answers, in its shape. */
const HOLIDAYS = {
  'england-and-wales': {
    division: 'england-and-wales',
    events: [
      { title: 'Christmas Day', date: '2026-12-25', notes: '', bunting: true },
      { title: 'Boxing Day', date: '2026-12-28', notes: 'Substitute day', bunting: true },
    ],
  },
  scotland: {
    division: 'scotland',
    events: [{ title: '2nd January', date: '2027-01-04', notes: '', bunting: true }],
  },
}

let app: App
let upstream: Upstream

beforeAll(async () => {
  app = await (await makeAccount('http')).app()
  upstream = await Upstream.listen(inject('upstreams')[0], {
    '/bank-holidays.json': (response) => json(response, HOLIDAYS),
    '*': (response, asked) => json(response, asked),
  })
})

afterAll(() => upstream.close())

const descriptor = () => ({
  id: 'tool:bank-holidays',
  job: 'List the bank holidays of England and Wales, Scotland and Northern Ireland',
  input_schema: { type: 'object', properties: {}, additionalProperties: false },
  output_schema: { type: 'object' },
  invoke: { kind: 'http', url: upstream.url('/bank-holidays.json') },
  placements: ['placement:public-web-address'],
  licence_class: 'licence:maker-own',
  verify: [
    {
      kind: 'sample-run',
      input: {},
      output_selector: "$['england-and-wales'].events[0].title",
      contains: 'Christmas',
    },
    { kind: 'output-contains', output_selector: '$', text: 'bunting' },
  ],
})

test('a tool that calls a web address is saved, found, run and read', async () => {
  const saved = await app.call('save_tool', { descriptor: descriptor() })
  expect(saved.answer).toMatchObject({
    version: 1,
    sample_check: { passed: true, state: 'completed', output: HOLIDAYS },
  })
  const found = await app.call('find_tool_for_job', { job: 'list the bank holidays of Scotland' })
  const [best] = found.answer.candidates
  expect(best).toMatchObject({ tool_id: 'tool:bank-holidays', runs_on: ['placement:public-web-address'] })
  const run = await app.call('run_tool', { tool_id: best.tool_id, input: {}, request_key: newKey() })
  expect(run.answer).toMatchObject({
    state: 'completed',
    ran_on: 'placement:public-web-address',
    contract: { passed: true, checks: [{ kind: 'output-contains', passed: true }] },
    output: HOLIDAYS,
  })
  const read = await app.call('read_task', {
    task_id: run.answer.task_id,
    output_selector: '$.scotland.events[0].date',
  })
  expect(read.answer.output).toBe('2027-01-04')
  expect(upstream.asked.map(({ method, headers }) => [method, headers.accept])).toEqual([
    ['GET', 'application/json'],
    ['GET', 'application/json'],
  ])
})

describe('what an input fills', () => {
  const text = { type: 'object', properties: { text: { type: 'string' }, count: {} } }

  async function saveTool(id: string, invoke: Record<string, unknown>) {
    const sample = {
      kind: 'sample-run',
      input: { text: 'a', count: 1 },
      output_selector: '$.url',
      contains: '/',
    }
    const { answer } = await app.call('save_tool', {
      descriptor: {
        ...descriptor(),
        id,
        input_schema: text,
        invoke: { kind: 'http', ...invoke },
        verify: [sample],
      },
    })
    expect(answer.sample_check).toMatchObject({ passed: true })
  }

  const run = async (tool_id: string, input: Record<string, unknown>) =>
    (await app.call('run_tool', { tool_id, input, request_key: newKey() })).answer

  test('stays in its step of the path, or is refused by name', async () => {
    await saveTool('tool:records', { url: upstream.url('/v1/records/{text}/detail') })
    const inputs = ['../../admin/config', 'a?x=1', 'a#frag', 'a/b', '%2e%2e%2fadmin', 'a b', 'é', '{id}']
    for (const each of inputs) {
      const { output } = await run('tool:records', { text: each })
      expect(output.url).toMatch(/^\/v1\/records\/[^/?#]+\/detail$/)
      expect(decodeURIComponent(output.url.split('/')[3])).toBe(each)
    }
    for (const each of ['.', '..', '']) {
      const { error } = await run('tool:records', { text: each })
      expect(error).toMatchObject({ code: 'invalid_input', field: 'input.text' })
    }
  })

  test('is filled once and keeps its type', async () => {
    const body = { q: '{text}', n: '{count}', fixed: 'literal {text} inside' }
    await saveTool('tool:post', { url: upstream.url('/q'), method: 'POST', body })
    const given = '{count} $& $1 " } {secret:KEY}'
    const { output } = await run('tool:post', { text: given, count: 3 })
    expect(JSON.parse(output.body)).toEqual({ q: given, n: 3, fixed: `literal ${given} inside` })
  })

  test('may be the output of an earlier task, which is refused where it does not fit', async () => {
    const from = await run('tool:records', { text: 'x' })
    const next = await run('tool:records', { text: { from_task: from.task_id, output_selector: '$.method' } })
    expect(next.output.url).toBe('/v1/records/GET/detail')
    const none = await run('tool:records', { text: { from_task: from.task_id, output_selector: '$.body' } })
    expect(none).toMatchObject({ state: 'failed', end_reason: 'input_unavailable' })
  })
})
