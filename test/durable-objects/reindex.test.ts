import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterAll, beforeAll, beforeEach, describe, expect, test } from 'vitest'
import { source } from '../../src/compose.ts'
import { newId } from '../../src/core/ids.ts'
import type { Descriptor } from '../../src/core/tools/descriptor/descriptor.ts'
import { grownAt } from '../../src/core/tools/evidence/grown.ts'
import { indexMetJobs, recordReport } from '../../src/core/tools/evidence/store.ts'
import {
  beginPublishing,
  commitPublishing,
  deleteUnpublished,
  withdraw,
} from '../../src/core/tools/publishing/store.ts'
import { searchText, TEXT_CHAIN } from '../../src/core/tools/search/text.ts'
import { insertVersion } from '../../src/core/tools/store.ts'
import type { ToolVersion } from '../../src/core/tools/tool.ts'
import { openDb } from '../../src/db/client.ts'
import worker from '../../src/index.ts'
import { countOld, everything, HALVES, interrupted, makeOld, pass, rowsOf } from '../support/index-rows.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { toolOf } from '../support/tools.ts'

const db = openDb(env.DB)

let maker: Inside
let stranger: Inside

beforeAll(async () => {
  // Older than every tool here, so that its reports carry weight.
  stranger = await makeInside('seeker')
  await scheduler.wait(2)
  maker = await makeInside('indexed')
})
// The catalogue is that of other suites too.
afterAll(async () => {
  const versions = 'select v.id from tool t join tool_version v on v.tool_id = t.id where t.account_id = ?'
  await env.DB.batch(
    [
      ...HALVES.map((half) => `delete from ${half} where rowid in (${versions})`),
      'update tool set published_version_id = null, deleted_at = updated_at where account_id = ?',
    ].map((statement) => env.DB.prepare(statement).bind(maker.accountId)),
  )
})
// Each test begins with nothing old.
beforeEach(() => env.DB.prepare('update tool_version set text_chain = ?').bind(TEXT_CHAIN).run())

const minute = () => worker.scheduled(createScheduledController({ scheduledTime: 60_000 }), env)

/** Saved as save_tool does once a tool is accepted: what is looked at here begins there. */
async function save(slug: string, job: string): Promise<ToolVersion> {
  const descriptor = { ...toolOf(`tool:${slug}`, {}).descriptor, job } as unknown as Descriptor
  const version = await insertVersion(db, {
    accountId: maker.accountId,
    toolRow: newId('tool', source),
    slug,
    hash: newId('hash', source),
    descriptor,
    codeHash: null,
    promise: job,
    text: searchText(descriptor, maker.handle),
    now: Date.now(),
    quota: 1000,
  })
  if (!version) throw new Error(`${slug} was not saved`)
  return version
}

/** Published as the end of its sample does. */
async function publish(version: ToolVersion): Promise<ToolVersion> {
  const { id: versionId, descriptor } = version
  const taskId = newId('task', source)
  expect(await beginPublishing(db, version, { taskId, seen: null })).toBe(true)
  await commitPublishing(db, {
    versionId,
    taskId,
    now: Date.now(),
    nextCheckAt: null,
    text: searchText(descriptor, maker.handle),
    placements: descriptor.placements,
  })
  return version
}

/** A run that the stranger reports to have met its job. */
async function reportMet({ id: versionId }: ToolVersion, job: string): Promise<void> {
  const at = Date.now()
  const whose = { taskId: newId('task', source), versionId, accountId: stranger.accountId, isRun: true }
  await recordReport(db, { ...whose, met: true, note: null, job, at, grown: grownAt(at) })
  await indexMetJobs(db, versionId)
}

async function found(by: Inside, job: string): Promise<string[]> {
  const { candidates } = await by.call('find_tool_for_job', { job })
  return (candidates ?? []).map(({ tool_id }: { tool_id: string }) => tool_id)
}

describe('tools that were saved before there was an index', () => {
  test('are found again after a minute: by words of their ids and by jobs, by their maker and by everyone', async () => {
    const own = await save('wombat-feeder', 'Feed a wombat on time')
    const shared = await publish(await save('quokka-counter', 'Count quokkas on a picture'))
    const handle = `tool:${maker.handle}`
    await reportMet(shared, 'Tell me the marsupial census')
    const before = await everything()
    await makeOld(own, shared)
    expect(await found(maker, 'wombat feeder')).not.toContain('tool:wombat-feeder')
    expect(await found(stranger, 'quokka counter')).not.toContain(`${handle}/quokka-counter`)

    await minute()
    expect(await found(maker, 'wombat feeder')).toContain('tool:wombat-feeder')
    expect(await found(maker, 'feed the wombats')).toContain('tool:wombat-feeder')
    expect(await found(maker, 'quokka counter')).toContain('tool:quokka-counter')
    expect(await found(maker, 'marsupial census')).toContain('tool:quokka-counter')
    expect(await found(stranger, 'quokka counter')).toContain(`${handle}/quokka-counter`)
    expect(await found(stranger, 'count quokkas')).toContain(`${handle}/quokka-counter`)
    expect(await found(stranger, 'marsupial census')).toContain(`${handle}/quokka-counter`)
    expect(await found(stranger, 'wombat feeder')).not.toContain(`${handle}/wombat-feeder`)
    // Byte for byte what saving, publishing and reporting had made.
    expect(await everything()).toEqual(before)
  })

  test('two passes at once make each row once', async () => {
    const tools = [
      await publish(await save('numbat', 'Find a numbat')),
      await save('dunnart', 'Find a dunnart'),
    ]
    const before = await everything()
    await makeOld(...tools)
    await Promise.all([pass(), pass(), pass()])
    expect(await everything()).toEqual(before)
  })

  test('a hundred a minute, until all are; then a minute asks one question, reads no version and writes nothing', async () => {
    const tools: ToolVersion[] = []
    for (let i = 0; i < 250; i += 1) tools.push(await save(`many-${i}`, `Do number ${i} of many`))
    const before = await everything()
    await makeOld(...tools)
    const left: unknown[] = []
    for (let i = 0; i < 3; i += 1) {
      await minute()
      left.push(await countOld())
    }
    expect(left).toEqual([150, 50, 0])
    expect(await everything()).toEqual(before)
    const { read, ...cost } = await pass()
    expect(cost).toEqual({ batches: 1, written: 0, said: [] })
    expect(read).toBeLessThanOrEqual(1)
    expect(await everything()).toEqual(before)
  })
})

test('what an older chain made is made anew, jobs too, and rows of other versions go', async () => {
  const first = await publish(await save('potoroo', 'Find a potoroo'))
  await reportMet(first, 'Spot the rat kangaroo')
  const newest = await save('potoroo', 'Find a potoroo at night')
  const before = await everything()
  await env.DB.batch([
    env.DB.prepare(`update published_search set descr = 'stale', jobs = 'stale' where rowid = ?`).bind(
      first.id,
    ),
    env.DB.prepare(`update own_search set descr = 'stale' where rowid = ?`).bind(newest.id),
    env.DB.prepare(`insert into own_search (rowid, descr) values (?, 'stale')`).bind(first.id),
    env.DB.prepare(`insert into published_search (rowid, descr) values (?, 'stale')`).bind(newest.id),
    env.DB.prepare('update tool_version set text_chain = 0 where id = ?').bind(first.id),
  ])
  await minute()
  expect(await everything()).toEqual(before)
})

test('deleted and withdrawn tools stay unfound, and what is left of them goes', async () => {
  const gone = await save('thylacine', 'Find a thylacine')
  const taken = await publish(await save('bandicoot', 'Find a bandicoot'))
  await deleteUnpublished(db, gone.toolRow, Date.now())
  await withdraw(db, taken.toolRow)
  await makeOld(gone, taken)
  await env.DB.batch([
    env.DB.prepare(`insert into own_search (rowid, descr) values (?, 'stale')`).bind(gone.id),
    env.DB.prepare(`insert into published_search (rowid, descr) values (?, 'stale')`).bind(taken.id),
  ])
  await minute()
  expect([await rowsOf('own_search', gone), await rowsOf('published_search', gone)]).toEqual([[], []])
  expect([await rowsOf('own_search', taken), await rowsOf('published_search', taken)]).toEqual([
    [taken.id],
    [],
  ])
  expect(await found(maker, 'thylacine')).not.toContain('tool:thylacine')
  expect(await found(stranger, 'bandicoot')).not.toContain(`tool:${maker.handle}/bandicoot`)
  expect(await countOld()).toBe(0)
})

describe('what happens between the reading and the writing wins', () => {
  /** The pass, interrupted, then the one of the next minute; what is left of the tool in both halves. */
  async function passes(tool: ToolVersion, meanwhile: () => Promise<unknown>) {
    await makeOld(tool)
    await pass(interrupted(meanwhile))
    const between = [await rowsOf('own_search', tool), await rowsOf('published_search', tool)]
    await pass()
    expect(await countOld()).toBe(0)
    return { between, after: [await rowsOf('own_search', tool), await rowsOf('published_search', tool)] }
  }

  test('a save', async () => {
    const first = await publish(await save('kowari', 'Find a kowari'))
    let second = first
    const { between, after } = await passes(first, async () => {
      second = await save('kowari', 'Find a kowari by night')
    })
    expect(second.id).toBeGreaterThan(first.id)
    expect(between).toEqual([[second.id], []])
    expect(after).toEqual([[second.id], [first.id]])
    expect(await found(maker, 'kowari by night')).toContain('tool:kowari')
  })

  test('a publish', async () => {
    const first = await publish(await save('mulgara', 'Find a mulgara'))
    const second = await save('mulgara', 'Find a mulgara by night')
    const { between, after } = await passes(first, () => publish(second))
    expect(between).toEqual([[], [second.id]])
    expect(after).toEqual([[second.id], [second.id]])
  })

  test('a withdrawal and a delete', async () => {
    const tool = await publish(await save('antechinus', 'Find an antechinus'))
    const { after } = await passes(tool, () => withdraw(db, tool.toolRow))
    expect(after).toEqual([[tool.id], []])
    const deleted = await passes(tool, () => deleteUnpublished(db, tool.toolRow, Date.now()))
    expect(deleted.after).toEqual([[], []])
  })

  test('a newer chain', async () => {
    const tool = await save('ningaui', 'Find a ningaui')
    const newer = [
      env.DB.prepare(`insert into own_search (rowid, descr) values (?, 'newer')`).bind(tool.id),
      env.DB.prepare('update tool_version set text_chain = ? where id = ?').bind(TEXT_CHAIN + 1, tool.id),
    ]
    await passes(tool, () => env.DB.batch(newer))
    const row = env.DB.prepare('select descr from own_search where rowid = ?').bind(tool.id)
    expect(await row.first('descr')).toBe('newer')
  })

  test('a job that was met', async () => {
    const tool = await publish(await save('phascogale', 'Find a phascogale'))
    await passes(tool, () => reportMet(tool, 'Where is the brushtail climber'))
    expect(await found(stranger, 'brushtail climber')).toContain(`tool:${maker.handle}/phascogale`)
  })
})

test('a descriptor that cannot be read is logged once, keeps its row and blocks nobody', async () => {
  const broken = [await save('broken-text', 'Break a text'), await save('broken-shape', 'Break a shape')]
  const whole = await save('after-broken', 'Come after what is broken')
  const [before] = await everything()
  const damage = 'update tool_version set descriptor = ?, text_chain = 0 where id = ?'
  await env.DB.batch([
    env.DB.prepare(damage).bind('{"id": "too', broken[0]?.id),
    env.DB.prepare(damage).bind('[]', broken[1]?.id),
  ])
  await makeOld(whole)
  const { said } = await pass()
  expect(await countOld()).toBe(0)
  expect(said.map(({ event, versionId }) => [event, versionId])).toEqual(
    broken.map(({ id }) => ['reindex_failed', id]),
  )
  const [after] = await everything()
  expect(after).toEqual(before)
})
