import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import type { HttpInvoke } from '../../../src/core/tools/descriptor/descriptor.ts'
import { secretNames } from '../../../src/core/tools/descriptor/descriptor.ts'
import { fill } from '../../../src/invokes/http/fill.ts'

const NONE = new Map<string, string>()
const ORIGIN = 'https://api.example.test'

function filled(invoke: Partial<HttpInvoke>, input: Record<string, unknown>, secrets = NONE) {
  return fill({ kind: 'http', url: `${ORIGIN}/q`, method: 'POST', ...invoke }, input, secrets)
}

function requestOf(...given: Parameters<typeof filled>) {
  const made = filled(...given)
  if (!made.ok) throw new Error(JSON.stringify(made.faults))
  return made.request
}

const faultsOf = (...given: Parameters<typeof filled>) => {
  const made = filled(...given)
  return made.ok ? [] : made.faults.map(({ path, message }) => `${path} ${message}`)
}

test('values are filled once: what stands in a value is never filled again', () => {
  const text = '{count} $& $1 " } {secret:KEY}'
  const body = { q: '{text}', n: '{count}', fixed: 'literal {text} inside' }
  const { body: sent, headers } = requestOf({ body }, { text, count: 3 })
  expect(JSON.parse(sent ?? '')).toEqual({ q: text, n: 3, fixed: `literal ${text} inside` })
  expect(headers['content-type']).toBe('application/json')
})

describe('a path', () => {
  const url = `${ORIGIN}/v1/records/{text}/detail`

  test.each([
    ['../../admin/config', '..%2F..%2Fadmin%2Fconfig'],
    ['a?x=1', 'a%3Fx%3D1'],
    ['a#frag', 'a%23frag'],
    ['a/b', 'a%2Fb'],
    ['a\\b', 'a%5Cb'],
    ['%2e%2e%2fadmin', '%252e%252e%252fadmin'],
    ['%2e%2e', '%252e%252e'],
    ['a b', 'a%20b'],
    ['é', '%C3%A9'],
    ['{id}', '%7Bid%7D'],
    ['...', '...'],
    ['\n', '%0A'],
    ['\ud800', '%EF%BF%BD'],
    [7, '7'],
    [null, 'null'],
    [[1, 'a'], '%5B1%2C%22a%22%5D'],
  ])('holds %j in its place', (text, segment) => {
    expect(requestOf({ url }, { text }).url).toBe(`${ORIGIN}/v1/records/${segment}/detail`)
  })

  test.each([
    [{ text: '.' }, 'input.text stands in the path of the address and makes "." or ".." of it'],
    [{ text: '..' }, 'input.text stands in the path of the address and makes "." or ".." of it'],
    [{ text: '' }, 'input.text stands in the path of the address and is empty'],
    [{}, 'input.text stands in the path of the address and is missing'],
  ])('refuses %j', (input, fault) => {
    expect(faultsOf({ url }, input)).toEqual([fault])
  })

  test('refuses steps that two values, or a value and the address, make together', () => {
    expect(faultsOf({ url: `${ORIGIN}/{a}{b}/x` }, { a: '.', b: '.' })).toHaveLength(2)
    expect(faultsOf({ url: `${ORIGIN}/.{a}/x` }, { a: '.' })).toHaveLength(1)
    expect(faultsOf({ url: `${ORIGIN}/%2{a}/x` }, { a: 'e' })).toHaveLength(1)
    expect(faultsOf({ url: `${ORIGIN}/../x/{a}` }, { a: 'e' })).toEqual([])
  })
})

describe('a query', () => {
  test('takes values of all kinds, and drops what is not there', () => {
    const { url } = requestOf(
      {
        url: `${ORIGIN}/q?lang={lang}&x=a{lang}b&flag&{text}=1&none={none}#{text}`,
        query: { q: '{text}', n: 3, deep: true, 'a b': 'x {none} y', gone: '{none}' },
      },
      { text: 'a&b=c#d', lang: 'de' },
    )
    expect(url).toBe(
      `${ORIGIN}/q?lang=de&x=adeb&flag&a%26b%3Dc%23d=1&q=a%26b%3Dc%23d&n=3&deep=true&a%20b=x%20%20y`,
    )
  })

  test('has a limit', () => {
    expect(faultsOf({ query: { q: '{text}' } }, { text: 'x'.repeat(17_000) })).toEqual([
      `input makes an address of 17029 characters; at most 16000 are sent`,
    ])
  })
})

describe('headers', () => {
  test('have defaults, and a missing value drops its header', () => {
    const headers = { 'X-Text': 'of {text}', 'X-None': '{none}', Accept: 'application/geo+json' }
    expect(requestOf({ headers }, { text: 'é' }).headers).toEqual({
      accept: 'application/geo+json',
      'user-agent': 'workshop',
      'x-text': 'of é',
    })
  })

  test.each(['a\r\nX-B: c', 'a\n', '\0', '🧪', '\u007f'])('refuse %j', (text) => {
    expect(faultsOf({ headers: { 'X-A': '{text}' } }, { text })).toEqual([
      'input.text holds a character that no header can: a line break, a control character or one outside Latin-1',
    ])
  })
})

test('secrets stand behind their prefix, are named as credentials, and spoil nothing in silence', () => {
  const invoke: Partial<HttpInvoke> = {
    headers: { Authorization: { secret_name: 'k', prefix: 'Bearer ' }, 'X-Key': { secret_name: 'k' } },
    query: { key: { secret_name: 'maps' } },
  }
  const secrets = new Map([
    ['k', 'a{text}'],
    ['maps', 'm&s'],
  ])
  expect(requestOf(invoke, { text: 'no' }, secrets)).toMatchObject({
    url: `${ORIGIN}/q?key=m%26s`,
    headers: { authorization: 'Bearer a{text}', 'x-key': 'a{text}' },
    credentials: ['authorization', 'x-key'],
    secrets: ['a{text}', 'm&s'],
  })
  expect(faultsOf(invoke, {}, new Map([['k', 'a\nb']]))[0]).toMatch(
    /^tool_id has the connection k, which holds/,
  )
  expect(secretNames({ invoke: { kind: 'http', url: ORIGIN, method: 'GET', ...invoke } })).toEqual([
    'k',
    'maps',
  ])
})

test('a body keeps types, drops what is missing, and may be one value', () => {
  const body = { a: ['{text}', '{none}', null, 1], b: { c: '{none}', d: 'x{none}' }, '{text}': '{list}' }
  const { body: sent } = requestOf({ body }, { text: 't', list: [1, { x: null }] })
  expect(JSON.parse(sent ?? '')).toEqual({ a: ['t', null, 1], b: { d: 'x' }, '{text}': [1, { x: null }] })
  expect(requestOf({ body: '{text}' }, { text: false }).body).toBe('false')
  expect(requestOf({ body: '{text}' }, {}).body).toBeUndefined()
  expect(requestOf({ body: JSON.parse('{"__proto__": "{text}"}') }, { text: 1 }).body).toBe('{"__proto__":1}')
})

describe('whatever the values', () => {
  const SYNTAX = './\\?#&=%2e@:{}[] \r\n\0;+'.split('')
  const anything = fc.oneof(
    fc.string({ unit: 'binary', maxLength: 40 }),
    fc.string({ unit: fc.constantFrom(...SYNTAX), maxLength: 12 }),
    fc.jsonValue(),
  )
  const invoke: Partial<HttpInvoke> = {
    url: `${ORIGIN}/v1/{a}/x-{b}/end?p={a}&q=1{b}`,
    query: { r: '{a}', s: 'x{b}' },
    headers: { 'X-A': '{a}', 'X-B': 'b{b}' },
    body: { a: '{a}', b: 'x{b}', list: ['{a}'] },
  }

  test('they change no host, step, parameter, header or place in the body', () => {
    let made = 0
    fc.assert(
      fc.property(anything, anything, (a, b) => {
        const { headers: _, ...bare } = invoke
        for (const each of [invoke, bare]) {
          const result = filled(each, { a, b })
          if (!result.ok) continue
          made += 1
          const { url, headers, body } = result.request
          const parsed = new URL(url)
          expect(parsed.origin).toBe(ORIGIN)
          expect(parsed.hash).toBe('')
          const steps = parsed.pathname.split('/')
          expect([steps.length, steps[1], steps[4]]).toEqual([5, 'v1', 'end'])
          expect([...parsed.searchParams.keys()]).toEqual(['p', 'q', 'r', 's'])
          expect(Object.keys(headers)).toHaveLength(each === invoke ? 5 : 3)
          expect(() => new Headers(headers)).not.toThrow()
          const sent = JSON.parse(body ?? '')
          expect(Object.keys(sent)).toEqual(['a', 'b', 'list'])
          expect(sent.list).toEqual([sent.a])
          if (typeof a === 'string') expect(decodeURIComponent(steps[2] ?? '')).toBe(a.toWellFormed())
          if (typeof a === 'string') expect(parsed.searchParams.get('r')).toBe(a.toWellFormed())
        }
      }),
      { numRuns: 2_000 },
    )
    expect(made).toBeGreaterThan(1_000)
  })
})
