import { gunzipSync, gzipSync } from 'node:zlib'
import * as fc from 'fast-check'
import { describe, expect, test } from 'vitest'
import { bundleFromArchive, bundleFromFiles, readBundle } from '../../../../src/core/tools/bundle.ts'
import { archive, contentOf, END, entry, MAIN, realTar } from './tars.ts'

const archiveFault = (message: string) => ({ ok: false, faults: [{ path: 'bytes_base64', message }] })
const NOT_GZIPPED_TAR = 'is not a gzipped tar: it is damaged, cut off or packs something else'

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
    const bytes = Uint8Array.from({ length: 70_000 }, (_, index) => (index * 7) % 256)
    const result = await bundleFromArchive(realTar({ 'work/a.bin': bytes }, 'work'))
    if (!result.ok) throw new Error('refused')
    const files = await readBundle(result.bundle.tar)
    expect(files).toEqual([{ path: 'a.bin', bytes, executable: false }])
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
        'holds "work/main.py/x", which is below the file "main.py"',
        'holds "work/main.py/y/z", which is below the file "main.py"',
        'holds "work/main.py", which is a file too',
        'holds "work/a\\\\b", which has a backslash or a control character in its path',
        'holds "work", which names no file',
      ].map((message) => ({ path: 'bytes_base64', message })),
    })
  })

  test('of a real tar with a link is refused', async () => {
    const packed = realTar({ 'work/data.txt': '-> /etc/passwd' }, 'work')
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
      Array.from({ length: 30 }, () => entry({ name: 'x', type: 'x', body: '1'.repeat(1024 * 1024) })),
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

test('a damaged archive is refused or read, and never throws', async () => {
  const tar = Buffer.concat([
    entry({ name: 'work/a.py', body: MAIN }),
    entry({ name: 'work/b/', type: '5' }),
    END,
  ])
  const damage = fc.array(fc.tuple(fc.nat(tar.length - 1), fc.nat(255)), { minLength: 1, maxLength: 4 })
  await fc.assert(
    fc.asyncProperty(damage, fc.boolean(), async (changes, isBelowGzip) => {
      const bytes = isBelowGzip ? Buffer.from(tar) : gzipSync(tar)
      for (const [at, byte] of changes) bytes[at % bytes.length] = byte
      const result = await bundleFromArchive((isBelowGzip ? gzipSync(bytes) : bytes).toString('base64'))
      expect(result.ok ? result.bundle.files.length : result.faults.length).toBeGreaterThan(0)
    }),
    { numRuns: 200 },
  )
})
