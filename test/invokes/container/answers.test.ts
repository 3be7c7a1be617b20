import { describe, expect, test } from 'vitest'
import type { JobEnd, JobRequest } from '../../../containers/runner/wire.ts'
import { containerInvoke } from '../../../src/invokes/container/index.ts'
import type { Handle, Job } from '../../../src/invokes/invoke.ts'
import { hostOf } from '../contract.ts'
import { descriptorOf } from './place.ts'

type Reply = [status: number, body: unknown]

const BOOT = 'boot-1'
const CODE = 'c'.repeat(64)
const ENDED: JobEnd = {
  outcome: 'exited',
  exit_code: 0,
  signal: null,
  stdout: 'hey\n',
  stdout_bytes: 4,
  stdout_sha256: '',
  stdout_utf8: true,
  stderr: '',
  stderr_bytes: 0,
  took_ms: 5,
  message: null,
}
const HEALTH: Reply = [200, { ok: true, boot: BOOT }]
const DONE: Reply = [200, { id: 'task_1', boot: BOOT, state: 'ended', end: ENDED }]
const refused = (status: number, message: string, boot = BOOT): Reply => [
  status,
  { error: { code: 'x', message }, boot },
]
const NO_CONTENT: Reply = [204, null]
const BAD_GATEWAY: Reply = [502, '<h1>Bad gateway</h1>']

/** An invoke to which the network answers in the order of a script; an `Error` cuts the connection. */
function scripted(...replies: (Reply | Error)[]) {
  const asked: { call: string; body: unknown }[] = []
  const invoke = containerInvoke({
    async fetch(_, path, init = {}) {
      const body = typeof init.body === 'string' ? JSON.parse(init.body) : init.body && 'stream'
      asked.push({ call: `${init.method ?? 'GET'} ${path}`, body })
      const reply = replies.shift()
      if (!reply || reply instanceof Error) throw reply ?? new Error('nobody expected this call')
      const [status, content] = reply
      const text = typeof content === 'object' && content ? JSON.stringify(content) : content
      return new Response(text as string | null, { status })
    },
  })
  return { invoke, asked }
}

const JOB: Job = {
  id: 'task_1',
  accountId: 'account_1',
  handle: null,
  codeHash: CODE,
  descriptor: descriptorOf(
    { argv: ['python3', 'main.py', { from: 'n' }, { from: 'absent' }], stdin: 'json', env: { A: 'b' } },
    { limits: { seconds: 7, memory_mb: 128 } },
  ),
  input: { n: 1.5 },
}
const HANDLE: Handle = {
  boot: BOOT,
  accountId: 'account_1',
  id: 'task_1',
  seconds: 7,
  memory_mb: 128,
  stdout: 'text',
}
const host = () =>
  hostOf({ code: async () => ({ size: 1, body: new Blob(['x']).stream() }) }, { sliceMs: 500 })

describe('start', () => {
  test('sends the whole job, and its code first where the machine has none', async () => {
    const missing = refused(409, 'PUT the bundle')
    const { invoke, asked } = scripted(HEALTH, missing, NO_CONTENT, DONE)
    const lent = host()
    const step = await invoke.start(JOB, lent)
    expect(step).toMatchObject({ kind: 'ended', end: { reason: 'done', raw: { stdout: 'hey\n' } } })
    expect(lent.handles).toEqual([HANDLE])
    expect(asked.map(({ call }) => call)).toEqual([
      'GET /health',
      'POST /jobs?wait_ms=500',
      `PUT /bundles/${CODE}`,
      'POST /jobs?wait_ms=500',
    ])
    expect(asked[1]?.body).toEqual(asked[3]?.body)
    expect(asked[1]?.body).toEqual({
      id: 'task_1',
      account: 'account_1',
      boot: BOOT,
      argv: ['python3', 'main.py', '1.5'],
      stdin: '{"n":1.5}',
      env: { A: 'b' },
      bundle: CODE,
      inputs: [],
      outputs: [],
      limits: {
        wall_ms: 7_000,
        memory_mb: 128,
        disk_mb: 1_024,
        processes: 64,
        stdout_bytes: 1_048_576,
        stderr_bytes: 65_536,
      },
    } satisfies JobRequest)
  })

  test.each<[string, (Reply | Error)[], string]>([
    ['a machine that is busy', [HEALTH, refused(503, 'There is no room')], 'There is no room'],
    ['another secret', [[200, { ok: true }]], 'secret'],
    ['a machine that cannot be started', [[500, 'Failed to start container']], '500'],
    ['no machine', [new Error('connect ECONNREFUSED')], 'ECONNREFUSED'],
    [
      'code that the machine refuses',
      [HEALTH, refused(409, 'PUT the bundle'), refused(413, 'too large')],
      'the code could not be sent',
    ],
  ])('%s: nothing was started, with the reason', async (_, replies, words) => {
    const step = await scripted(...replies).invoke.start(JOB, host())
    expect(step).toEqual({ kind: 'not_started', message: expect.stringContaining(words) })
  })

  test('code that is gone is named', async () => {
    const { invoke } = scripted(HEALTH, refused(409, 'PUT the bundle'))
    const lent = hostOf({ code: () => Promise.reject(new Error(`the code ${CODE} is gone`)) })
    expect(await invoke.start(JOB, lent)).toEqual({
      kind: 'not_started',
      message: expect.stringContaining(`the code ${CODE} is gone`),
    })
  })

  test.each<[string, Reply | Error]>([
    ['a cut connection', new Error('socket hang up')],
    ['a status of something in between', BAD_GATEWAY],
    ['a refusal that no runner worded', [503, { error: { message: 'try later' } }]],
    ['half an answer', [200, '{"id":"task_1","boo']],
  ])('%s after the job was sent says nothing: it may have begun', async (_, reply) => {
    const step = await scripted(HEALTH, reply).invoke.start(JOB, host())
    expect(step).toEqual({ kind: 'silent', message: expect.stringMatching(/\S/) })
  })

  test('with an earlier handle it asks that boot alone', async () => {
    const { invoke, asked } = scripted(DONE)
    await invoke.start({ ...JOB, handle: HANDLE }, host())
    expect(asked).toMatchObject([{ call: 'POST /jobs?wait_ms=500', body: { boot: BOOT } }])
  })
})

describe('poll', () => {
  test.each<[string, Reply | Error, object]>([
    ['the job unknown in its boot', refused(404, 'No such job'), { kind: 'not_started' }],
    [
      'another boot',
      refused(404, 'No such job', 'boot-2'),
      { kind: 'ended', end: { reason: 'machine_lost', isRetryable: true } },
    ],
    [
      'a result dropped',
      refused(410, 'dropped'),
      { kind: 'ended', end: { reason: 'result_lost', isRetryable: true } },
    ],
    ['not found by something in between', [404, 'not found'], { kind: 'silent' }],
    ['a bad gateway', BAD_GATEWAY, { kind: 'silent' }],
    ['a cut connection', new Error('socket hang up'), { kind: 'silent' }],
    ['a refused secret', refused(401, 'The secret is wrong'), { kind: 'silent' }],
  ])('%s', async (_, reply, step) => {
    expect(await scripted(reply).invoke.poll(HANDLE, host())).toMatchObject(step)
  })
})

describe('stop', () => {
  test.each<[string, Reply]>([
    ['ended', DONE],
    ['never there', refused(404, 'No such job')],
    ['ended long ago', refused(410, 'dropped')],
  ])('of a job that is %s is done', async (_, reply) => {
    const { invoke, asked } = scripted(reply)
    await invoke.stop(HANDLE, host())
    expect(asked.map(({ call }) => call)).toEqual(['DELETE /jobs/task_1'])
  })

  test.each<[string, Reply | Error]>([
    ['a bad gateway', BAD_GATEWAY],
    ['a wrong secret', refused(401, 'The secret is wrong')],
    ['a cut connection', new Error('socket hang up')],
  ])('that met %s rejects, so that it can be asked for again', async (_, reply) => {
    await expect(scripted(reply).invoke.stop(HANDLE, host())).rejects.toThrow(/\S/)
  })
})
