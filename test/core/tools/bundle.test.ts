import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gunzipSync, gzipSync } from 'node:zlib'
import { afterAll, describe, expect, test } from 'vitest'
import {
  bundleFromArchive,
  bundleFromFiles,
  readBundle,
  textFiles,
  type BundleResult,
} from '../../../src/core/tools/bundle.ts'

const ROOT = mkdtempSync(join(tmpdir(), 'bundle-'))
afterAll(() => rmSync(ROOT, { recursive: true }))

const MAIN = "import json\nprint(json.dumps({'words': 2}))\n"

function textOf(bytes: Uint8Array): string {
  return new TextDecoder().decode(bytes)
}

async function contentOf(result: BundleResult): Promise<Record<string, string>> {
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  const files = await readBundle(result.bundle.tar)
  return Object.fromEntries(
    files.map(({ path, bytes, executable }) => [`${path}${executable ? '*' : ''}`, textOf(bytes)]),
  )
}

interface TarEntry {
  name: string
  body?: string
  type?: string
  mode?: number
  size?: number
  link?: string
}

/** A tar header and its body, byte by byte, so that a test can lie in it. */
function entry({ name, body = '', type = '0', mode = 0o644, size, link = '' }: TarEntry): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write(`0000000\x000000000\0`, 108)
  header.write(`${(size ?? Buffer.byteLength(body)).toString(8).padStart(11, '0')}\0`, 124)
  header.write(`00000000000\0        ${type}`, 136)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const padding = Buffer.alloc(-Buffer.byteLength(body) & 511)
  return Buffer.concat([header, Buffer.from(body), padding])
}

const END = Buffer.alloc(1024)

function archive(...entries: TarEntry[]): string {
  return gzipSync(Buffer.concat([...entries.map(entry), END])).toString('base64')
}

/** Packs files with the tar of this machine. */
function realTar(files: Record<string, string>, ...flags: string[]): string {
  const folder = mkdtempSync(join(ROOT, 'tar-'))
  for (const [path, text] of Object.entries(files)) {
    mkdirSync(dirname(join(folder, path)), { recursive: true })
    writeFileSync(join(folder, path), text, { mode: path.endsWith('.sh') ? 0o700 : 0o600 })
  }
  return execFileSync('tar', ['-cz', '-C', folder, ...flags], { encoding: 'base64' })
}

const archiveFault = (message: string) => ({ ok: false, faults: [{ path: 'bytes_base64', message }] })
const NOT_GZIPPED_TAR = 'is not a gzipped tar: it is damaged, cut off or packs something else'

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
      env: { TZ: 'UTC' },
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
        { path: 'files["a.py/b.py"]', message: 'is in "a.py", which is a file' },
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

describe('an archive', () => {
  const LONG = `work/${'pkg_with_a_long_name/'.repeat(6)}mod.py`
  const FILES = { 'work/main.py': MAIN, 'work/run.sh': 'true\n', [LONG]: 'N = 2\n', 'work/é ü.txt': '🧪' }
  const CONTENT = { 'main.py': MAIN, 'run.sh*': 'true\n', [LONG.slice(5)]: 'N = 2\n', 'é ü.txt': '🧪' }

  test.each([
    ['GNU', ['--format=gnu', 'work']],
    ['pax', ['--format=posix', 'work']],
    ['ustar', ['--format=ustar', 'work']],
    ['the folder .', ['--format=gnu', '.']],
    ['the folder ./work', ['--format=gnu', './work']],
    ['absolute names', ['--format=gnu', '-P', '--transform', 's,^work,/work,', 'work']],
  ])('of a real tar is read: %s', async (_name, flags) => {
    expect(await contentOf(await bundleFromArchive(realTar(FILES, ...flags)))).toEqual(CONTENT)
  })

  test('of the same files has the same hash as the files', async () => {
    const texts = { 'main.py': MAIN, 'lib/a.py': 'N = 2\n' }
    const packed = realTar({ 'work/main.py': MAIN, 'work/lib/a.py': 'N = 2\n' }, '--format=posix', 'work')
    expect(await bundleFromArchive(packed)).toEqual(await bundleFromFiles(texts))
  })

  test('keeps the sidecars of a Mac apart from the files that they are named after', async () => {
    const sidecar = '\0\x05\x16\x07Mac OS X        sidecar'
    const packed = archive({ name: 'work/._main.py', body: sidecar }, { name: 'work/main.py', body: MAIN })
    expect(await contentOf(await bundleFromArchive(packed))).toEqual({
      '._main.py': sidecar,
      'main.py': MAIN,
    })
  })

  test('keeps bytes that are not text', async () => {
    const packed = realTar({ 'work/a.bin': '' }, 'work')
    const folder = mkdtempSync(join(ROOT, 'raw-'))
    mkdirSync(join(folder, 'work'))
    const bytes = Buffer.from(Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256))
    writeFileSync(join(folder, 'work/a.bin'), bytes)
    const result = await bundleFromArchive(
      execFileSync('tar', ['-cz', '-C', folder, 'work'], { encoding: 'base64' }),
    )
    if (!result.ok) throw new Error('refused')
    const [file] = await readBundle(result.bundle.tar)
    expect(Buffer.from(file!.bytes).equals(bytes)).toBe(true)
    expect((await bundleFromArchive(packed)).ok).toBe(true)
  })

  test('has every entry named that may not be unpacked', async () => {
    const packed = archive(
      { name: 'work/main.py', body: MAIN },
      { name: 'work/../../opt/runner/main.js', body: 'x'.repeat(2_000) },
      { name: 'usr/local/bin/python3', body: '#!/bin/sh\n', mode: 0o755 },
      { name: '/etc/ld.so.preload', body: '/work/x.so\n' },
      { name: 'workshop/main.py', body: 'x' },
      { name: 'main.py', body: 'x' },
      { name: 'etc/', type: '5' },
      { name: 'work/passwd', type: '2', link: '/etc/passwd' },
      { name: 'work/hard', type: '1', link: 'work/main.py' },
      { name: 'work/tty', type: '3' },
      { name: 'work/sda', type: '4' },
      { name: 'work/pipe', type: '6' },
      { name: './work/main.py', body: 'again' },
      { name: 'work/main.py/x', body: 'x' },
      { name: 'work/main.py/y/z', body: 'x' },
      { name: 'work/main.py', type: '5' },
      { name: 'work/a\\b', body: 'x' },
      { name: 'work', body: 'x' },
    )
    expect(await bundleFromArchive(packed)).toEqual({
      ok: false,
      faults: [
        'holds "work/../../opt/runner/main.js", which has ".." in its path',
        'holds "usr/local/bin/python3", which is not under /work',
        'holds "/etc/ld.so.preload", which is not under /work',
        'holds "workshop/main.py", which is not under /work',
        'holds "main.py", which is not under /work',
        'holds "etc/", which is not under /work',
        'holds "work/passwd", which is a symlink, not a plain file',
        'holds "work/hard", which is a link, not a plain file',
        'holds "work/tty", which is a character device, not a plain file',
        'holds "work/sda", which is a block device, not a plain file',
        'holds "work/pipe", which is a fifo, not a plain file',
        'holds "./work/main.py", which is there twice',
        'holds "work/main.py/x", which is in "main.py", which is a file',
        'holds "work/main.py/y/z", which is below the file "main.py"',
        'holds "work/main.py", which is in "main.py", which is a file',
        'holds "work/a\\\\b", which has a backslash or a control character in its path',
        'holds "work", which names no file',
      ].map((message) => ({ path: 'bytes_base64', message })),
    })
  })

  test('of a real tar with a link is refused', async () => {
    const folder = mkdtempSync(join(ROOT, 'link-'))
    mkdirSync(join(folder, 'work'))
    symlinkSync('/etc/passwd', join(folder, 'work/data.txt'))
    const packed = execFileSync('tar', ['-cz', '-C', folder, 'work'], { encoding: 'base64' })
    expect(await bundleFromArchive(packed)).toEqual(
      archiveFault('holds "work/data.txt", which is a symlink, not a plain file'),
    )
  })

  const whole = Buffer.from(archive({ name: 'work/main.py', body: MAIN.repeat(50) }), 'base64')
  const tar = gunzipSync(whole)
  const asGzip = (bytes: Buffer) => gzipSync(bytes).toString('base64')

  test.each([
    ['empty', '', 'is not a gzipped tar: it is empty'],
    ['not base64', '*** not base64 ***', 'is not a gzipped tar: it is not base64'],
    ['a zip', 'UEsDBAoAAAAAAA==', 'is not a gzipped tar: it is a zip archive'],
    ['plain text', 'bm90IGFuIGFyY2hpdmU=', 'is not a gzipped tar: it does not begin as gzip does'],
    ['a bare tar', tar.toString('base64'), 'is not a gzipped tar: it is a tar that is not gzipped'],
    ['a gzip of nothing', asGzip(Buffer.alloc(0)), NOT_GZIPPED_TAR],
    ['a gzip of text', asGzip(Buffer.from('hello')), NOT_GZIPPED_TAR],
    ['a gzip of long text', asGzip(Buffer.alloc(5_000, 'hello ')), NOT_GZIPPED_TAR],
    ['a gzip head alone', 'H4sIAAAAAAAA/w==', NOT_GZIPPED_TAR],
    ['a cut gzip', whole.subarray(0, -20).toString('base64'), NOT_GZIPPED_TAR],
    [
      'a gzip with another check sum',
      Buffer.concat([whole.subarray(0, -8), Buffer.alloc(8)]).toString('base64'),
      NOT_GZIPPED_TAR,
    ],
    [
      'a gzip with something behind it',
      Buffer.concat([whole, Buffer.from('more')]).toString('base64'),
      NOT_GZIPPED_TAR,
    ],
    ['a tar cut in a file', asGzip(tar.subarray(0, 1_000)), NOT_GZIPPED_TAR],
    ['a tar cut after a file', asGzip(tar.subarray(0, -1_024)), NOT_GZIPPED_TAR],
    [
      'a tar with a changed header',
      asGzip(Buffer.concat([Buffer.from('X'), tar.subarray(1)])),
      NOT_GZIPPED_TAR,
    ],
    [
      'no file',
      archive({ name: './', type: '5' }, { name: './work/', type: '5' }),
      'is a gzipped tar without a file under work/',
    ],
    ['no entry', asGzip(END), 'is a gzipped tar without a file under work/'],
  ])('that is no archive is refused: %s', async (_name, base64, message) => {
    expect(await bundleFromArchive(base64)).toEqual(archiveFault(message))
  })

  test('is read only up to its limits', async () => {
    const twenty = 20 * 1024 * 1024
    const many = Array.from({ length: 2_001 }, (_, index) => ({ name: `work/${index}/`, type: '5' }))
    const zeros = gzipSync(
      Buffer.concat([entry({ name: 'work/a', body: 'x' }), Buffer.alloc(40 * 1024 * 1024)]),
    )
    const notes = Buffer.concat(
      Array.from({ length: 30 }, () => entry({ name: 'x', type: 'x', body: `${'1'.repeat(1024 * 1024)}` })),
    )
    expect([
      await bundleFromArchive(
        archive({ name: 'etc/x', body: 'x' }, { name: 'work/big', size: 8_589_934_591 }),
      ),
      await bundleFromArchive(
        archive({ name: 'work/a', body: 'x'.repeat(twenty) }, { name: 'work/b', body: 'x' }),
      ),
      await bundleFromArchive(archive(...many)),
      await bundleFromArchive(zeros.toString('base64')),
      await bundleFromArchive(gzipSync(notes).toString('base64')),
      (await bundleFromArchive(archive({ name: 'work/a', body: 'x'.repeat(twenty) }))).ok,
      (await bundleFromArchive(archive(...many.slice(2), { name: 'work/a' }))).ok,
    ]).toEqual([
      {
        ok: false,
        faults: [
          { path: 'bytes_base64', message: 'holds "etc/x", which is not under /work' },
          { path: 'bytes_base64', message: 'holds more than 20 MB' },
        ],
      },
      archiveFault('holds more than 20 MB'),
      archiveFault('holds more than 2000 entries'),
      archiveFault('holds more than 20 MB'),
      archiveFault('holds more than 20 MB'),
      true,
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
