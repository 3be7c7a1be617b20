import { packTar } from 'modern-tar'
import type { TarEntry } from 'modern-tar'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Runner, sha256 } from './runner.ts'

let runner: Runner
beforeAll(async () => (runner = await Runner.start({ RUNNER_BUNDLE_MB: '3' })))
afterAll(() => runner.stop())

const file = (name: string, body = 'x'): TarEntry => ({
  header: { name, size: Buffer.byteLength(body) },
  body,
})

describe('what a bundle may hold', () => {
  test('files and folders below work/, also written ./work/, unpacked with their modes', async () => {
    const hash = await runner.putTar(
      await packTar([
        { header: { name: './', type: 'directory', size: 0 } },
        { header: { name: './work/', type: 'directory', size: 0 } },
        { header: { name: './work/empty/', type: 'directory', size: 0 } },
        file('./work/deep/er/ünï.txt', 'text'),
        { header: { name: 'work/run.sh', size: 18, mode: 0o755 }, body: '#!/bin/sh\necho ran' },
        file(`work/${'long/'.repeat(40)}name`, 'far'),
      ]),
    )
    const argv = [
      'sh',
      '-c',
      'ls -d empty; cat deep/er/ünï.txt; ./run.sh; cat $(find long -name name); touch deep/er/mine',
    ]
    expect(await runner.run({ argv, bundle: hash })).toMatchObject({
      exit_code: 0,
      stdout: 'empty\ntextran\nfar',
      stderr: '',
    })
  })

  test.each<[string, TarEntry[]]>([
    ['a path outside', [file('etc/passwd')]],
    ['a path that climbs', [file('work/../etc/passwd')]],
    ['an absolute path', [file('/work/x')]],
    ['a symbolic link', [{ header: { name: 'work/link', size: 0, type: 'symlink', linkname: '/etc' } }]],
    ['a hard link', [{ header: { name: 'work/link', size: 0, type: 'link', linkname: 'work/x' } }]],
    ['a device', [{ header: { name: 'work/null', size: 0, type: 'character-device' } }]],
    ['a file in place of the folder', [file('work')]],
    ['a file below a file', [file('work/a'), file('work/a/b')]],
    ['too many entries', Array.from({ length: 2001 }, (_, index) => file(`work/${index}`))],
  ])('%s is refused', async (_name, entries) => {
    const tar = await packTar(entries)
    const { status, body } = await runner.call('PUT', `/bundles/${sha256(tar)}`, tar)
    expect([status, body.error?.code]).toEqual([422, 'bad_bundle'])
    const job = runner.request({ bundle: sha256(tar) })
    expect((await runner.call('POST', '/jobs', job)).status).toBe(409)
  })

  test('what is no tar is refused', async () => {
    const body = Buffer.alloc(4096, 'garbage')
    expect((await runner.call('PUT', `/bundles/${sha256(body)}`, body)).status).toBe(422)
  })

  test('a body with another hash is refused', async () => {
    const { status, body } = await runner.call(
      'PUT',
      `/bundles/${'0'.repeat(64)}`,
      await packTar([file('work/x')]),
    )
    expect([status, body.error?.code]).toEqual([422, 'wrong_hash'])
  })

  test('a body that is too large is refused before it is all here', async () => {
    const { status } = await runner
      .call('PUT', `/bundles/${'0'.repeat(64)}`, new Uint8Array(40 << 20))
      .catch(() => ({ status: 413 }))
    expect(status).toBe(413)
  })
})

test('the bundle used longest ago makes room', async () => {
  const put = async (name: string) => runner.putFiles({ 'x.txt': name.repeat(1_200_000) })
  const [first, second] = [await put('a'), await put('b')]
  await runner.run({ bundle: first })
  await put('c')
  expect((await runner.run({ bundle: first })).exit_code).toBe(0)
  expect((await runner.call('POST', '/jobs', runner.request({ bundle: second }))).body.error?.code).toBe(
    'bundle_missing',
  )
})
