import { describe, expect, test } from 'vitest'
import { hashOf, identityOf } from '../../../src/core/files/identity.ts'
import { baseName, mediaTypeOf, pathFault } from '../../../src/core/files/path.ts'

describe('a path', () => {
  test.each([
    'a',
    'clips/take 2.wav',
    '要求 — v2.txt',
    'ă à ạ ã.zip',
    '🧪.png',
    `it's "fine" $HOME.wav`,
    'new\nline.wav',
    '-clip %03d: take  2.wav',
    '..a/b..c/...',
    `${'x'.repeat(255)}/${'y'.repeat(255)}`,
  ])('%j is taken', (path) => {
    expect(pathFault(path)).toBeNull()
  })

  test.each([
    ['', 'is empty'],
    ['/a', 'begins or ends with "/" or holds "//"'],
    ['a/', 'begins or ends with "/" or holds "//"'],
    ['a//b', 'begins or ends with "/" or holds "//"'],
    ['..', 'holds the segment ".."'],
    ['a/../../etc/passwd', 'holds the segment ".."'],
    ['./a', 'holds the segment "."'],
    ['a\0b', 'holds a NUL character'],
    ['a\ud800', 'holds half of a character'],
    ['é'.repeat(128), 'has a segment longer than 255 bytes'],
    [`${'a/'.repeat(520)}b`, 'is longer than 1024 bytes'],
  ])('%j is refused', (path, fault) => {
    expect(pathFault(path)).toBe(fault)
  })

  test('has a last segment and a media type', () => {
    expect(baseName('a/b/c.MP4')).toBe('c.MP4')
    expect(mediaTypeOf('a/b/c.MP4')).toBe('video/mp4')
    expect(mediaTypeOf('a.b/c')).toBe('application/octet-stream')
    expect(mediaTypeOf('x.constructor')).toBe('application/octet-stream')
  })
})

test('an identity is 1f: and 64 lower hex digits, nothing else', () => {
  const hash = '0a'.repeat(32)
  expect(hashOf(identityOf(hash))).toBe(hash)
  for (const text of [hash, `1f:${hash}0`, `1F:${hash}`, `1f:${hash.toUpperCase()}`, `1f:${hash}\n`, '']) {
    expect(hashOf(text)).toBeNull()
  }
})
