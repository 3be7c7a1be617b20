import { describe, expect, test } from 'vitest'
import { downloadHeaders, readRange } from '../../../src/routes/rest/download.ts'

test.each([
  [undefined, null],
  ['bytes=0-4', { offset: 0, length: 5 }],
  ['bytes=5-', { offset: 5, length: 5 }],
  ['bytes=8-99', { offset: 8, length: 2 }],
  ['bytes=-3', { offset: 7, length: 3 }],
  ['bytes=-99', { offset: 0, length: 10 }],
  ['bytes=10-', 'unsatisfiable'],
  ['bytes=-0', 'unsatisfiable'],
  ['bytes=4-2', null],
  ['bytes=0-1,4-5', null],
  ['lines=0-1', null],
  ['bytes=-', null],
])('%j of 10 bytes', (header, range) => {
  expect(readRange(header, 10)).toEqual(range)
})

describe('the headers of a download', () => {
  const of = (name: string, mediaType = 'application/zip') =>
    downloadHeaders({ name, mediaType, hash: 'ab' })['content-disposition']

  test.each([
    '要求 — v2.txt',
    'ă à ạ ã.zip',
    '🧪.png',
    'Ünï.pdf',
    `it's "fine" $HOME.wav`,
    'new\nline.wav',
    'a%41;.b',
  ])('%j is named in ASCII and whole', (name) => {
    const [, plain = '', whole = ''] =
      /^attachment; filename="([\x20-\x7e]*)"; filename\*=UTF-8''([\w%.!~-]+)$/.exec(of(name)) ?? []
    expect(plain).not.toMatch(/["\\%]/)
    expect(plain.length).toBeGreaterThan(0)
    expect(decodeURIComponent(whole)).toBe(name)
  })

  test.each([
    ['text/html', 'attachment'],
    ['image/svg+xml', 'attachment'],
    ['application/xml', 'attachment'],
    ['application/octet-stream', 'attachment'],
    ['image/png', 'inline'],
    ['video/mp4', 'inline'],
    ['text/plain', 'inline'],
    ['text/plainer', 'attachment'],
  ])('%s is %s', (mediaType, kind) => {
    expect(of('a', mediaType).split(';')[0]).toBe(kind)
  })
})
