import { describe, expect, test } from 'vitest'
import type { LookUp } from '../../../src/core/net/look-up.ts'
import { webOf, type WebRequest } from '../../../src/core/net/web.ts'

/** What was sent, and a stand-in for the internet that answers by address. */
interface Net {
  sent: { url: string; method: string; headers: Record<string, string>; body?: string }[]
  web: ReturnType<typeof webOf>
}

const PUBLIC = '93.184.216.34'

function netOf(pages: Record<string, () => Response>, lookUp: LookUp = async () => [PUBLIC]): Net {
  const sent: Net['sent'] = []
  const fetcher = async (url: string, init: RequestInit) => {
    const { method = '', headers, body } = init
    sent.push({ url, method, headers: headers as Record<string, string>, body: body as string })
    return pages[url]?.() ?? Response.json({ url })
  }
  const rules = { ownHosts: ['workshop.example.com'], allowed: new Set<string>() }
  return { sent, web: webOf({ rules, lookUp, fetch: fetcher as typeof fetch }) }
}

const to =
  (location: string, status = 302) =>
  () =>
    new Response(null, { status, headers: { location } })
const NEVER = new AbortController().signal
const request = (url: string, more: Partial<WebRequest> = {}): WebRequest => ({
  url,
  method: 'GET',
  headers: {},
  ...more,
})

const failure = async ({ web }: Net, url: string, more: Partial<WebRequest> = {}) => {
  try {
    await web.open(request(url, more), NEVER)
    return null
  } catch (error) {
    const { kind, message } = error as { kind: string; message: string }
    return `${kind}: ${message}`
  }
}

describe('a name', () => {
  test('is called when all it stands for is public', async () => {
    const net = netOf({}, async () => [PUBLIC, '2606:4700:4700::1111'])
    expect(await failure(net, 'https://api.example.com/')).toBe(null)
    expect(net.sent).toHaveLength(1)
  })

  test.each([
    [[PUBLIC, '10.0.0.1'], 'address: the name of its host stands for a private address'],
    [['127.0.0.1'], 'address: the name of its host stands for a loopback address'],
    [[PUBLIC, '::ffff:127.0.0.1'], 'address: the name of its host stands for an IPv4-mapped address'],
    [[PUBLIC, 'fd00::1'], 'address: the name of its host stands for a private (unique local) address'],
    [['what?'], 'address: the name of its host stands for no IP address'],
    [[], 'name: the name of its host does not exist'],
  ])('that stands for %j is not', async (addresses, words) => {
    const net = netOf({}, async () => addresses)
    expect(await failure(net, 'https://api.example.com/')).toBe(words)
    expect(net.sent).toEqual([])
  })

  test('that cannot be looked up is not', async () => {
    const net = netOf({}, () => Promise.reject(new Error('no answer')))
    expect(await failure(net, 'https://api.example.com/')).toBe(
      'resolver: the name of its host could not be looked up at cloudflare-dns.com',
    )
    expect(net.sent).toEqual([])
  })

  test('is looked up again at each hop', async () => {
    const asked: string[] = []
    const lookUp: LookUp = async (name) => {
      asked.push(name)
      return asked.length < 3 ? [PUBLIC] : ['192.168.1.1']
    }
    const hops = {
      'https://a.example.com/': to('https://b.example.com/'),
      'https://b.example.com/': to('/again'),
    }
    const net = netOf(hops, lookUp)
    expect(await failure(net, 'https://a.example.com/')).toBe(
      'redirect: it redirected to an address that may not be called: the name of its host stands for a private address',
    )
    expect(asked).toEqual(['a.example.com', 'b.example.com', 'b.example.com'])
    expect(net.sent).toHaveLength(2)
  })
})

describe('another origin', () => {
  const headers = { authorization: 'a', cookie: 'b', 'x-key': 'c', 'x-other': 'd' }
  const given = { headers, credentials: ['x-key'], secrets: ['s3cret/value', 'two words!'] }

  test('gets no credentials, and they do not come back on the way back', async () => {
    const net = netOf({
      'https://a.example.com/': to('/next'),
      'https://a.example.com/next': to('https://b.example.com/'),
      'https://b.example.com/': to('https://a.example.com/end'),
    })
    await net.web.open(request('https://a.example.com/', given), NEVER)
    expect(net.sent.map((each) => Object.keys(each.headers).length)).toEqual([4, 4, 1, 1])
  })

  test('gets no secret that the first one wrote into the query', async () => {
    const location = 'https://b.example.com/x?key=s3cret%2Fvalue&b=1#s3cret/value'
    const net = netOf({ 'https://a.example.com/': to(location) })
    await net.web.open(request('https://a.example.com/', given), NEVER)
    expect(net.sent.at(-1)?.url).toBe('https://b.example.com/x?b=1')
  })

  test.each([
    'https://b.example.com/s3cret/value',
    'https://b.example.com/s3cret%2fvalue',
    'https://b.example.com/?s3cret/value',
    'https://b.example.com/%zz/s3cret%2Fvalue',
    'https://b.example.com/?s3cret%2fvalue=1',
    'https://b.example.com/?a=b&two+words%21',
  ])('%s is not called', async (location) => {
    const net = netOf({ 'https://a.example.com/': to(location) })
    expect(await failure(net, 'https://a.example.com/', given)).toBe(
      'redirect: it redirected a secret to another host',
    )
  })
})

test.each([
  [301, 'POST', 'GET'],
  [302, 'POST', 'GET'],
  [303, 'POST', 'GET'],
  [303, 'DELETE', 'GET'],
  [307, 'POST', 'POST'],
  [308, 'PATCH', 'PATCH'],
  [301, 'PUT', 'PUT'],
  [302, 'GET', 'GET'],
])('after %d %s becomes %s', async (status, method, becomes) => {
  const net = netOf({ 'https://a.example.com/': to('/b', status) })
  const body =
    method === 'GET' ? {} : { body: '{}', headers: { 'content-type': 'application/json', 'x-a': 'b' } }
  await net.web.open(request('https://a.example.com/', { method, ...body }), NEVER)
  const last = net.sent.at(-1)
  expect(last?.method).toBe(becomes)
  expect(last?.body).toBe(becomes === 'GET' ? undefined : '{}')
  expect(last?.headers['content-type']).toBe(becomes === 'GET' ? undefined : 'application/json')
})

test('five redirects are followed, six are not', async () => {
  const hops = Object.fromEntries(
    [1, 2, 3, 4, 5, 6].map((n) => [`https://a.example.com/${n}`, to(`/${n + 1}`)] as const),
  )
  expect(await failure(netOf(hops), 'https://a.example.com/2')).toBe(null)
  expect(await failure(netOf(hops), 'https://a.example.com/1')).toBe(
    'redirect: it redirected more than 5 times',
  )
})

describe('our own server', () => {
  test.each(['https://workshop.example.com/v1', 'https://WORKSHOP.example.com:443/'])('%s', async (url) => {
    expect(await failure(netOf({}), url)).toBe('address: its host is this server')
  })

  test('is not reached by a redirect', async () => {
    const net = netOf({ 'https://a.example.com/': to('https://workshop.example.com/') })
    expect(await failure(net, 'https://a.example.com/')).toMatch(/its host is this server/)
  })
})
