import { randomUUID } from 'node:crypto'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { Runner, ask, processesWith, until } from './runner.ts'

let runner: Runner
beforeAll(async () => (runner = await Runner.start({ RUNNER_JOBS: '2', RUNNER_QUEUE: '2' })))
afterAll(() => runner.stop())

const sleep = (seconds: string) => ['sleep', seconds]

describe('who may ask', () => {
  test('a wrong or missing secret is refused everywhere but for the bare health', async () => {
    const asks = [
      ['POST', '/jobs'],
      ['GET', '/jobs/x'],
      ['DELETE', '/jobs/x'],
      ['PUT', `/bundles/${'0'.repeat(64)}`],
    ] as const
    for (const [method, path] of asks) {
      const body = method === 'GET' ? undefined : {}
      const refused = await ask(runner.url + path, { method, body, secret: 'wrong' })
      expect([path, refused.status, refused.body.error?.code]).toEqual([path, 401, 'unauthorized'])
    }
    expect(await ask(`${runner.url}/health`, { method: 'GET', secret: 'wrong' })).toEqual({
      status: 200,
      body: { ok: true },
    })
  })

  test('health says that the sandbox is sealed and how', async () => {
    const { body } = await runner.call('GET', '/health')
    expect(body).toMatchObject({ ok: true, boot: runner.boot, running: 0 })
    expect(body['sandbox']).toMatchObject({
      sealed: true,
      kind: 'bubblewrap',
      namespaces: true,
      user_ids: true,
      problems: [],
    })
  })
})

describe('POST /jobs', () => {
  test('with the boot of another start, nothing is started', async () => {
    const job = { ...runner.request({}), boot: 'earlier' }
    const { status, body } = await runner.call('POST', '/jobs', job)
    expect(status).toBe(412)
    expect(body).toMatchObject({ error: { code: 'other_boot' }, boot: runner.boot })
    expect((await runner.call('GET', `/jobs/${job.id}`)).status).toBe(404)
  })

  test('with a bundle that is not here, nothing is started, and it works once it is', async () => {
    const job = { ...runner.request({ argv: ['cat', 'once.txt'] }), bundle: 'f'.repeat(64) }
    expect((await runner.call('POST', '/jobs', job)).body.error?.code).toBe('bundle_missing')
    job.bundle = await runner.putFiles({ 'once.txt': 'here' })
    expect((await runner.call('POST', '/jobs?wait_ms=9000', job)).body).toMatchObject({
      end: { stdout: 'here' },
    })
  })

  test.each<[string, Record<string, unknown>]>([
    ['id', { id: 'a b' }],
    ['argv', { argv: [] }],
    ['argv[1]', { argv: ['echo', 'a\0b'] }],
    ['argv[1]', { argv: ['echo', 'x'.repeat(131_072)] }],
    ['argv[0]', { argv: [''] }],
    ['stdin', { stdin: 5 }],
    ['env', { env: { 'A=B': 'c' } }],
    ['env', { env: { A: 'b\0c' } }],
    ['bundle', { bundle: '../x' }],
    ['limits.wall_ms', { limits: { wall_ms: 0 } }],
    ['limits.processes', { limits: { processes: 1.5 } }],
  ])('a malformed %s is refused and named', async (field, wrong) => {
    const job = runner.request({})
    const { status, body } = await runner.call('POST', '/jobs', {
      ...job,
      ...wrong,
      limits: { ...job.limits, ...(wrong['limits'] as object | undefined) },
    })
    expect(status).toBe(400)
    expect(body.error?.message).toContain(field)
  })

  test('a path, a wait or a method that is not of the wire is refused', async () => {
    const statuses = ['/jobs/x?wait_ms=-1', '/jobs/x?wait_ms=1e3', '/elsewhere', '/jobs'].map(
      async (path) => (await runner.call('GET', path)).status,
    )
    expect(await Promise.all(statuses)).toEqual([400, 400, 404, 404])
  })

  test('a body that is no JSON is refused', async () => {
    expect((await runner.call('POST', '/jobs', Buffer.from('{'))).status).toBe(400)
  })

  test('fifty calls at once with one id start one run', async () => {
    const job = runner.request({ argv: ['sh', '-c', 'cat /proc/sys/kernel/random/uuid; sleep 0.2'] })
    const calls = Array.from({ length: 50 }, () => runner.call('POST', '/jobs?wait_ms=9000', job))
    const ends = (await Promise.all(calls)).map(({ body }) => JSON.stringify(body))
    expect(new Set(ends).size).toBe(1)
    expect(ends[0]).toContain('"exited"')
    expect(JSON.stringify((await runner.call('POST', '/jobs', job)).body)).toBe(ends[0])
  })

  test('beyond the places and the line the runner is busy, and takes more afterwards', async () => {
    const jobs = Array.from({ length: 4 }, () => runner.request({ argv: sleep('33.1') }))
    const states = await Promise.all(
      jobs.map(async (job) => (await runner.call('POST', '/jobs', job)).body['state']),
    )
    expect(states).toEqual(['preparing', 'preparing', 'preparing', 'preparing'])
    const refused = await runner.call('POST', '/jobs', runner.request({}))
    expect([refused.status, refused.body.error?.code]).toEqual([503, 'busy'])
    expect((await runner.call('GET', '/health')).body['running']).toBe(2)
    const stopped = await Promise.all(jobs.map((job) => runner.call('DELETE', `/jobs/${job.id}`)))
    for (const { body } of stopped) expect(body['state']).toBe('ended')
    expect((await runner.run({ argv: ['echo', 'again'] })).stdout).toBe('again\n')
  })
})

describe('GET /jobs', () => {
  test('waits for the end, and no longer than asked', async () => {
    const job = runner.request({ argv: ['sh', '-c', 'sleep 0.6; echo done'] })
    const early = await runner.call('POST', '/jobs?wait_ms=100', job)
    const state = expect.stringMatching(/^(preparing|running)$/)
    expect(early.body).toEqual({ id: job.id, boot: runner.boot, state })
    const start = performance.now()
    const late = await runner.call('GET', `/jobs/${job.id}?wait_ms=20000`)
    expect(late.body).toMatchObject({ state: 'ended', end: { stdout: 'done\n' } })
    expect(performance.now() - start).toBeLessThan(3000)
    expect((await runner.call('GET', `/jobs/${job.id}`)).body).toEqual(late.body)
  })

  test('an unknown job is unknown', async () => {
    expect((await runner.call('GET', `/jobs/${randomUUID()}`)).body.error?.code).toBe('unknown_job')
  })
})

describe('DELETE /jobs', () => {
  test('ends the whole tree before it answers, and is safe twice', async () => {
    const script =
      'trap "" TERM; for i in 1 2 3; do setsid sh -c "trap \\"\\" TERM; while :; do sleep 62.001; done" & done; echo up; wait'
    const job = runner.request({ argv: ['sh', '-c', script] })
    await runner.call('POST', '/jobs', job)
    expect(await until(() => processesWith('62.001').length >= 4, 5000)).toBe(true)
    const start = performance.now()
    const first = await runner.call('DELETE', `/jobs/${job.id}`)
    expect(performance.now() - start).toBeLessThan(3000)
    expect(processesWith('62.001')).toEqual([])
    expect(first.body).toMatchObject({ state: 'ended', end: { outcome: 'stopped', stdout: 'up\n' } })
    expect(await runner.call('DELETE', `/jobs/${job.id}`)).toEqual(first)
  })

  test('keeps a job that is still on its way from ever starting', async () => {
    const job = runner.request({ argv: ['sh', '-c', 'echo ran'] })
    const stopped = await runner.call('DELETE', `/jobs/${job.id}`)
    expect(stopped.body).toMatchObject({ state: 'ended', end: { outcome: 'not_started', stdout: '' } })
    expect((await runner.call('POST', '/jobs?wait_ms=9000', job)).body).toEqual(stopped.body)
  })

  test('leaves the end of a job that had ended', async () => {
    const job = runner.request({ argv: ['sh', '-c', 'exit 4'] })
    const posted = await runner.call('POST', '/jobs?wait_ms=9000', job)
    expect((await runner.call('DELETE', `/jobs/${job.id}`)).body).toEqual(posted.body)
  })
})

test('programs leave the processors to the runner', async () => {
  const { stdout } = await runner.run({ argv: ['sh', '-c', 'nice'] })
  expect(stdout).toBe('10\n')
})
