import { expect, test } from 'vitest'
import { ACT, makeAccount } from '../support/chaos-app.ts'

const CALLS = 50
const ROUNDS = 20

test('fifty calls at once with one key start one run', async () => {
  const account = await makeAccount('keys')
  await account.call('save_tool', ACT)
  for (let round = 0; round < ROUNDS; round += 1) {
    const run = { tool_id: 'tool:act', input: { do: 'ok', n: round }, request_key: `round ${round}` }
    const answers = await Promise.all(Array.from({ length: CALLS }, () => account.call('run_tool', run)))
    expect(new Set(answers.map(({ task_id }) => task_id)).size).toBe(1)
    expect(answers.filter(({ state }) => state !== 'completed')).toEqual([])
  }
  const { tasks } = await account.call('list_tasks', { tool_id: 'tool:act', limit: 100 })
  expect(tasks.length).toBe(ROUNDS + 1)
}, 120_000)
