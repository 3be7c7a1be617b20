import { createHash } from 'node:crypto'
import { request } from 'node:http'
import { beforeAll, expect, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { seeded } from '../support/faults.ts'
import { makeAccount } from '../support/suite.ts'

let app: App
beforeAll(async () => {
  app = await (await makeAccount('files')).app()
})

const identityOf = (data: Uint8Array) => `1f:${createHash('sha256').update(data).digest('hex')}`

test('a file goes up by a link, is found, read in part, comes down and is deleted', async () => {
  const data = Buffer.alloc(50_000_000)
  for (let at = 0; at < data.length; at += 4) data.writeUInt32LE(Math.imul(at, 2_654_435_761) >>> 0, at)
  const path = `clips/要求 "take 2".bin`
  const { answer: link } = await app.call('write_file', { path })
  const up = await fetch(link.upload_url, { method: 'PUT', body: data })
  const file = { identity: identityOf(data), path, size: data.length, media_type: 'application/octet-stream' }
  expect(await up.json()).toEqual(file)

  expect((await app.call('find_file', { words: 'take 要求' })).answer.files).toMatchObject([file])
  expect((await app.call('list_files', { folder: 'clips' })).answer.files).toMatchObject([file])
  const { answer: read } = await app.call('read_file', { identity: file.identity, offset: 4, max_bytes: 4 })
  expect(read).toMatchObject({ ...file, offset: 4, next_offset: 8 })
  expect(Buffer.from(read.bytes_base64, 'base64')).toEqual(data.subarray(4, 8))

  const down = await fetch(read.download_url)
  expect(identityOf(Buffer.from(await down.arrayBuffer()))).toBe(file.identity)
  expect(down.headers.get('content-length')).toBe(String(data.length))
  expect((await app.call('delete_file', { path })).answer).toEqual({ path, identity: file.identity })
  expect((await app.call('read_file', { path })).answer.error.code).toBe('unknown_file')
})

test('a body of unknown length goes up too', async () => {
  const { answer } = await app.call('write_file', { path: 'pieces.txt' })
  const body = new Blob(['one ', 'two']).stream()
  const up = await fetch(answer.upload_url, { method: 'PUT', body, duplex: 'half' } as RequestInit)
  expect(await up.json()).toMatchObject({ identity: identityOf(Buffer.from('one two')), size: 7 })
})

const CUTS = Number(process.env['FILE_CUTS'] ?? 10)
const SEED = Number(process.env['FILE_SEED'] ?? 11)

/** Sends a body up to a byte and then hangs up, of a length that is said or not; answers what came back. */
function sendAndCut(
  url: string,
  data: Buffer,
  { at, isSaid }: { at: number; isSaid: boolean },
): Promise<number> {
  return new Promise((done) => {
    const headers = isSaid ? { 'content-length': data.length } : {}
    const sending = request(url, { method: 'PUT', headers }, ({ statusCode }) => done(statusCode ?? 0))
    sending.on('error', () => done(0))
    sending.write(data.subarray(0, at), () => setTimeout(() => sending.destroy(), 20))
  })
}

test(`after ${CUTS} cut uploads and downloads no name points at a part of a file (seed ${SEED})`, async () => {
  const random = seeded(SEED)
  for (let round = 0; round < CUTS; round += 1) {
    const data = Buffer.alloc(1 + Math.floor(random() * 12_000_000), `round ${round} `)
    const path = `cut/${round}.bin`
    const { answer: link } = await app.call('write_file', { path })
    const cut = { at: Math.floor(random() * data.length), isSaid: random() < 0.5 }
    expect(await sendAndCut(link.upload_url, data, cut)).toBe(0)
    expect((await app.call('read_file', { path })).answer.error.code).toBe('unknown_file')

    const up = await fetch(link.upload_url, { method: 'PUT', body: data })
    expect(await up.json()).toMatchObject({ identity: identityOf(data) })
    const { answer: read } = await app.call('read_file', { path, max_bytes: 1 })
    const cutting = new AbortController()
    const broken = await fetch(read.download_url, { signal: cutting.signal })
    const first = await broken.body?.getReader().read()
    cutting.abort()
    const got = first?.value?.length ?? 0
    const rest = await fetch(read.download_url, { headers: { range: `bytes=${got}-` } })
    const whole = Buffer.concat([first?.value ?? Buffer.alloc(0), Buffer.from(await rest.arrayBuffer())])
    expect(identityOf(got === data.length ? data : whole)).toBe(identityOf(data))
  }
}, 600_000)
