import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { describeTool, makeSharing, publish, run, save, saying, type Sharing } from '../support/sharing.ts'
import { newKey } from '../support/suite.ts'

let own: App
let one: App
let publicId: Sharing['publicId']

beforeAll(async () => {
  ;({ own, one, publicId } = await makeSharing())
})

const sampleOf = (s: number) => [
  { kind: 'sample-run', input: { s }, output_selector: '$.said', contains: 'o' },
]

describe('a withdrawn tool', () => {
  test('is gone for others and stays for its maker; schedules of others end, slots at work finish', async () => {
    await save(own, saying('gone', 'still here'))
    await publish(own, 'tool:gone')
    const long = await one.call('run_tool', {
      tool_id: publicId('gone'),
      input: { s: 2 },
      request_key: newKey(),
      wait_seconds: 0,
    })
    const later = await one.call('run_tool', {
      tool_id: publicId('gone'),
      request_key: newKey(),
      run_at: new Date(Date.now() + 1_500).toISOString(),
    })
    expect((await own.call('unpublish_tool', { tool_id: 'tool:gone' })).answer).toEqual({
      tool_id: 'tool:gone',
      state: 'private',
    })
    for (const tool_id of [publicId('gone'), `${publicId('gone')}@1`]) {
      expect((await run(one, tool_id)).error.code).toBe('unknown_tool')
      expect((await describeTool(one, tool_id)).error.code).toBe('unknown_tool')
    }
    const found = await one.call('find_tool_for_job', { job: publicId('gone') })
    expect(JSON.stringify(found.answer.candidates)).not.toContain('tool:gone')
    expect((await run(own, 'tool:gone')).output.said).toBe('still here')
    const ended = await one.call('read_task', { task_id: long.answer.task_id, wait_seconds: 20 })
    expect(ended.answer).toMatchObject({ state: 'completed', output: { said: 'still here' } })
    await expect
      .poll(async () => (await one.call('read_task', { task_id: later.answer.task_id })).answer, {
        timeout: 10_000,
      })
      .toMatchObject({ state: 'failed', end_reason: 'never_started', error: { code: 'tool_withdrawn' } })
    expect((await own.call('unpublish_tool', { tool_id: 'tool:gone' })).answer).toMatchObject({
      is_unchanged: true,
    })
  })
})

describe('while a sample runs', () => {
  test('a save changes nothing: the version that was asked for is published', async () => {
    await save(own, saying('slow', 'one', { verify: sampleOf(1) }))
    const publishing = publish(own, 'tool:slow')
    await sleep(300)
    await own.call('save_tool', saying('slow', 'two', { verify: sampleOf(0) }))
    expect((await publishing).answer).toMatchObject({ state: 'published', version: 1 })
    expect((await run(one, publicId('slow'))).output.said).toBe('one')
  })

  test.each([
    ['unpublish_tool', 'private'],
    ['delete_tool', 'deleted'],
  ])('%s wins', async (name, state) => {
    const slug = `slow-${state}`
    await save(own, saying(slug, 'one', { verify: sampleOf(1) }))
    const publishing = publish(own, `tool:${slug}`)
    await sleep(300)
    expect((await own.call(name, { tool_id: `tool:${slug}` })).answer.state).toBe(state)
    expect((await publishing).answer.error.code).toBe('conflict')
    expect((await run(one, publicId(slug))).error.code).toBe('unknown_tool')
  })

  test('calls at once share one run', async () => {
    await save(own, saying('crowd', 'one', { verify: sampleOf(1) }))
    const answers = await Promise.all(Array.from({ length: 5 }, () => publish(own, 'tool:crowd')))
    expect(new Set(answers.map(({ answer }) => answer.sample_check.task_id)).size).toBe(1)
    expect(answers.map(({ answer }) => answer.state)).toEqual(Array.from({ length: 5 }, () => 'published'))
  })
})

describe('a deleted tool', () => {
  test('is gone with its versions, its tasks stay, and its id can be saved again under a higher number', async () => {
    await save(own, saying('again', 'first life'))
    const task = await run(own, 'tool:again')
    const schedule = await own.call('run_tool', {
      tool_id: 'tool:again@1',
      request_key: newKey(),
      run_at: new Date(Date.now() + 1_500).toISOString(),
    })
    await publish(own, 'tool:again')
    expect(await own.call('delete_tool', { tool_id: 'tool:again' })).toMatchObject({
      isError: true,
      answer: {
        error: { code: 'conflict' },
        next_call: { tool: 'unpublish_tool', arguments: { tool_id: 'tool:again' } },
      },
    })
    await own.call('unpublish_tool', { tool_id: 'tool:again' })
    expect((await own.call('delete_tool', { tool_id: 'tool:again@1' })).answer.error.field).toBe('tool_id')
    expect((await own.call('delete_tool', { tool_id: publicId('again') })).answer).toEqual({
      tool_id: 'tool:again',
      state: 'deleted',
    })
    expect((await run(own, 'tool:again')).error.code).toBe('unknown_tool')
    expect((await own.call('delete_tool', { tool_id: 'tool:again' })).answer.error.code).toBe('unknown_tool')
    const found = await own.call('find_tool_for_job', { job: 'tool:again' })
    expect(JSON.stringify(found.answer.candidates)).not.toContain('"tool:again"')
    expect((await own.call('read_task', { task_id: task.task_id })).answer.output.said).toBe('first life')

    const saved = await save(own, saying('again', 'first life'))
    expect(saved.version).toBe(2)
    expect((await run(own, 'tool:again@1')).error.code).toBe('unknown_tool')
    await publish(own, 'tool:again')
    expect((await run(one, `${publicId('again')}@1`)).error.code).toBe('unknown_tool')
    expect((await describeTool(one, publicId('again'))).versions).toMatchObject([{ version: 2 }])
    await expect
      .poll(async () => (await own.call('read_task', { task_id: schedule.answer.task_id })).answer, {
        timeout: 10_000,
      })
      .toMatchObject({ state: 'failed', error: { code: 'tool_withdrawn' } })
  })
})
