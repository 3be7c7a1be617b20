import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { NOT_PUBLIC, SPELLINGS, urlOf } from '../../core/net/addresses.ts'
import { freePort } from '../../support/ports.ts'
import { json, Upstream } from '../../support/upstream.ts'
import { httpDescriptor, runHttp, testWeb } from './place.ts'

describe('an address that may not be called', () => {
  test.each([...NOT_PUBLIC.map(urlOf), ...SPELLINGS])(
    '%s is not called by a tool saved long ago',
    async (url) => {
      let calls = 0
      const web = testWeb(
        [],
        async () => ['127.0.0.1'],
        async () => {
          calls += 1
          return Response.json({})
        },
      )
      expect(await runHttp(web, httpDescriptor({ url }))).toMatchObject({
        reason: 'http_failed',
        message: expect.stringMatching(/^Nothing was sent: it/),
      })
      expect(calls).toBe(0)
    },
  )
})

describe('a name', () => {
  const url = 'https://api.example.test/v1?key=word'

  test.each([
    [async () => [], 'http_failed', 'Nothing was sent: the name of its host does not exist.'],
    [
      async () => ['10.1.2.3'],
      'http_failed',
      'Nothing was sent: the name of its host stands for a private address.',
    ],
    [
      () => Promise.reject(new Error('no way out')),
      'never_started',
      'Nothing was sent: the name of its host could not be looked up at cloudflare-dns.com.',
    ],
  ])('ends in words of its own (%#)', async (lookUp, reason, message) => {
    expect(await runHttp(testWeb([], lookUp), httpDescriptor({ url }))).toMatchObject({ reason, message })
  })

  test('may stand for a server that nobody answers at', async () => {
    const at = `127.0.0.1:${await freePort()}`
    const end = await runHttp(testWeb([at]), httpDescriptor({ url: `https://${at}/?key=word` }))
    expect(end).toMatchObject({ reason: 'http_failed', isRetryable: true })
    expect(JSON.stringify(end)).not.toContain('word')
  })
})

describe('a connection', () => {
  const SECRET = 'canary/of the=connection'
  const secret = async (name: string) => (name === 'api' ? SECRET : null)
  const headers = {
    Authorization: { secret_name: 'api', prefix: 'Bearer ' },
    'X-Key': { secret_name: 'api' },
  }
  const query = { key: { secret_name: 'api' } }
  let first: Upstream
  let second: Upstream
  let web: ReturnType<typeof testWeb>

  beforeAll(async () => {
    second = await Upstream.listen(`127.0.0.1:${await freePort()}`, { '*': (response) => json(response, {}) })
    const moved =
      (status: number) =>
      (response: Parameters<typeof json>[0], { url }: { url: string }) =>
        response.writeHead(status, { location: second.url(url) }).end()
    first = await Upstream.listen(`127.0.0.1:${await freePort()}`, {
      '/ok': (response) => json(response, {}),
      '/moved': moved(307),
      '/bad': (response) => json(response, {}, 401),
      '/inside': (response, { url }) =>
        response.writeHead(302, { location: `https://10.0.0.1${url}`, 'x-echo': SECRET }).end(),
    })
    web = testWeb([first.at, second.at])
  })

  afterAll(() => Promise.all([first.close(), second.close()]))

  const call = (path: string) => {
    const descriptor = httpDescriptor({ url: first.url(path), headers, query })
    return runHttp(web, descriptor, { host: { secret } })
  }

  test('stands in headers and in the query', async () => {
    expect(await call('/ok')).toMatchObject({ reason: 'done' })
    const [asked] = first.asked
    expect(asked?.headers).toMatchObject({ authorization: `Bearer ${SECRET}`, 'x-key': SECRET })
    expect(new URLSearchParams(asked?.url.split('?')[1]).get('key')).toBe(SECRET)
  })

  test('is not shown to another origin', async () => {
    expect(await call('/moved')).toMatchObject({ reason: 'done' })
    expect(second.asked).toHaveLength(1)
    expect(decodeURIComponent(JSON.stringify(second.asked))).not.toContain('canary')
  })

  test.each(['/bad', '/inside'])('is in no words about %s', async (path) => {
    const end = await call(path)
    expect(end.reason).toBe('http_failed')
    expect(JSON.stringify(end)).not.toContain('canary')
  })

  test('that is not set lets nothing be sent', async () => {
    const before = first.asked.length
    const descriptor = httpDescriptor({
      url: first.url('/ok'),
      headers: { 'X-Key': { secret_name: 'other' } },
    })
    expect(await runHttp(web, descriptor, { host: { secret } })).toMatchObject({
      reason: 'never_started',
      message: 'Nothing was sent: the connection other is not set.',
    })
    expect(first.asked).toHaveLength(before)
  })
})
