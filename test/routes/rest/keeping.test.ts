import { createScheduledController } from 'cloudflare:test'
import { env } from 'cloudflare:workers'
import { afterEach, beforeAll, describe, expect, inject, test, vi } from 'vitest'
import { composeFiles } from '../../../src/compose.ts'
import { keepData } from '../../../src/core/files/bytes/keep.ts'
import { nameFile } from '../../../src/core/files/name.ts'
import { holdFiles, releaseFiles } from '../../../src/core/files/store.ts'
import { QUOTAS } from '../../../src/core/limits.ts'
import worker from '../../../src/index.ts'
import { seeded } from '../../support/faults.ts'
import { makeInside, type Inside } from '../../support/inside.ts'
import { bytesOf, identityOf, piecesOf, send } from '../../support/links.ts'

const HOUR = 3_600_000

let account: Inside
beforeAll(async () => {
  account = await makeInside('keeping')
})
afterEach(() => {
  vi.useRealTimers()
})

const write = async (path: string, text: string): Promise<string> =>
  (await account.call('write_file', { path, text })).identity.slice(3)
const isKept = async (hash: string) => (await env.FILES.head(`files/${hash}`)) !== null

/** Lets so much time pass and the hourly sweep come. */
async function sweepAfter(ms: number): Promise<void> {
  const hour = Math.ceil((Date.now() + ms) / HOUR) * HOUR
  vi.useFakeTimers({ toFake: ['Date'] })
  vi.setSystemTime(hour)
  await worker.scheduled(createScheduledController({ scheduledTime: new Date(hour) }), env)
}

describe('bytes that nothing points at', () => {
  test('are dropped in two steps, and not before their time', async () => {
    const hash = await write('dropped.txt', 'to be dropped')
    await account.call('delete_file', { path: 'dropped.txt' })
    await sweepAfter(2 * HOUR)
    await sweepAfter(2 * HOUR)
    expect(await isKept(hash)).toBe(true)
    await sweepAfter(25 * HOUR)
    expect(await isKept(hash)).toBe(true)
    await sweepAfter(2 * HOUR)
    expect(await isKept(hash)).toBe(false)
    expect(await write('again.txt', 'to be dropped')).toBe(hash)
    expect((await account.call('read_file', { path: 'again.txt' })).text).toBe('to be dropped')
  })

  test('are kept when they are named again in between', async () => {
    const hash = await write('saved.txt', 'to be saved')
    await account.call('delete_file', { path: 'saved.txt' })
    await sweepAfter(25 * HOUR)
    await write('other.txt', 'to be saved')
    await sweepAfter(2 * HOUR)
    await sweepAfter(48 * HOUR)
    expect(await isKept(hash)).toBe(true)
  })

  test('are kept while a task or version holds them', async () => {
    const hash = await write('held.txt', 'to be held')
    const { db } = composeFiles(env)
    const hold = { accountId: account.accountId, holder: 'task:x', hashes: [hash, '0'.repeat(64)] }
    expect(await holdFiles(db, hold)).toEqual([hash])
    expect(await holdFiles(db, hold)).toEqual([hash])
    await account.call('delete_file', { path: 'held.txt' })
    await sweepAfter(25 * HOUR)
    await sweepAfter(2 * HOUR)
    expect((await account.call('read_file', { identity: `1f:${hash}` })).text).toBe('to be held')
    await releaseFiles(db, 'task:x')
    await sweepAfter(25 * HOUR)
    await sweepAfter(2 * HOUR)
    expect(await isKept(hash)).toBe(false)
  })

  test('of cut uploads and old links are dropped too', async () => {
    const { upload_url } = await account.call('write_file', { path: 'never.bin' })
    await env.FILES.put('tmp/left', 'left by a cut')
    vi.useFakeTimers({ toFake: ['Date'] })
    vi.setSystemTime(Date.now() + 20 * 60_000)
    expect((await send(upload_url, { method: 'PUT', body: 'late' })).status).toBe(410)
    await sweepAfter(800 * HOUR)
    expect(await env.FILES.head('tmp/left')).toBeNull()
    expect((await send(upload_url)).status).toBe(410)
  })
})

test('an account has room for so many bytes, each counted once', async () => {
  const { accountId } = await makeInside('quota')
  const ctx = { ...composeFiles(env), quotas: { ...QUOTAS, fileBytes: 10 } }
  const name = async (path: string, text: string) => {
    const { hash } = await keepData(ctx, new TextEncoder().encode(text))
    await nameFile(ctx, { accountId, path, hash })
  }
  await name('a', 'six666')
  await name('b', 'six666')
  await expect(name('c', 'five5')).rejects.toMatchObject({
    code: 'quota_exceeded',
    message: 'This account may keep 10 bytes of files and has 6.',
  })
  await name('c', 'four')
  await name('c', '4444')
  await expect(name('c', 'five5')).rejects.toMatchObject({ code: 'quota_exceeded' })
})

const { count: CUTS, seed: SEED } = inject('cuts')

test(`no name points at bytes that are not all there, after ${CUTS} cut uploads (seed ${SEED})`, async () => {
  const random = seeded(SEED)
  for (let round = 0; round < CUTS; round += 1) {
    const data = bytesOf(1 + Math.floor(random() * 12_000_000), round + 1)
    const path = `cut/${round}.bin`
    const { upload_url } = await account.call('write_file', { path })
    const cut = {
      method: 'PUT',
      body: piecesOf(data, Math.floor(random() * data.length)),
      headers: { 'content-length': String(data.length) },
    }
    const status = await send(upload_url, cut).then(
      (answer) => answer.status,
      () => 0,
    )
    expect(status).not.toBe(200)
    expect((await account.call('read_file', { path })).error.code).toBe('unknown_file')
    if (round % 3 > 0) continue
    expect((await send(upload_url, { method: 'PUT', body: data })).status).toBe(200)
    const { download_url } = await account.call('read_file', { path, max_bytes: 1 })
    const answer = await send(download_url)
    expect(await identityOf(new Uint8Array(await answer.arrayBuffer()))).toBe(await identityOf(data))
  }
  expect((await env.FILES.list({ prefix: 'tmp/' })).objects).toEqual([])
}, 600_000)
