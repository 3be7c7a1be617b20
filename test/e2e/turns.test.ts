import { expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf } from '../support/suite.ts'

const SLEEP = toolOf(
  'tool:sleep',
  { 'main.py': 'import json, sys, time\ntime.sleep(json.load(sys.stdin).get("s", 0))\nprint("{}")\n' },
  { verify: [{ kind: 'sample-run', input: {}, output_selector: '$', contains: '{' }] },
)

const find = (app: App) => app.call('find_tool_for_job', { job: 'count the words in a text' })

test("one account's burst is done in full, and does not stand before another's calls", async () => {
  const [noisy, quiet] = await Promise.all(
    ['noisy', 'quiet'].map(async (name) => (await makeAccount(name)).app()),
  )
  if (!noisy || !quiet) throw new Error('an app is missing')
  let ended = 0
  const burst = Array.from({ length: 60 }, async () => {
    const { isError } = await find(noisy)
    ended += 1
    return isError
  })
  await burst[0]
  const meanwhile: number[] = []
  for (let i = 0; i < 5; i += 1) {
    const before = ended
    expect(await find(quiet)).toMatchObject({ isError: false })
    meanwhile.push(ended - before)
  }
  // One that is at work, one that ends as the call comes, some whose answers come in late: never the 50 that wait.
  expect(Math.max(...meanwhile)).toBeLessThan(12)
  expect(ended).toBeLessThan(60)
  expect(await Promise.all(burst)).toEqual(Array(60).fill(false))
})

test('calls that wait for runs stand in nobody’s way', async () => {
  const app = await (await makeAccount('waits')).app()
  await app.call('save_tool', SLEEP)
  const run = () =>
    app.call('run_tool', {
      tool_id: 'tool:sleep',
      input: { s: 6 },
      request_key: newKey(),
      wait_seconds: 20,
    })
  let isOver = false
  const waiting = Promise.all([run(), run(), run(), run()]).finally(() => (isOver = true))
  for (let i = 0; i < 5; i += 1) expect(await find(app)).toMatchObject({ isError: false })
  expect(isOver).toBe(false)
  for (const { answer } of await waiting) expect(answer).toMatchObject({ state: 'completed' })
})
