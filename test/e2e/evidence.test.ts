import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { describeTool, makeSharing, publish, run, save, saying, type Sharing } from '../support/sharing.ts'
import { newKey } from '../support/suite.ts'

let own: App
let one: App
let two: App
let publicId: Sharing['publicId']

beforeAll(async () => {
  ;({ own, one, two, publicId } = await makeSharing())
})

/** The record of a version, once it says what is expected: it is told after the run's answer. */
async function record(tool_id: string, expected: Record<string, number>): Promise<void> {
  await expect
    .poll(async () => (await describeTool(own, tool_id)).earlier_runs, { timeout: 5_000 })
    .toMatchObject(expected)
}

describe('what is known of earlier runs', () => {
  test('counts runs and accounts exactly, a new version from nothing, and no sample', async () => {
    await save(
      own,
      saying('counted', 'one', {
        output_schema: { type: 'object', properties: { got: { maxProperties: 1 } } },
      }),
    )
    await publish(own, 'tool:counted')
    await Promise.all([
      ...Array.from({ length: 4 }, () => run(one, publicId('counted'))),
      ...Array.from({ length: 3 }, () => run(two, publicId('counted'))),
      run(two, publicId('counted'), { a: 1, b: 2 }),
      run(own, 'tool:counted'),
    ])
    await record('tool:counted', {
      runs: 9,
      contract_passed: 8,
      accounts: 3,
      reported_met: 0,
      reported_failed: 0,
    })
    await save(own, saying('counted', 'two'))
    await record('tool:counted', { runs: 0, accounts: 0 })
    await record('tool:counted@1', { runs: 9, accounts: 3 })
  })

  test('a copy of a published tool has a record of its own', async () => {
    const tool = saying('copied', 'same bytes')
    const original = await save(own, tool)
    await publish(own, 'tool:copied')
    const copy = await save(one, tool)
    expect(copy.hash).toBe(original.hash)
    await run(one, 'tool:copied')
    await run(one, publicId('copied'))
    await run(one, publicId('copied'))
    await record('tool:copied', { runs: 2, accounts: 1 })
    await expect
      .poll(async () => (await describeTool(one, 'tool:copied')).earlier_runs)
      .toMatchObject({ runs: 1, accounts: 1 })
  })

  test('the last report of a task holds; the maker’s, repeated ones and those of runs that never were weigh nothing', async () => {
    await save(own, saying('weighed', 'one'))
    await publish(own, 'tool:weighed')
    const app = one
    const report = (reporter: App, task_id: string, met: boolean) =>
      reporter.call('report_result', { task_id, met })
    const task = await run(app, publicId('weighed'))
    await report(app, task.task_id, false)
    await record('tool:weighed', { reported_met: 0, reported_failed: 1 })
    await report(app, task.task_id, true)
    await record('tool:weighed', { reported_met: 1, reported_failed: 0 })
    expect((await app.call('read_task', { task_id: task.task_id })).answer.reports).toMatchObject([
      { met: true },
    ])

    const mine = await run(own, 'tool:weighed')
    for (const met of [false, true, false]) await report(own, mine.task_id, met)
    await report(app, (await run(app, publicId('weighed'))).task_id, false)
    const cancelled = await two.call('run_tool', {
      tool_id: publicId('weighed'),
      request_key: newKey(),
      run_at: new Date(Date.now() + 3_600_000).toISOString(),
    })
    expect((await report(two, cancelled.answer.task_id, true)).answer).toMatchObject({
      error: { code: 'conflict' },
      next_call: { tool: 'read_task' },
    })
    await two.call('cancel_task', { task_id: cancelled.answer.task_id })
    expect((await report(two, cancelled.answer.task_id, false)).isError).toBe(false)
    await record('tool:weighed', { runs: 3, reported_met: 1, reported_failed: 0, accounts: 2 })
    expect((await report(two, task.task_id, false)).answer.error.code).toBe('unknown_task')
  })
})
