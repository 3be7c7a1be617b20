import { createHash, randomBytes } from 'node:crypto'
import { gzipSync } from 'node:zlib'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount } from '../support/suite.ts'
import { Upstream } from '../support/upstream.ts'

const LARGE = randomBytes(9_000_000)
const identityOf = (data: string | Buffer) => `1f:${createHash('sha256').update(data).digest('hex')}`

let app: App
let upstream: Upstream
let other: Upstream

beforeAll(async () => {
  app = await (await makeAccount('from-url')).app()
  const [at, otherAt] = inject('upstreams')
  upstream = await Upstream.listen(at, {
    '/hello.txt': (response) => response.end('hello'),
    '/empty': (response) => response.end(),
    '/large.bin': (response) => response.end(LARGE),
    '/unknown-length': (response) => {
      response.write(LARGE.subarray(0, 8_500_000))
      response.end(LARGE.subarray(8_500_000))
    },
    '/packed': (response) => response.writeHead(200, { 'content-encoding': 'gzip' }).end(gzipSync('hello')),
    '/moved': (response) => response.writeHead(302, { location: `https://${otherAt}/there` }).end(),
    '/inside': (response) => response.writeHead(302, { location: 'https://169.254.169.254/latest' }).end(),
    '/short': (response) => {
      response.writeHead(200, { 'content-length': '1000' }).write('x')
      setTimeout(() => response.destroy(), 50)
    },
    '/cut': (response) => {
      response.write(LARGE.subarray(0, 8_500_000))
      setTimeout(() => response.destroy(), 300)
    },
    '/too-large': (response) => {
      response.writeHead(200, { 'content-length': '5000000001' }).write('x')
    },
  })
  other = await Upstream.listen(otherAt, { '/there': (response) => response.end('there') })
})

afterAll(() => Promise.all([upstream.close(), other.close()]))

const fetched = (path: string, to = `fetched${path}`) =>
  app.call('write_file', { path: to, from_url: upstream.url(path) })

test.each([
  ['/hello.txt', 'hello', 'text/plain'],
  ['/empty', '', 'application/octet-stream'],
  ['/large.bin', LARGE, 'application/octet-stream'],
  ['/unknown-length', LARGE, 'application/octet-stream'],
  ['/packed', 'hello', 'application/octet-stream'],
  ['/moved', 'there', 'application/octet-stream'],
])('%s is kept as it is', async (path, data, media_type) => {
  const { isError, answer, text } = await fetched(path)
  expect(isError, text).toBe(false)
  expect(answer).toEqual({
    identity: identityOf(data),
    path: `fetched${path}`,
    size: data.length,
    media_type,
  })
  const read = await app.call('read_file', { identity: answer.identity })
  expect(read.isError, read.text).toBe(false)
})

describe('what does not come whole is not kept, and leaves what had the name', () => {
  test.each([
    ['/short', 'http_failed', 'broke off before all of it had come'],
    ['/cut', 'http_failed', 'broke off before all of it had come'],
    ['/none', 'http_failed', 'answered with status 404'],
    ['/too-large', 'too_large', '5000000000'],
    ['/inside', 'invalid_request', 'its host is a link-local address'],
  ])('%s', async (path, code, message) => {
    const before = await app.call('write_file', { path: `kept${path}`, text: 'before' })
    const { isError, answer } = await fetched(path, `kept${path}`)
    expect(isError).toBe(true)
    expect(answer.error).toMatchObject({ code, message: expect.stringContaining(message) })
    const { answer: after } = await app.call('read_file', { path: `kept${path}` })
    expect(after).toMatchObject({ identity: before.answer.identity, text: 'before' })
  })
})

test.each([
  ['http://example.com/a', 'it is not https'],
  ['https://127.0.0.1/', 'its host is a loopback address'],
  ['https://localhost:8787/v1', 'its host is a local name'],
  ['hello', 'it is not a web address'],
])('%s is not fetched', async (from_url, message) => {
  const { isError, answer } = await app.call('write_file', { path: 'no.txt', from_url })
  expect(isError).toBe(true)
  expect(answer.error).toMatchObject({
    code: 'invalid_request',
    field: 'from_url',
    message: `The address of from_url may not be fetched: ${message}.`,
  })
})

test('one content at a time', async () => {
  const { answer } = await app.call('write_file', {
    path: 'a',
    text: 'a',
    from_url: upstream.url('/hello.txt'),
  })
  expect(answer.error).toMatchObject({ code: 'invalid_request', field: 'text' })
})
