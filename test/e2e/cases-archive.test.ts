import { gzipSync } from 'node:zlib'
import { beforeAll, expect, test } from 'vitest'
import { expectRefusal, openBench, type Bench } from '../cases/case.ts'
import { archive, realTar, type TarEntry } from '../core/tools/bundle/tars.ts'
import { toolOf } from '../support/suite.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('case-archive')
})

const MAIN = "import json\nprint(json.dumps({'words': 2}))\n"
const main: TarEntry = { name: 'work/main.py', body: MAIN }

function saveArchive(id: string, bytes_base64: string) {
  const { descriptor } = toolOf(id, { 'main.py': '' })
  return bench.app.call('save_tool', { descriptor, bytes_base64 })
}

async function expectNothingStored(id: string): Promise<void> {
  const { answer } = await bench.app.call('describe_tool', { tool_id: id })
  expect(answer.error.code).toBe('unknown_tool')
}

test('an entry that climbs out is refused by its name, and nothing is stored (windmill-labs/windmill#7992)', async () => {
  const climbing = 'work/../../opt/runner/main.js'
  const refused = await saveArchive('tool:climbs', archive(main, { name: climbing, body: 'x' }))
  expectRefusal(refused, 'invalid_descriptor', ['bytes_base64'])
  expect(refused.answer.error.message).toContain(climbing)
  await expectNothingStored('tool:climbs')
})

test('files of the service are refused, every one, with the only place there is (judge0/judge0 GHSA-h9g2-45c8-89cf)', async () => {
  const names = ['usr/local/bin/python3', 'opt/runner/server.js', 'etc/ld.so.preload']
  const foreign = names.map((name) => ({ name, body: '#!/bin/sh\necho 2\n', mode: 0o755 }))
  const refused = await saveArchive('tool:overwrites', archive(...foreign, main))
  expectRefusal(
    refused,
    'invalid_descriptor',
    names.map(() => 'bytes_base64'),
  )
  const messages: string[] = refused.answer.error.problems.map(({ message }: { message: string }) => message)
  for (const name of names) expect(messages).toContainEqual(expect.stringContaining(name))
  for (const message of messages) expect(message).toContain('not under /work')
  await expectNothingStored('tool:overwrites')
})

test.each(['gnu', 'pax', 'ustar'])(
  'a name of 120 characters in a %s tar keeps it (mafintosh/tar-stream#35)',
  async (format) => {
    const folder = `work/${'a-long-name/'.repeat(10)}`
    const script = `import json, sys\nsys.path.insert(0, '/${folder}')\nimport mod\nprint(json.dumps({'words': mod.N}))\n`
    const tar = realTar(
      { [`${folder}mod.py`]: 'N = 2\n', 'work/main.py': script },
      `--format=${format}`,
      'work',
    )
    const { answer } = await saveArchive(`tool:long-${format}`, tar)
    expect(answer.sample_check).toMatchObject({ passed: true, state: 'completed', output: { words: 2 } })
  },
)

test("a Mac's sidecar files take the place of nothing (libarchive/libarchive#2636)", async () => {
  const sidecar = { name: 'work/._main.py', body: '\0\u0005\u0016\u0007Mac OS X        sidecar' }
  for (const [id, entries] of [
    ['tool:mac-before', [sidecar, main]],
    ['tool:mac-after', [main, sidecar]],
  ] as const) {
    const { answer } = await saveArchive(id, archive(...entries))
    expect(answer.sample_check).toMatchObject({ passed: true, output: { words: 2 } })
    const told = await bench.app.call('describe_tool', { tool_id: id })
    expect(told.answer.files).toContainEqual(expect.objectContaining({ path: 'main.py', text: MAIN }))
  }
})

test.each([
  ['a zip', 'UEsDBAoAAAAAAA=='],
  ['plain text', Buffer.from('not an archive').toString('base64')],
  ['a gzip that is cut off', 'H4sIAAAAAAAA/w=='],
  ['a gzip of text', gzipSync('not a tar').toString('base64')],
  ['no base64', '*** not base64 ***'],
  ['nothing', ''],
])('%s is refused as no gzipped tar (splitbrain/php-archive#18)', async (_, bytes) => {
  const refused = await saveArchive('tool:no-archive', bytes)
  expectRefusal(refused, 'invalid_descriptor', ['bytes_base64'])
  expect(refused.answer.error.message).toContain('gzipped tar')
  await expectNothingStored('tool:no-archive')
})
