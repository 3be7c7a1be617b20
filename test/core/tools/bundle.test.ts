import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { describe, expect, test } from 'vitest'
import { bundleFromFiles, textFiles } from '../../../src/core/tools/bundle.ts'
import { contentOf, MAIN } from './bundle/tars.ts'

describe('files', () => {
  test('are packed in one order, with folders, modes and sizes', async () => {
    const result = await bundleFromFiles({
      './run.sh': '#!/bin/sh\n',
      'lib/é.py': 'N = 2\n',
      '/work/main.py': MAIN,
      e: '',
    })
    expect(await contentOf(result)).toEqual({
      e: '',
      'lib/é.py': 'N = 2\n',
      'main.py': MAIN,
      'run.sh*': '#!/bin/sh\n',
    })
    expect(result.ok && result.bundle.files).toEqual([
      { path: 'e', size: 0 },
      { path: 'lib/é.py', size: 6 },
      { path: 'main.py', size: 44 },
      { path: 'run.sh', size: 10 },
    ])
  })

  test('give the hash of their tar, which their order and spelling do not change', async () => {
    const one = await bundleFromFiles({ 'a.py': '1', 'b.py': '2' })
    const two = await bundleFromFiles({ '/work/b.py': '2', './a.py': '1' })
    const other = await bundleFromFiles({ 'a.py': '2', 'b.py': '1' })
    if (!one.ok || !other.ok) throw new Error('refused')
    expect(two).toEqual(one)
    expect(one.bundle.hash).toBe('65b6c412372388893af40d19700b7d30d6a2a4908c62b4347fbc2138e71f9cf3')
    expect(other.bundle.hash).toBe(createHash('sha256').update(other.bundle.tar).digest('hex'))
    expect(other.bundle.hash).not.toBe(one.bundle.hash)
  })

  test('unpack with the tar of a machine', async () => {
    const long = `${'pkg_with_a_long_name/'.repeat(14)}${'x'.repeat(120)}.py`
    const result = await bundleFromFiles({ [long]: 'N = 2\n', 'main.py': MAIN })
    if (!result.ok) throw new Error('refused')
    const listing = execFileSync('tar', ['-tvf', '-', '--full-time'], {
      input: result.bundle.tar,
      encoding: 'utf8',
      env: { ...process.env, TZ: 'UTC' },
    })
    expect(
      listing
        .trim()
        .split('\n')
        .map((line) => line.replaceAll(/ +/g, ' ')),
    ).toEqual([
      `-rw-r--r-- 0/0 44 1970-01-01 00:00:00 work/main.py`,
      `-rw-r--r-- 0/0 6 1970-01-01 00:00:00 work/${long}`,
    ])
  })

  test.each([
    ['', 'names no file'],
    ['./', 'is the path of a folder'],
    ['lib/', 'is the path of a folder'],
    ['.', 'names no file'],
    ['/work', 'names no file'],
    ['../main.py', 'has ".." in its path'],
    ['lib/../../main.py', 'has ".." in its path'],
    ['/etc/passwd', 'is not under /work'],
    ['/workshop/main.py', 'is not under /work'],
    ['lib\\main.py', 'has a backslash or a control character in its path'],
    ['main.py\0.txt', 'has a backslash or a control character in its path'],
    ['\ud83e.py', 'has a path that is not UTF-8'],
    ['x'.repeat(256), 'has a path that is too long: at most 1000 bytes are allowed'],
    ['é/'.repeat(340), 'has a path that is too long: at most 1000 bytes are allowed'],
  ])('refuse the path %.40j', async (name, message) => {
    const result = await bundleFromFiles({ [name]: 'x', 'main.py': MAIN })
    expect(result).toEqual({ ok: false, faults: [{ path: expect.stringMatching(/^files/), message }] })
  })

  test('report every fault at once', async () => {
    const files = {
      'a.py': '1',
      './a.py': '2',
      'a.py/b.py': '3',
      'c/d/e.py': '4',
      c: '5',
      n: 7,
      half: '\ud83e',
      '../x': '6',
    }
    expect(await bundleFromFiles(files)).toEqual({
      ok: false,
      faults: [
        { path: 'files["./a.py"]', message: 'is there twice' },
        { path: 'files["a.py/b.py"]', message: 'is below the file "a.py"' },
        { path: 'files.c', message: 'is a folder too' },
        { path: 'files.n', message: 'must be the text of a file' },
        { path: 'files.half', message: 'holds half of a character (a lone surrogate)' },
        { path: 'files["../x"]', message: 'has ".." in its path' },
      ],
    })
  })

  test('are refused when there is none, too many, or too much', async () => {
    const many = Object.fromEntries(Array.from({ length: 2_001 }, (_, index) => [`f${index}`, '']))
    const half = 'x'.repeat(10 * 1024 * 1024)
    expect([
      await bundleFromFiles({}),
      await bundleFromFiles(many),
      await bundleFromFiles({ a: half, b: half, c: 'x' }),
      (await bundleFromFiles({ a: half, b: half })).ok,
    ]).toEqual([
      { ok: false, faults: [{ path: 'files', message: 'holds no file' }] },
      { ok: false, faults: [{ path: 'files', message: 'has 2001 files; at most 2000 are allowed' }] },
      { ok: false, faults: [{ path: 'files', message: 'holds more than 20 MB' }] },
      true,
    ])
  })
})

test('text files are shown as text while there is room, others with the reason', () => {
  const file = (path: string, bytes: Uint8Array | string) => ({
    path,
    bytes: typeof bytes === 'string' ? new TextEncoder().encode(bytes) : bytes,
    executable: false,
  })
  const files = [
    file('a.py', 'é1'),
    file('b.bin', Uint8Array.of(0xff, 0xfe)),
    file('c', 'a\0b'),
    file('d', '1234'),
    file('e', 'xy'),
    file('f', ''),
  ]
  expect(textFiles(files, 5)).toEqual([
    { path: 'a.py', size: 3, text: 'é1' },
    { path: 'b.bin', size: 2, omitted: 'not_text' },
    { path: 'c', size: 3, omitted: 'not_text' },
    { path: 'd', size: 4, omitted: 'too_long' },
    { path: 'e', size: 2, text: 'xy' },
    { path: 'f', size: 0, text: '' },
  ])
})
