import { setTimeout as sleep } from 'node:timers/promises'
import { beforeAll, describe, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeSharing, publish, save, saying, type Sharing } from '../support/sharing.ts'
import { newKey } from '../support/suite.ts'

let sharing: Sharing

beforeAll(async () => {
  sharing = await makeSharing()
})

async function find(app: App, job: string) {
  const { answer, isError, text } = await app.call('find_tool_for_job', { job, limit: 10 })
  expect(isError, text).toBe(false)
  return answer
}

const idsFor = async (app: App, job: string): Promise<string[]> =>
  (await find(app, job)).candidates.map(({ tool_id }: { tool_id: string }) => tool_id)

describe('a published tool', () => {
  test('is found by others under its id, its slug and its label, first of all', async () => {
    const { own, one, publicId, maker } = sharing
    const given = { job: 'Groom an otter until its fur is smooth', label: 'Otter groomer' }
    await save(own, saying('otterBrush', 'brushed', given))
    expect(await idsFor(one, publicId('otterBrush'))).not.toContain(publicId('otterBrush'))
    await publish(own, 'tool:otterBrush')
    for (const name of [publicId('otterBrush'), 'tool:otterbrush', 'OTTER GROOMER', 'groom an otter']) {
      const { candidates, nothing_fits } = await find(one, name)
      expect(nothing_fits, name).toBe(false)
      expect(candidates[0], name).toMatchObject({
        tool_id: publicId('otterBrush'),
        made_by: maker,
        version: 1,
      })
    }
    const [mine] = (await find(own, 'groom an otter')).candidates
    expect(mine.tool_id).toBe('tool:otterBrush')
  })

  test('is found by the jobs that others say it did, and no longer once they take it back', async () => {
    const { own, one, two, publicId } = sharing
    await save(own, saying('stoat', 'stoat', { job: 'Tell a stoat from a weasel' }))
    await publish(own, 'tool:stoat')
    const job = 'distinguish mustelids in photographs of burrows'
    expect(await idsFor(two, job)).toEqual([])
    const call = { tool_id: publicId('stoat'), input: {}, job, request_key: newKey(), wait_seconds: 30 }
    const task = (await one.call('run_tool', call)).answer
    const report = async (met: boolean) => {
      await one.call('report_result', { task_id: task.task_id, met })
      for (let tries = 0; tries < 50 && (await idsFor(two, job)).length !== Number(met); tries += 1)
        await sleep(100)
      return (await find(two, job)).candidates
    }
    expect(await report(true)).toMatchObject([
      { tool_id: publicId('stoat'), match: { matched_on: 'jobs it did' }, earlier_runs: { reported_met: 1 } },
    ])
    expect(await report(false)).toEqual([])
  })

  test('stays what it was while its maker saves other words for it, and goes when it is withdrawn', async () => {
    const { own, one, publicId } = sharing
    await save(own, saying('heron', 'fish', { job: 'Catch a fish as a heron does' }))
    await publish(own, 'tool:heron')
    await save(own, saying('heron', 'thief', { job: 'Steal bicycles from the harbour' }))
    expect(await idsFor(one, 'catch a fish as a heron')).toEqual([publicId('heron')])
    expect(await idsFor(one, 'steal bicycles')).toEqual([])
    expect(await idsFor(own, 'steal bicycles')).toEqual(['tool:heron'])
    await own.call('unpublish_tool', { tool_id: 'tool:heron' })
    expect(await idsFor(one, 'catch a fish as a heron')).toEqual([])
    await own.call('delete_tool', { tool_id: 'tool:heron' })
    expect(await idsFor(own, 'steal bicycles')).toEqual([])
  })
})
