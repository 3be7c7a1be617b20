import { env } from 'cloudflare:workers'
import { beforeAll, describe, expect, test, vi } from 'vitest'
import { makeInside, type Inside } from '../../support/inside.ts'
import { bytesOf, identityOf, piecesOf, send } from '../../support/links.ts'

const MB = 1024 * 1024

let account: Inside
beforeAll(async () => {
  account = await makeInside('files')
})

const linkFor = async (path: string): Promise<string> =>
  (await account.call('write_file', { path })).upload_url

async function download(path: string, headers: Record<string, string> = {}): Promise<Response> {
  const { download_url } = await account.call('read_file', { path, max_bytes: 1 })
  return send(download_url, { headers })
}

const dataOf = async (response: Response) => new Uint8Array(await response.arrayBuffer())

describe('a text', () => {
  test('is written, found, listed, read and deleted', async () => {
    const path = 'notes/Pläne 要求.txt'
    const text = 'Milch und Brot\n'
    const file = { identity: await identityOf(new TextEncoder().encode(text)), path, size: 15 }
    const written = await account.call('write_file', { path, text })
    expect(written).toEqual({ ...file, media_type: 'text/plain' })
    expect((await account.call('find_file', { words: 'PLÄNE 求' })).files).toMatchObject([file])
    expect((await account.call('list_files', { folder: 'notes' })).files).toMatchObject([file])
    const read = await account.call('read_file', { path })
    expect(read).toMatchObject({ ...file, text, offset: 0 })
    expect(read.next_offset).toBeUndefined()
    expect(await account.call('delete_file', { path })).toEqual({ path, identity: file.identity })
    expect((await account.call('list_files', { folder: 'notes' })).files).toEqual([])
    for (const call of [{ path }, { identity: file.identity }]) {
      expect((await account.call('read_file', call)).error.code).toBe('unknown_file')
    }
    expect((await account.call('delete_file', { path })).error.code).toBe('unknown_file')
  })

  test('is read in parts that cut no character', async () => {
    const text = 'aé要🧪'.repeat(20)
    await account.call('write_file', { path: 'parts.txt', text })
    let all = ''
    for (let offset: number | undefined = 0; offset !== undefined;) {
      const part = await account.call('read_file', { path: 'parts.txt', offset, max_bytes: 7 })
      all += part.text
      offset = part.next_offset
    }
    expect(all).toBe(text)
  })

  test('takes the place of what had its path', async () => {
    await account.call('write_file', { path: 'same.txt', text: 'one' })
    await account.call('write_file', { path: 'same.txt', bytes_base64: btoa('two') })
    expect((await account.call('read_file', { path: 'same.txt' })).text).toBe('two')
  })

  test('that is none comes back as bytes', async () => {
    await account.call('write_file', { path: 'bin', bytes_base64: '/wD+' })
    expect(await account.call('read_file', { path: 'bin' })).toMatchObject({ bytes_base64: '/wD+', size: 3 })
  })

  test.each([
    [{ path: '../x', text: '' }, 'path'],
    [{ path: 'x', text: '', bytes_base64: '' }, 'text'],
    [{ path: 'x', bytes_base64: '*' }, 'bytes_base64'],
    [{ path: 'x', text: '\ud800' }, 'text'],
    [{ path: 'x', from_url: 'http://example.com' }, 'from_url'],
  ])('%j is refused', async (call, field) => {
    expect((await account.call('write_file', call)).error.field).toBe(field)
  })
})

test('a list goes on at its cursor', async () => {
  for (const name of ['c', 'a', 'b']) await account.call('write_file', { path: `list/${name}`, text: name })
  const first = await account.call('list_files', { folder: 'list/', limit: 2 })
  expect(first.files.map(({ path }: { path: string }) => path)).toEqual(['list/a', 'list/b'])
  const second = await account.call('list_files', { folder: 'list', limit: 2, cursor: first.next_cursor })
  expect(second.files.map(({ path }: { path: string }) => path)).toEqual(['list/c'])
  expect(second.next_cursor).toBeUndefined()
})

describe('an upload', () => {
  test.each([0, 1, 8 * MB - 1, 8 * MB, 8 * MB + 1, 50_000_000])(
    'of %i bytes comes back whole',
    async (size) => {
      const data = bytesOf(size, size)
      const path = `up/${size}.bin`
      const url = await linkFor(path)
      const answer = await send(url, {
        method: 'PUT',
        body: data,
        headers: { 'content-length': String(size) },
      })
      const file = { identity: await identityOf(data), path, size, media_type: 'application/octet-stream' }
      expect(await answer.json()).toEqual(file)
      expect(await (await send(url)).json()).toEqual({ state: 'done', ...file })
      expect(await identityOf(await dataOf(await download(path)))).toBe(file.identity)
    },
  )

  test('of unknown length comes back whole', async () => {
    const data = bytesOf(9 * MB, 3)
    const answer = await send(await linkFor('unknown.bin'), { method: 'PUT', body: piecesOf(data) })
    expect(await answer.json()).toMatchObject({ identity: await identityOf(data), size: data.length })
    expect(await dataOf(await download('unknown.bin'))).toEqual(data)
  })

  test('in parts goes on where it was cut, whatever their order', async () => {
    const data = bytesOf(13 * MB, 4)
    const url = await linkFor('in parts.bin')
    const part = (number: number) => data.slice((number - 1) * 5 * MB, number * 5 * MB)
    const put = (number: number, body: Uint8Array<ArrayBuffer>) =>
      send(`${url}/${number}`, { method: 'PUT', body, headers: { 'content-length': String(body.length) } })
    expect((await put(3, part(3))).status).toBe(200)
    expect((await put(1, bytesOf(5 * MB, 9))).status).toBe(200)
    expect(await (await send(url, { method: 'POST' })).json()).toMatchObject({
      error: { message: 'Part 2 has not come.' },
    })
    expect((await put(2, part(2))).status).toBe(200)
    expect((await put(1, part(1))).status).toBe(200)
    const { state, parts } = await (await send(url)).json<{ state: string; parts: unknown }>()
    expect({ state, parts }).toEqual({
      state: 'open',
      parts: [1, 2, 3].map((number) => ({ part: number, size: part(number).length })),
    })
    const done = { identity: await identityOf(data), size: data.length }
    expect(await (await send(url, { method: 'POST' })).json()).toMatchObject(done)
    expect(await identityOf(await dataOf(await download('in parts.bin')))).toBe(done.identity)
  })

  test('is taken once', async () => {
    const url = await linkFor('once.txt')
    expect((await send(url, { method: 'PUT', body: 'one' })).status).toBe(200)
    expect((await send(url, { method: 'PUT', body: 'one' })).status).toBe(200)
    const second = await send(url, { method: 'PUT', body: 'two' })
    expect(second.status).toBe(410)
    expect(await second.json()).toMatchObject({ error: { code: 'link_expired' } })
    expect(await (await download('once.txt')).text()).toBe('one')
  })

  test('that is shorter or longer than it said leaves nothing', async () => {
    const url = await linkFor('wrong.bin')
    for (const said of ['5', '3']) {
      const headers = { 'content-length': said }
      const answer = await send(url, { method: 'PUT', body: piecesOf(bytesOf(4)), headers })
      expect(answer.status).toBe(400)
    }
    expect((await account.call('list_files', { folder: '' })).files).not.toContainEqual(
      expect.objectContaining({ path: 'wrong.bin' }),
    )
  })

  test('needs a link that was made here', async () => {
    const url = await linkFor('forged.bin')
    for (const forged of [url.slice(0, -1), url.replace('/upload/', '/'), `${url}x`]) {
      expect((await send(forged, { method: forged.includes('/upload/') ? 'PUT' : 'GET' })).status).toBe(410)
    }
  })
})

describe('a download', () => {
  test.each(['要求 — v2.txt', 'ă à ạ ã.zip', '🧪.png', 'Ünï.pdf', `it's "fine" $HOME.wav`, 'new\nline.wav'])(
    '%j gives its bytes',
    async (name) => {
      const data = bytesOf(1_000, name.length)
      await account.call('write_file', { path: name, bytes_base64: btoa(String.fromCharCode(...data)) })
      const answer = await download(name)
      expect(answer.status).toBe(200)
      expect(await dataOf(answer)).toEqual(data)
      expect(answer.headers.get('content-disposition')).toMatch(/filename="[\x20-\x7e]+"; filename\*=UTF-8''/)
      expect(answer.headers.get('x-content-type-options')).toBe('nosniff')
    },
  )

  test('of a page is never shown in place', async () => {
    await account.call('write_file', { path: 'page.html', text: '<script>alert(1)</script>' })
    const answer = await download('page.html')
    expect(answer.headers.get('content-disposition')).toMatch(/^attachment/)
    expect(answer.headers.get('content-security-policy')).toContain('sandbox')
  })

  test('in ranges', async () => {
    await account.call('write_file', { path: 'range.txt', text: '0123456789' })
    const part = await download('range.txt', { range: 'bytes=2-4' })
    expect(part.status).toBe(206)
    expect(part.headers.get('content-range')).toBe('bytes 2-4/10')
    expect(part.headers.get('content-length')).toBe('3')
    expect(await part.text()).toBe('234')
    const past = await download('range.txt', { range: 'bytes=10-' })
    expect([past.status, past.headers.get('content-range')]).toEqual([416, 'bytes */10'])
    const stale = await download('range.txt', { range: 'bytes=2-4', 'if-range': '"other"' })
    expect(await stale.text()).toBe('0123456789')
    const etag = stale.headers.get('etag') ?? ''
    expect((await download('range.txt', { 'if-none-match': etag })).status).toBe(304)
  })

  test('is told by HEAD', async () => {
    await account.call('write_file', { path: 'head.txt', text: 'head' })
    const { download_url } = await account.call('read_file', { path: 'head.txt' })
    const answer = await send(download_url, { method: 'HEAD' })
    expect([answer.status, await answer.text()]).toEqual([200, ''])
  })

  test('that breaks on our side says only that', async () => {
    await account.call('write_file', { path: 'broken.txt', text: 'broken' })
    const { download_url } = await account.call('read_file', { path: 'broken.txt' })
    const head = vi.spyOn(env.FILES, 'head').mockRejectedValueOnce(new Error('R2 is down'))
    const answer = await send(download_url)
    head.mockRestore()
    expect(answer.status).toBe(500)
    expect(await answer.json()).toMatchObject({ error: { code: 'internal' } })
  })

  test('of bytes that are gone says so', async () => {
    const { identity } = await account.call('write_file', { path: 'gone.txt', text: 'gone for good' })
    const { download_url } = await account.call('read_file', { identity })
    await env.FILES.delete(`files/${identity.slice(3)}`)
    expect((await send(download_url)).status).toBe(404)
    expect((await account.call('read_file', { identity })).error).toMatchObject({
      code: 'unknown_file',
      message: `The bytes of ${identity} are gone.`,
    })
  })
})

test('of another account everything reads as unknown', async () => {
  const { identity } = await account.call('write_file', { path: 'mine.txt', text: 'mine alone' })
  const stranger = await makeInside('stranger')
  const refused = [
    await stranger.call('read_file', { identity }),
    await stranger.call('read_file', { identity: `1f:${'0'.repeat(64)}` }),
  ]
  expect(refused[0]).toEqual(refused[1])
  expect(refused[0].error.code).toBe('unknown_file')
  expect((await stranger.call('read_file', { path: 'mine.txt' })).error.code).toBe('unknown_file')
  expect((await stranger.call('delete_file', { path: 'mine.txt' })).error.code).toBe('unknown_file')
  expect((await stranger.call('find_file', { words: 'mine' })).files).toEqual([])
  expect((await stranger.call('list_files', {})).files).toEqual([])
})
