import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, expect, test, vi } from 'vitest'
import { source } from '../../../src/compose.ts'
import { noteAct } from '../../../src/core/accounts/audit/act.ts'
import { openDb } from '../../../src/db/client.ts'
import worker from '../../../src/index.ts'
import { makeInside, type Inside } from '../../support/inside.ts'
import { ECHO, toolOf } from '../../support/tools.ts'

const DAY = 86_400_000
const place = { ...source, db: openDb(env.DB) }

let account: Inside
beforeAll(async () => {
  account = await makeInside('activity')
})
afterEach(() => {
  vi.useRealTimers()
})

interface Page {
  acts: { id: string; act: string; subject: string | null; via: unknown; at: string }[]
  next_cursor?: string
}

const page = async (of: Inside, query = ''): Promise<Page> => (await of.get(`/v1/activity${query}`)).json()

test('a save and a delete are there, newest first, with time and app, and neither input nor code', async () => {
  const before = Date.now()
  await account.call('save_tool', ECHO)
  await account.call('write_file', { path: 'kept.txt', text: 'canary' })
  await account.call('delete_file', { path: 'kept.txt' })
  const { acts } = await page(account)
  const via = { kind: 'token', id: expect.stringMatching(/^[0-9a-f]{16}$/), name: 'first token' }
  expect(acts).toEqual([
    { id: expect.any(String), act: 'file_deleted', subject: 'kept.txt', via, at: expect.any(String) },
    { id: expect.any(String), act: 'tool_saved', subject: 'tool:echo@1', via, at: expect.any(String) },
  ])
  for (const { at } of acts) expect(Date.parse(at)).toBeGreaterThanOrEqual(before)
  const kept = await env.DB.prepare('select * from act where account_id = ?').bind(account.accountId).all()
  expect(JSON.stringify(kept.results)).not.toMatch(/canary|json\.load/)
})

test('what changed nothing or was refused adds nothing', async () => {
  const other = await makeInside('activity')
  await other.call('save_tool', ECHO)
  expect(await other.call('save_tool', ECHO)).toMatchObject({ is_unchanged: true })
  await other.call('save_tool', toolOf('no id', {}))
  await other.call('delete_file', { path: 'nothing.txt' })
  expect((await page(other)).acts.map(({ act }) => act)).toEqual(['tool_saved'])
})

test('an account reads its own alone, page by page', async () => {
  const [mine, other] = [await makeInside('activity'), await makeInside('activity')]
  for (const subject of ['a', 'b', 'c']) {
    await noteAct(place, { accountId: mine.accountId, act: 'token_made', subject, via: null })
    await noteAct(place, { accountId: other.accountId, act: 'token_made', subject: 'canary', via: null })
  }
  const first = await page(mine, '?limit=2')
  const second = await page(mine, `?limit=2&cursor=${first.next_cursor}`)
  const seen = [...first.acts, ...second.acts].map(({ subject }) => subject)
  expect(new Set(seen)).toEqual(new Set(['a', 'b', 'c']))
  expect(seen).toHaveLength(3)
  expect(second.next_cursor).toBeUndefined()
  expect(first.acts[0]?.via).toBeNull()
  const refused = await mine.get('/v1/activity?limit=0')
  expect(refused.status).toBe(400)
  expect(await refused.json()).toMatchObject({ error: { code: 'invalid_request', field: 'limit' } })
})

test('an act is kept for a year', async () => {
  const old = await makeInside('activity')
  await noteAct(place, { accountId: old.accountId, act: 'signed_up', subject: null, via: null })
  const hour = Math.ceil(Date.now() / 3_600_000) * 3_600_000
  const sweepAfter = async (days: number) => {
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(hour + days * DAY)
    await worker.scheduled(createScheduledController({ scheduledTime: new Date() }), env)
  }
  await sweepAfter(364)
  expect((await page(old)).acts).toHaveLength(1)
  await sweepAfter(366)
  expect((await page(old)).acts).toEqual([])
})
