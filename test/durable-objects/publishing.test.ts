import { runInDurableObject } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { beforeAll, expect, test } from 'vitest'
import { source } from '../../src/compose.ts'
import { newId } from '../../src/core/ids.ts'
import { sampleSubmission } from '../../src/core/tasks/submit.ts'
import { beginPublishing, withdraw } from '../../src/core/tools/publishing/store.ts'
import { findVersion } from '../../src/core/tools/store.ts'
import type { ToolVersion } from '../../src/core/tools/tool.ts'
import { openDb } from '../../src/db/client.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { toolOf } from '../support/tools.ts'

const db = openDb(env.DB)

let maker: Inside
let stranger: Inside

beforeAll(async () => {
  maker = await makeInside('absent')
  stranger = await makeInside('present')
})

async function save(slug: string): Promise<ToolVersion> {
  const tool = toolOf(`tool:${slug}`, {
    'main.py': 'import time; time.sleep(0.5); print(\'{"fine": true}\')',
  })
  expect((await maker.call('save_tool', tool)).sample_check).toMatchObject({ passed: true })
  const version = await findVersion(db, maker.accountId, { slugKey: slug, pin: null })
  if (!version) throw new Error(`${slug} was not saved`)
  return version
}

/** What publish_tool does until the call that made it is cut off. */
async function beginAndLeave(version: ToolVersion): Promise<string> {
  const id = newId('task', source)
  expect(await beginPublishing(db, version, { taskId: id, seen: null })).toBe(true)
  const sample = { id, key: `publish:${id}`, job: 'cut off', sampleFor: 'publish' as const }
  await maker.object.submit(sampleSubmission(version, maker.accountId, sample), 0)
  return id
}

/** The end of the run, and all that follows from it elsewhere. */
async function settled(task_id: string): Promise<void> {
  expect(await maker.call('read_task', { task_id, wait_seconds: 20 })).toMatchObject({ state: 'completed' })
  await expect.poll(() => runInDurableObject(maker.object, left)).toBe(0)
}

const left = (_: unknown, state: DurableObjectState) =>
  state.storage.sql.exec('select count(*) as n from outbox').one().n

const runByStranger = ({ maker: handle, toolId }: ToolVersion) =>
  stranger.call('run_tool', {
    tool_id: toolId.replace('tool:', `tool:${handle}/`),
    request_key: newId('key', source),
  })

test('a version is published by its run, also when nobody waits for it any more', async () => {
  const version = await save('left')
  await settled(await beginAndLeave(version))
  expect(await runByStranger(version)).toMatchObject({ state: 'completed', output: { fine: true } })
})

test('withdrawn while nobody waits for it, it is not', async () => {
  const version = await save('called-off')
  const taskId = await beginAndLeave(version)
  expect(await withdraw(db, version.toolRow)).toBe(true)
  await settled(taskId)
  expect(await runByStranger(version)).toMatchObject({ error: { code: 'unknown_tool' } })
})

test('of two runs the one begun last publishes', async () => {
  const version = await save('twice')
  const first = await beginAndLeave(version)
  const second = newId('task', source)
  expect(await beginPublishing(db, version, { taskId: second, seen: null })).toBe(false)
  expect(await beginPublishing(db, version, { taskId: second, seen: first })).toBe(true)
  await settled(first)
  expect(await runByStranger(version)).toMatchObject({ error: { code: 'unknown_tool' } })
})
