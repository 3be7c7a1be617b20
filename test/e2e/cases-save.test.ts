import { beforeAll, expect, test } from 'vitest'
import { expectRefusal, openBench, type Bench } from '../cases/case.ts'
import { toolOf } from '../support/suite.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('case-save')
})

const FILES = { 'main.py': 'print("{}")\n' }
const JOB = 'Print an empty object for a test'

test.each([
  'tool:Count Words',
  'tool:',
  'count-words',
  'tool:a/b',
  'tool:../x',
  'tool:count-words\n',
  'TOOL:x',
  'tool:1st',
  'tool:wörter',
  `tool:${'a'.repeat(64)}`,
  `tool:${'a'.repeat(200)}`,
])('the id %j is refused with what an id looks like (modelcontextprotocol/go-sdk#169)', async (id) => {
  const refused = await bench.app.call('save_tool', toolOf(id, FILES, { job: JOB }))
  expectRefusal(refused, 'invalid_descriptor', ['descriptor.id'])
  expect(refused.answer.next_call).toMatchObject({ tool: 'save_tool' })
  const found = await bench.app.call('find_tool_for_job', { job: JOB })
  const makers = found.answer.candidates.map(({ made_by }: { made_by: string }) => made_by)
  expect(makers).not.toContain(bench.account.handle)
})

test('the longest id is accepted, and a client still lists all tools', async () => {
  const id = `tool:${'a'.repeat(63)}`
  const { answer } = await bench.app.call('save_tool', toolOf(id, FILES, { job: JOB }))
  expect(answer).toMatchObject({ tool_id: id, version: 1, sample_check: { passed: true } })
  const names = (await bench.app.listTools()).map(({ name }) => name)
  expect(names).toContain('run_tool')
})
