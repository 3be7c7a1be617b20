import { describe, expect, test } from 'vitest'
import { checkDescriptor, placeholders } from '../../../../src/core/tools/descriptor/index.ts'
import { faultsOf, faultsOfHttp, HTTP, patched } from './patch.ts'

test.each([
  ['{text}', ['text']],
  ['a {text} and {text}, {a-1}{é_}', ['text', 'text', 'a-1', 'é_']],
  ['{{text}}', ['text']],
  ['query { user(id: 1) { name } } {"a": 1} {} {1} { text} {a.b} {$}', []],
])('the placeholders of %j', (template, names) => {
  expect(placeholders(template)).toEqual(names)
})

test.each([
  ['POST', { kind: 'http', url: 'https://a.test', body: {} }],
  ['GET', { kind: 'http', url: 'https://a.test/{text}', query: { q: '{text}' } }],
  ['GET', { kind: 'http', url: 'https://a.test', body: null }],
  ['DELETE', { kind: 'http', url: 'https://a.test', method: 'DELETE', body: null }],
])('the method is %s for %j', (method, invoke) => {
  const { descriptor, faults } = checkDescriptor(patched({ ...HTTP, invoke }), null)
  const { body, ...rest } = invoke as Record<string, unknown>
  expect([faults, descriptor?.invoke]).toEqual([[], { ...rest, method, ...(body !== null && { body }) }])
})

test('keeps templates, plain values and secrets where they may stand', () => {
  const invoke = {
    kind: 'http',
    url: 'https://api.example.test:443/v1/{text}/detail?lang={lang}#{text}',
    method: 'PATCH',
    headers: {
      'X-Text': 'of {text}',
      Authorization: { secret_name: 'openai', prefix: 'Bearer ' },
      'X-Key': { secret_name: 'k.1' },
    },
    query: { q: '{text}', n: 3, deep: true, key: { secret_name: 'maps' } },
    body: [{ '{text}': ['{text}', null, 1, { secret: 'no' }] }],
  }
  const input_schema = { type: 'object', properties: { text: {}, lang: {} } }
  const { descriptor, faults } = checkDescriptor(patched({ ...HTTP, invoke, input_schema }), null)
  expect([faults, descriptor?.invoke]).toEqual([[], invoke])
})

test.each([
  ['http://a.test/', 'must start with "https://"', undefined],
  ['ftp://a.test/', 'must start with "https://"', undefined],
  ['HTTPS://a.test/', 'must start with "https://"', undefined],
  ['{text}', 'must start with "https://"', undefined],
  ['//a.test/', 'must start with "https://"', undefined],
  ['https://{text}/x', 'must have a literal host', 'an input may fill the path or query'],
  ['https://{text}.a.test/x', 'must have a literal host', 'an input may fill the path or query'],
  ['https://a.test:{text}/x', 'must have a literal host', 'an input may fill the path or query'],
  ['https://user@a.test/', 'must not name a user', 'put {"secret_name": "<connection>"} into a header'],
  ['https://', 'is not a web address', undefined],
  ['https:///x', 'is not a web address', undefined],
  ['https://a b.test/', 'is not a web address', undefined],
  ['https://a.test/a b', 'is not a web address', undefined],
  ['https://a.test\\b', 'is not a web address', undefined],
  ['https://a.test/\n', 'is not a web address', undefined],
  ['https://a.test:99999/', 'is not a web address', undefined],
  ['https://a.test/{txt}', 'names "txt", which input_schema does not declare', 'did you mean "text"?'],
  [7, 'must be a text', undefined],
])('the url %j is refused', (url, message, hint) => {
  expect(faultsOfHttp({ url })).toEqual([{ path: 'descriptor.invoke.url', message, ...(hint && { hint }) }])
})

const undeclared = (path: string, name: string, hint: string) => ({
  path: `descriptor.invoke.${path}`,
  message: `names "${name}", which input_schema does not declare`,
  hint,
})

test('every field that is named must be declared', () => {
  const known = 'did you mean "text"?'
  const faults = faultsOfHttp({
    url: 'https://a.test/{txt}/{tex}',
    headers: { 'X-A': '{texts}' },
    query: { a: 'x{Text}' },
    body: { a: ['{t}'], b: { c: '{text} {}' } },
  })
  expect(faults).toEqual([
    undeclared('url', 'txt', known),
    undeclared('url', 'tex', known),
    undeclared('headers.X-A', 'texts', known),
    undeclared('query.a', 'Text', known),
    undeclared('body.a[0]', 't', 'known here: "text"'),
  ])
})

describe('a header', () => {
  const LATIN = 'must be one line of Latin-1 characters, as headers are'

  test.each([
    ['X-A', 'a\r\nX-B: c', LATIN],
    ['X-A', '🧪', LATIN],
    ['X-A', 7, 'must be a text'],
    ['X-A', { secret_name: 'k', prefix: '\n' }, LATIN],
    ['Host', 'a.test', 'may not be set: the connection sets it'],
    ['Content-length', '0', 'may not be set: the connection sets it'],
    ['X A', 'a', 'is not the name of a header'],
    ['', 'a', 'is not the name of a header'],
  ])('%s: %j is refused', (name, value, message) => {
    const path = expect.stringMatching(/^descriptor\.invoke\.headers/)
    expect(faultsOfHttp({ headers: { [name]: value } })).toEqual([{ path, message }])
  })

  test('stands there once, whatever its case', () => {
    expect(faultsOfHttp({ headers: { Accept: 'a', 'X-A': 'b', accept: 'c' } })).toEqual([
      {
        path: 'descriptor.invoke.headers.accept',
        message: 'is there twice: case does not count in the names of headers',
      },
    ])
  })
})

test.each([
  [
    { query: { a: null } },
    'query.a',
    'must be a text, a number, true, false or {"secret_name": "<connection>"}',
  ],
  [
    { query: { a: [] } },
    'query.a',
    'must be a text, a number, true, false or {"secret_name": "<connection>"}',
  ],
  [{ query: { a: { prefix: 'x' } } }, 'query.a.secret_name', 'is missing'],
  [{ query: 'q={text}' }, 'query', 'must be an object'],
  [{ method: 'HEAD' }, 'method', 'must be "GET", "POST", "PUT", "PATCH" or "DELETE"'],
])('%j is refused', (patch, path, message) => {
  expect(faultsOfHttp(patch)).toEqual([{ path: `descriptor.invoke.${path}`, message }])
})

test.each([
  [
    { method: 'get' },
    'method',
    { message: 'must be "GET", "POST", "PUT", "PATCH" or "DELETE"', hint: 'did you mean "GET"?' },
  ],
  [{ method: 'GET' }, 'body', { message: 'cannot go with GET', hint: 'use "method": "POST", or query' }],
  [
    { body: { a: [{ secret_name: 'k' }] } },
    'body.a[0]',
    { message: 'may not be a secret', hint: 'a secret may be the value of a header or of a query field' },
  ],
])('%j is refused with a hint', (patch, path, fault) => {
  expect(faultsOfHttp(patch)).toEqual([{ path: `descriptor.invoke.${path}`, ...fault }])
})

test('fields of other kinds are unknown here', () => {
  expect(faultsOf({ ...HTTP, invoke: { ...HTTP.invoke, argv: ['ls'] } })).toEqual([
    {
      path: 'descriptor.invoke.argv',
      message: 'is not a known field',
      hint: 'known here: "kind", "url", "method", "headers", "query" or "body"',
    },
  ])
})
