import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import jsQr from 'jsqr'
import { PNG } from 'pngjs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { publishStarterSet } from '../../src/local/starter/publish.ts'
import { readTools } from '../../src/local/starter/set.ts'
import type { StarterCase } from '../cases/starter/case.ts'
import { PLAIN_WORDS } from '../cases/starter/plain-words.ts'
import { TABLES } from '../cases/starter/tables.ts'
import { TEXTS } from '../cases/starter/texts.ts'
import { TIMES_AND_UNITS } from '../cases/starter/times.ts'
import { APPS, type App } from '../support/clients.ts'
import { download, makeMedia, makePicture, upload } from '../support/clips.ts'
import { newKey } from '../support/suite.ts'
import { newAccount, newToken, startWorkshop, type Workshop } from '../support/workshop.ts'

/** The set as the first start of a folder publishes it, through the real sandbox. */
const data = mkdtempSync(join(tmpdir(), 'workshop-starter-'))
let workshop: Workshop
let app: App

/** Identities of what the tests put up, by path. */
const files: Record<string, string> = {}
const FILES: Record<string, () => Buffer> = {
  'table.csv': () => Buffer.from('name,age\nZoë,7\n😀,\n'),
  'latin1.csv': () => Buffer.from('name\n\xe9\n', 'latin1'),
  'no picture.png': () => Buffer.from('GIF89a but no picture at all'),
  'list.mp4': () => Buffer.from('#EXTM3U\n#EXTINF:1,\nfile:///etc/passwd\n'),
  'empty.mp4': () => Buffer.alloc(0),
  'clip: %03d.mp4': () => makeMedia('mp4', 3),
  '-tone.wav': () => makeMedia('wav', 2),
  'wide %03d.bmp': () => makePicture('bmp', 'color=c=red:size=64x16'),
  'clear.png': () => makePicture('png', 'color=c=black@0.0:size=8x8,format=rgba'),
}

beforeAll(async () => {
  // One account asks for all of it.
  workshop = await startWorkshop({ data, env: { WORKSHOP_STARTER: 'on', LIMIT_CALLS_A_MINUTE: '3000' } })
  await workshop.says(/^Starter set .*\n/m)
  const { token } = await newAccount(data, 'somebody')
  app = await APPS['v2 stateless'](workshop.mcpUrl, token)
  for (const [path, make] of Object.entries(FILES)) files[path] = (await upload(app, path, make())).identity
}, 120_000)

afterAll(async () => {
  await workshop?.stop()
  rmSync(data, { recursive: true, force: true })
})

async function run(slug: string, input: Record<string, unknown>) {
  const named = Object.entries(input).map(([name, value]) => {
    const isFile = ['file', 'image', 'video'].includes(name) && typeof value === 'string'
    return [name, isFile ? files[value] : value]
  })
  const call = {
    tool_id: `tool:workshop/${slug}`,
    input: Object.fromEntries(named),
    request_key: newKey(),
    wait_seconds: 50,
  }
  return (await app.call('run_tool', call)).answer
}

async function check(slug: string, { input, output, says }: StarterCase) {
  const task = await run(slug, input)
  if (output) {
    expect(task).toMatchObject({ state: 'completed', contract: { passed: true }, output })
    return
  }
  const why = typeof says === 'string' ? expect.stringContaining(says) : expect.stringMatching(says ?? '')
  expect(task).toMatchObject({ state: 'failed', end_reason: 'tool_failed', exit_code: 1, stderr: why })
  expect(task.stderr).not.toContain('Traceback')
}

test('the first start publishes the whole set and says so', async () => {
  const slugs = readTools().map(({ slug }) => slug)
  expect(workshop.text()).toMatch(new RegExp(`^Starter set .*: ${slugs.length} tools published$`, 'm'))
})

test('publishing again changes nothing', async () => {
  const { token } = await newToken(data, 'workshop')
  const again = await publishStarterSet({ mcpUrl: workshop.mcpUrl, token })
  expect(again).toEqual({ published: [], failed: [], unchanged: readTools().map(({ slug }) => slug) })
})

test('everybody finds them and reads how they are written', async () => {
  const { answer } = await app.call('find_tool_for_job', { job: 'make a QR code for a link' })
  expect(answer.candidates[0]).toMatchObject({ tool_id: 'tool:workshop/qr-code', made_by: 'workshop' })
  const described = await app.call('describe_tool', { tool_id: 'tool:workshop/qr-code' })
  const paths = described.answer.files.map(({ path }: { path: string }) => path)
  expect(paths.toSorted()).toEqual(['codewords.mjs', 'main.mjs', 'png.mjs', 'symbol.mjs'])
})

test('every tool is found by what it is for, and whatever is found runs as it is offered', async () => {
  const offered = new Map<string, { tool: string; arguments: Record<string, unknown> }>()
  for (const { slug, descriptor } of readTools()) {
    for (const job of [descriptor.job, descriptor.label, `tool:workshop/${slug}`]) {
      const { answer } = await app.call('find_tool_for_job', { job, limit: 10 })
      const ids = answer.candidates.map(({ tool_id }: { tool_id: string }) => tool_id)
      expect(ids, `${String(job)} finds ${slug}`).toContain(`tool:workshop/${slug}`)
      for (const { tool_id, next_call } of answer.candidates) offered.set(tool_id, next_call)
    }
  }
  for (const [toolId, { tool, arguments: args }] of offered) {
    const { answer } = await app.call(tool, tool === 'run_tool' ? { ...args, wait_seconds: 50 } : args)
    expect(answer, toolId).toMatchObject(tool === 'run_tool' ? { state: 'completed' } : { tool_id: toolId })
  }
  expect([...offered].filter(([, { tool }]) => tool === 'run_tool').length).toBeGreaterThan(12)
}, 120_000)

test.each(Object.entries(PLAIN_WORDS))(
  '%s is among the first two for how people say it',
  async (slug, jobs) => {
    for (const job of jobs) {
      const { answer } = await app.call('find_tool_for_job', { job })
      const ids = answer.candidates.map(({ tool_id }: { tool_id: string }) => tool_id)
      expect(ids.slice(0, 2), job).toContain(`tool:workshop/${slug}`)
      expect(answer.nothing_fits, job).toBe(false)
    }
  },
)

describe('texts, tables, times and numbers', () => {
  test.each(Object.entries({ ...TEXTS, ...TABLES, ...TIMES_AND_UNITS }))('%s', async (slug, cases) => {
    await Promise.all(cases.map((each) => check(slug, each)))
  })

  test('rows come back from CSV as they went in', async () => {
    const rows = [
      { a: '="x"', 'b "q"': ' two\nlines\r\n' },
      { a: '', 'b "q"': '007,;|\t' },
    ]
    const { task_id } = await run('json-to-csv', { rows })
    const csv = { from_task: task_id, output_selector: '$.csv' }
    expect((await run('csv-to-json', { csv, delimiter: 'comma' })).output.rows).toEqual(rows)
    const file = { from_task: task_id, output_selector: '$.files.table' }
    expect((await run('csv-to-json', { file, delimiter: 'comma' })).output.rows).toEqual(rows)
  })

  test('a whole diff holds both texts', async () => {
    const before = 'one\ntwo\nthree\nfour\n'
    const after = 'zero\none\n2\nthree'
    const { output } = await run('diff-texts', { before, after, context: 1000 })
    const lines: string[] = output.diff.split('\n').slice(3, -1)
    const side = (sign: string) => lines.filter((line) => line.startsWith(' ') || line.startsWith(sign))
    const text = (sign: string) =>
      side(sign)
        .map((line) => line.slice(1))
        .join('\n')
    expect([`${text('-')}\n`, text('+')]).toEqual([before, after])
    expect(output).toMatchObject({ lines_added: 3, lines_removed: 3 })
  })

  test('a pattern that never ends is ended', async () => {
    const task = await run('regex-extract', { text: `${'a'.repeat(60)}!`, pattern: '^(a+)+$' })
    expect(task).toMatchObject({ state: 'failed', end_reason: 'timed_out' })
  })
})

describe('pictures, sound and QR codes', () => {
  test.each([
    ['https://example.org/?q=1', {}],
    ['Grüße 😀 你好', { error_correction: 'H', scale: 3 }],
    ['A', { error_correction: 'L', border: 1 }],
    ['x'.repeat(2_953), { error_correction: 'L', scale: 2 }],
    ['0123456789'.repeat(60), { error_correction: 'Q', scale: 3 }],
  ])('a reader reads %s', async (text, more) => {
    const task = await run('qr-code', { text, ...more })
    const { width, height, data } = PNG.sync.read(await download(app, task.files.png.identity))
    expect([width, height]).toEqual([task.output.pixels, task.output.pixels])
    expect(jsQr(new Uint8ClampedArray(data), width, height)?.data).toBe(text)
  })

  test('what no code holds is refused', async () => {
    await check('qr-code', {
      input: { text: 'é'.repeat(1477), error_correction: 'L' },
      says: 'has 2954 bytes',
    })
    await check('qr-code', {
      input: { text: 'x'.repeat(1274), error_correction: 'H' },
      says: 'error_correction L',
    })
  })

  test.each(['png', 'jpeg', 'webp'])(
    'image-to-%s resizes, cuts, and refuses what is no picture',
    async (kind) => {
      const [wide, cut] = await Promise.all([
        run(`image-to-${kind}`, { image: 'wide %03d.bmp', width: 32 }),
        run(`image-to-${kind}`, { image: 'wide %03d.bmp', width: 20, height: 30, fit: 'cover' }),
        check(`image-to-${kind}`, { input: { image: 'clip: %03d.mp4' }, says: 'not a picture' }),
      ])
      expect(wide).toMatchObject({ state: 'completed', output: { width: 32, height: 8 } })
      expect(cut).toMatchObject({ state: 'completed', output: { width: 20, height: 30 } })
      const { output } = await run('media-info', {
        file: { from_task: wide.task_id, output_selector: '$.files.picture' },
      })
      expect(output.tracks[0]).toMatchObject({
        codec: kind === 'jpeg' ? 'mjpeg' : kind,
        width: 32,
        height: 8,
      })
    },
  )

  test('what is clear stays clear in PNG and becomes white in JPEG', async () => {
    const png = await run('image-to-png', { image: 'clear.png' })
    const { data } = PNG.sync.read(await download(app, png.files.picture.identity))
    expect(data[3]).toBe(0)
    const jpeg = await run('image-to-jpeg', { image: 'clear.png' })
    const back = { from_task: jpeg.task_id, output_selector: '$.files.picture' }
    const seen = await run('image-to-png', { image: back })
    const pixels = PNG.sync.read(await download(app, seen.files.picture.identity)).data
    expect([...pixels.subarray(0, 3)].every((level) => level > 250)).toBe(true)
  })

  const FILE_CASES: [string, StarterCase][] = [
    ['image-to-png', { input: { image: 'no picture.png' }, says: 'not a picture' }],
    ['image-to-png', { input: { image: 'empty.mp4' }, says: 'not a picture' }],
    ['image-to-png', { input: { image: 'table.csv' }, says: 'not a picture' }],
    ['media-info', { input: { file: 'clip: %03d.mp4' }, output: { seconds: 3 } }],
    ['media-info', { input: { file: '-tone.wav' }, output: { format: 'wav', seconds: 2, bytes: 176_478 } }],
    ['media-info', { input: { file: 'table.csv' }, says: 'not video, sound or a picture' }],
    ['media-info', { input: { file: 'empty.mp4' }, says: 'not video, sound or a picture' }],
    ['media-info', { input: { file: 'list.mp4' }, says: 'not video, sound or a picture' }],
    [
      'video-thumbnail',
      { input: { video: 'clip: %03d.mp4', width: 80 }, output: { at: 0.3, width: 80, height: 60 } },
    ],
    ['video-thumbnail', { input: { video: 'clip: %03d.mp4', at: 3.5 }, says: 'the video is 3 s long' }],
    ['video-thumbnail', { input: { video: '-tone.wav' }, says: 'has no pictures' }],
    ['extract-audio', { input: { file: 'clip: %03d.mp4' }, output: { sample_rate: 16_000, channels: 1 } }],
    [
      'extract-audio',
      {
        input: { file: '-tone.wav', start: 1.5, sample_rate: 48_000, channels: 2 },
        output: { seconds: 0.5 },
      },
    ],
    ['extract-audio', { input: { file: '-tone.wav', start: 2 }, says: 'it is 2 s long' }],
    ['extract-audio', { input: { file: 'clear.png' }, says: 'has no sound' }],
  ]
  test('files of all sorts, and what is said of them', async () => {
    await Promise.all(FILE_CASES.map(([slug, each]) => check(slug, each)))
  })
})
