import { beforeAll, describe, expect, test } from 'vitest'
import { download, identityOf, makeMedia, upload } from '../support/clips.ts'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey, toolOf } from '../support/suite.ts'

let app: App
beforeAll(async () => {
  app = await (await makeAccount('toolfiles')).app()
})

const FILE = { type: 'string', format: 'namespace-file' }
const schemaOf = (properties: Record<string, unknown>, required = Object.keys(properties)) => ({
  type: 'object',
  properties,
  required,
})

async function run(tool_id: string, input: Record<string, unknown>) {
  const { answer } = await app.call('run_tool', { tool_id, input, request_key: newKey(), wait_seconds: 50 })
  return answer
}

/** Saves a tool that needs no code of its own. */
const save = ({ descriptor }: ReturnType<typeof toolOf>) => app.call('save_tool', { descriptor })

/** Cuts a clip, with a picture and a sound track that speech can be read from. */
const CUT = (clip: string) =>
  toolOf(
    'tool:cut-clip',
    {
      'main.py': `import json, os, subprocess, sys
asked = json.load(sys.stdin)
clip = asked["clip"]
def ffmpeg(*words):
    subprocess.run(["ffmpeg", "-v", "error", "-i", clip, *words], check=True, stdin=subprocess.DEVNULL)
ffmpeg("-ss", "0", "-t", str(asked["seconds"]), "/work/-out.mp4")
os.mkdir("thumb")
ffmpeg("-frames:v", "1", "/work/thumb/first.png")
ffmpeg("-vn", "-ac", "1", "-ar", "16000", "/work/voice.wav")
print(json.dumps({"clip": clip}))
`,
    },
    {
      input_schema: schemaOf({ clip: FILE, seconds: { type: 'number' } }),
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdin: 'json',
        stdout: 'json',
        outputs: [
          { name: 'clip', path: '/work/-out.mp4', keep_in: 'files', media_type: 'video/mp4' },
          { name: 'thumb', path: '/work/thumb/first.png', keep_in: 'files', media_type: 'image/png' },
          { name: 'voice', path: '/work/voice.wav', keep_in: 'files', media_type: 'audio/wav' },
        ],
      },
      limits: { seconds: 60 },
      verify: [
        { kind: 'sample-run', input: { clip, seconds: 1 }, output_selector: '$.clip', contains: '/inputs/' },
      ],
    },
  )

const PROBE = (sound: string) =>
  toolOf(
    'tool:probe',
    {},
    {
      input_schema: schemaOf({ sound: FILE }),
      invoke: {
        kind: 'container',
        argv: [
          'ffprobe',
          '-v',
          'error',
          '-show_entries',
          'stream=sample_rate,channels:format=duration',
          { from: 'sound' },
        ],
        stdout: 'text',
      },
      verify: [{ kind: 'sample-run', input: { sound }, output_selector: '$', contains: 'duration' }],
    },
  )

test('a clip goes up, is cut with a picture and a sound track, and the next tool takes the sound', async () => {
  const media = makeMedia('mp4', 3)
  const clip = await upload(app, 'clips/three seconds.mp4', media)
  expect(clip).toMatchObject({ identity: identityOf(media), size: media.length, media_type: 'video/mp4' })

  const { answer: saved } = await app.call('save_tool', CUT(clip.identity))
  expect(saved.sample_check).toMatchObject({ passed: true })
  const task = await run('tool:cut-clip', { clip: clip.identity, seconds: 2 })
  expect(task).toMatchObject({
    state: 'completed',
    output: { clip: `/inputs/${clip.identity.slice(3)}/three seconds.mp4` },
    files: {
      clip: { path: `outputs/${task.task_id}/-out.mp4`, media_type: 'video/mp4' },
      thumb: { path: `outputs/${task.task_id}/thumb/first.png`, media_type: 'image/png' },
      voice: { path: `outputs/${task.task_id}/voice.wav`, media_type: 'audio/wav' },
    },
  })
  for (const file of Object.values<{ identity: string; size: number }>(task.files)) {
    const data = await download(app, file.identity)
    expect([identityOf(data), data.length]).toEqual([file.identity, file.size])
  }
  const { answer: listed } = await app.call('list_files', { folder: `outputs/${task.task_id}` })
  expect(listed.files).toHaveLength(3)

  expect((await save(PROBE(task.files.voice.identity))).answer.sample_check.passed).toBe(true)
  const probed = await run('tool:probe', {
    sound: { from_task: task.task_id, output_selector: '$.files.voice' },
  })
  expect(probed.state).toBe('completed')
  expect(probed.output).toMatch(/sample_rate=16000\nchannels=1/)
  const part = await app.call('read_task', { task_id: task.task_id, output_selector: '$.files.voice.size' })
  expect(part.answer.output).toBe(task.files.voice.size)
}, 120_000)

test.each([
  '-clip %03d: take  2.wav',
  'take:2.wav',
  `it's "fine" $HOME.wav`,
  'new\nline.wav',
  '要求 — 🧪.wav',
])(
  'a file called %j is what ffmpeg reads and hands on',
  async (name) => {
    const sound = await upload(app, `names/${name}`, makeMedia('wav', 1))
    const tool = toolOf(
      'tool:convert',
      {},
      {
        input_schema: schemaOf({ sound: FILE }),
        invoke: {
          kind: 'container',
          argv: ['ffmpeg', '-v', 'error', '-i', { from: 'sound' }, '-ar', '8000', '/work/-out.wav'],
          stdout: 'text',
          outputs: [{ name: 'low', path: '/work/-out.wav', media_type: 'audio/wav' }],
        },
        result_selector: '.files.low.identity',
        verify: [
          { kind: 'sample-run', input: { sound: sound.identity }, output_selector: '$', contains: '1f:' },
        ],
      },
    )
    const { answer } = await save(tool)
    expect(answer.sample_check).toMatchObject({ passed: true, state: 'completed' })
    const data = await download(app, answer.sample_check.output)
    expect(data.subarray(0, 4).toString()).toBe('RIFF')
  },
  60_000,
)

describe('what a tool is given', () => {
  test('is read-only, one argument a file, and the same path on stdin', async () => {
    const [one, two] = [
      await upload(app, 'one.txt', Buffer.from('1')),
      await upload(app, 'two.txt', Buffer.from('22')),
    ]
    const tool = toolOf(
      'tool:many',
      {
        'main.py': `import json, os, sys
asked = json.load(sys.stdin)
try:
    open(sys.argv[1], "a")
    wrote = True
except OSError:
    wrote = False
print(json.dumps({"argv": sys.argv[1:], "asked": asked["parts"], "wrote": wrote,
  "sizes": [os.path.getsize(path) for path in sys.argv[1:]], "seen": sorted(os.listdir("/inputs"))}))
`,
      },
      {
        input_schema: schemaOf({ parts: { type: 'array', items: FILE } }),
        invoke: {
          kind: 'container',
          argv: ['python3', 'main.py', { from: 'parts' }],
          stdin: 'json',
          stdout: 'json',
        },
        verify: [
          {
            kind: 'sample-run',
            input: { parts: [one.identity] },
            output_selector: '$.argv',
            contains: 'one.txt',
          },
        ],
      },
    )
    expect((await app.call('save_tool', tool)).answer.sample_check.passed).toBe(true)
    const { output } = await run('tool:many', { parts: [two.identity, one.identity, two.identity] })
    const paths = [two, one, two].map(({ identity, path }) => `/inputs/${identity.slice(3)}/${path}`)
    expect(output).toEqual({
      argv: paths,
      asked: paths,
      wrote: false,
      sizes: [2, 1, 2],
      seen: [one.identity.slice(3), two.identity.slice(3)].toSorted((a, b) => (a < b ? -1 : 1)),
    })
  })

  test('is refused before anything runs when it is no file of the account', async () => {
    const stranger = await (await makeAccount('stranger')).app()
    const theirs = await upload(stranger, 'theirs.txt', Buffer.from('theirs alone'))
    const refusals = []
    for (const identity of [
      theirs.identity,
      `1f:${'0'.repeat(64)}`,
      `1f:${'A'.repeat(64)}`,
      'one.txt',
      '../x',
    ]) {
      const answer = await run('tool:many', { parts: [identity] })
      expect(answer.error).toMatchObject({ code: 'invalid_input', field: 'input.parts[0]' })
      refusals.push(answer.error.message)
    }
    expect(refusals[0]).toBe(refusals[1])
    const tool = PROBE(theirs.identity)
    const { answer } = await save(tool)
    expect(answer.error).toMatchObject({ field: 'descriptor.verify[0].input.sound' })
    await stranger.close()
  })
})
