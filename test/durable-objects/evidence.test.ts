import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test } from 'vitest'
import { grownAt, inReportsOfToday } from '../../src/core/tools/evidence/grown.ts'
import {
  recordOf,
  recordQuery,
  recordReport,
  recordRuns,
  type NewReport,
} from '../../src/core/tools/evidence/store.ts'
import { openDb } from '../../src/db/client.ts'
import { makeInside, type Inside } from '../support/inside.ts'
import { ECHO } from '../support/tools.ts'

const DAY = 86_400_000
const db = openDb(env.DB)
const findRecord = async (versionId: number) => recordOf(await recordQuery(db, versionId))

let older: Inside[]
let maker: Inside
let younger: Inside

beforeAll(async () => {
  older = [await makeInside('reporter'), await makeInside('reporter'), await makeInside('reporter')]
  maker = await makeInside('judged')
  await scheduler.wait(2)
})

let tools = 0

/** A version of its own for each test. */
async function newVersion(): Promise<number> {
  tools += 1
  const id = `tool:judged-${tools}`
  const saved = await maker.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id } })
  expect(saved.sample_check).toMatchObject({ passed: true })
  const row = await env.DB.prepare(
    'select v.id from tool t join tool_version v on v.tool_id = t.id where t.account_id = ? and t.slug = ?',
  )
    .bind(maker.accountId, `judged-${tools}`)
    .first<{ id: number }>()
  return row?.id ?? 0
}

const START = Date.now()
let tasks = 0

function reportOf(versionId: number, by: Inside | undefined, given: Partial<NewReport> = {}): NewReport {
  tasks += 1
  const at = given.at ?? START
  return {
    taskId: `task_${tasks}`,
    versionId,
    accountId: by?.accountId ?? '',
    isRun: true,
    met: true,
    note: null,
    job: null,
    at,
    grown: grownAt(at),
    ...given,
  }
}

const told = async (...reports: NewReport[]) => {
  for (const report of reports) await recordReport(db, report)
}

describe('runs', () => {
  test('are counted exactly however often, late or at once their totals are told', async () => {
    const versionId = await newVersion()
    const tell = (by: Inside | undefined, runs: number, passed: number) =>
      recordRuns(db, by?.accountId ?? '', [{ versionId, runs, passed }])
    await tell(older[0], 3, 2)
    await tell(older[0], 5, 4)
    await tell(older[0], 3, 2)
    await tell(older[0], 5, 4)
    await Promise.all([
      tell(older[1], 1, 1),
      tell(older[1], 2, 1),
      tell(older[1], 2, 1),
      tell(older[2], 1, 0),
    ])
    expect(await findRecord(versionId)).toEqual({
      runs: 8,
      contract_passed: 5,
      accounts: 3,
      reported_met: 0,
      reported_failed: 0,
    })
  })
})

describe('reports', () => {
  test('of one task: the newest holds, told twice and in any order', async () => {
    const versionId = await newVersion()
    const first = reportOf(versionId, older[0], { met: false })
    const last = { ...first, met: true, at: first.at + 1 }
    await told(last, first, last, first)
    expect(await findRecord(versionId)).toMatchObject({ reported_met: 1, reported_failed: 0 })
  })

  test('weigh one a reporter and day, and at most three a reporter of one tool', async () => {
    const versionId = await newVersion()
    for (let day = 0; day < 6; day += 1) {
      for (let i = 0; i < 4; i += 1) {
        await told(reportOf(versionId, older[0], { at: START + day * DAY + i, met: i > 0 || day > 0 }))
      }
    }
    expect(await findRecord(versionId)).toMatchObject({ reported_met: 2, reported_failed: 1 })
    await told(reportOf(versionId, older[1], { met: false }))
    expect(await findRecord(versionId)).toMatchObject({ reported_met: 2, reported_failed: 2 })
  })

  test('of the maker, of runs that never were, and of accounts made after the tool change nothing', async () => {
    const versionId = await newVersion()
    younger = await makeInside('young')
    await told(reportOf(versionId, older[0]))
    const before = await env.DB.prepare('select * from version_record where version_id = ?')
      .bind(versionId)
      .first()
    for (let i = 0; i < 500; i += 1) {
      await told(reportOf(versionId, maker, { met: i % 2 === 0, at: START + i * DAY }))
    }
    for (let i = 0; i < 20; i += 1) {
      await told(reportOf(versionId, older[1], { isRun: false, met: false, at: START + i * DAY }))
    }
    await told(reportOf(versionId, younger, { met: false }))
    const after = await env.DB.prepare('select * from version_record where version_id = ?')
      .bind(versionId)
      .first()
    expect(after).toEqual(before)
    expect(before).toMatchObject({ reported_met: 1, reported_failed: 0, reporters: 1 })
    // All are kept, so that the weights can be worked out again.
    const kept = await env.DB.prepare(
      'select count(*) as n, sum(weight) as weight from report where version_id = ?',
    )
      .bind(versionId)
      .first()
    expect(kept).toEqual({ n: 522, weight: 1 })
  })

  test('of an account made after the tool weigh once that account is a month old', async () => {
    const versionId = await newVersion()
    const late = await makeInside('late')
    await told(reportOf(versionId, late, { at: START + 29 * DAY }))
    expect(await findRecord(versionId)).toMatchObject({ reported_met: 0 })
    await told(reportOf(versionId, late, { at: Date.now() + 31 * DAY }))
    expect(await findRecord(versionId)).toMatchObject({ reported_met: 1 })
  })

  test('count half after ninety days', async () => {
    const versionId = await newVersion()
    await told(
      reportOf(versionId, older[0], { at: START - 90 * DAY }),
      reportOf(versionId, older[1], { at: START }),
      reportOf(versionId, older[2], { at: START - 180 * DAY, met: false }),
    )
    const row = await env.DB.prepare(
      'select met_grown, failed_grown from version_record where version_id = ?',
    )
      .bind(versionId)
      .first<{ met_grown: number; failed_grown: number }>()
    expect(inReportsOfToday(row?.met_grown ?? 0, START)).toBeCloseTo(1.5, 6)
    expect(inReportsOfToday(row?.failed_grown ?? 0, START)).toBeCloseTo(0.25, 6)
  })
})
