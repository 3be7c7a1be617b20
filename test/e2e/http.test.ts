import { afterAll, beforeAll, expect, inject, test } from 'vitest'
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
