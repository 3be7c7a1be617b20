import { gzipSync } from 'node:zlib'
import { readFileSync } from 'node:fs'
import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import type { App } from '../support/clients.ts'
import { makeAccount, newKey } from '../support/suite.ts'
import { json, Upstream } from '../support/upstream.ts'

const JSON_TYPE = { 'content-type': 'application/json' }
/** 200 MB of blanks, packed into 200 KB. */
const BOMB = gzipSync(Buffer.alloc(200_000_000, ' '))

let app: App
let upstream: Upstream
let other: Upstream
let onSilent = () => {}
let hungUp = () => {}

beforeAll(async () => {
  app = await (await makeAccount('answers')).app()
  const [at, otherAt] = inject('upstreams')
  upstream = await Upstream.listen(at, {
    '/ok': (response) => json(response, { ok: true }),
    '/echo': (response, asked) => json(response, asked),
    '/packed': (response) =>
      response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(gzipSync('{"packed": true}')),
    '/geo': (response) =>
      response.writeHead(200, { 'content-type': 'application/geo+json; charset=utf-8' }).end('[1]'),
    '/none': (response) => response.writeHead(204).end(),
    '/null': (response) => json(response, null),
    '/refused': (response) => json(response, { error: 'no such division' }, 422),
    '/busy': (response) => response.writeHead(429, { 'retry-after': '60' }).end(),
    '/broken': (response) => response.writeHead(503, { 'content-type': 'text/html' }).end('<h1>no</h1>'),
    '/html': (response) => response.writeHead(200, { 'content-type': 'text/html' }).end('<h1>hello</h1>'),
    '/untyped': (response) => response.writeHead(200).end('{}'),
    '/lies': (response) => response.writeHead(200, JSON_TYPE).end('<h1>hello</h1>'),
    '/nan': (response) => response.writeHead(200, JSON_TYPE).end('{"a": [1, NaN]}'),
    '/big-number': (response) => response.writeHead(200, JSON_TYPE).end('{"id": 9007199254740993}'),
    '/latin': (response) => response.writeHead(200, JSON_TYPE).end(Buffer.from('"caf\u00e9"', 'latin1')),
    '/empty': (response) => response.writeHead(200, JSON_TYPE).end(),
    '/large': (response) => response.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(1_048_576)}"`),
    '/largest': (response) => response.writeHead(200, JSON_TYPE).end(`"${'x'.repeat(1_048_574)}"`),
    '/bomb': (response) => response.writeHead(200, { ...JSON_TYPE, 'content-encoding': 'gzip' }).end(BOMB),
    '/endless': (response) => {
      response.writeHead(200, JSON_TYPE)
      const more = () => {
        while (response.write(Buffer.alloc(65_536, ' ')));
      }
      response.on('drain', more)
      more()
    },
    '/breaks-off': (response) => {
      response.writeHead(200, { ...JSON_TYPE, 'content-length': 1_000 }).write('{"a":')
      setTimeout(() => response.destroy(), 50)
    },
    '/too-short': (response) => response.writeHead(200, { ...JSON_TYPE, 'content-length': 4 }).end('{"a"'),
    '/drips': (response) => {
      response.writeHead(200, JSON_TYPE)
      const drip = setInterval(() => response.write(' '), 100)
      response.on('close', () => clearInterval(drip))
    },
    '/silent': (response) => {
      onSilent()
      response.on('close', () => hungUp())
    },
    '/hangs-up': (response) => response.destroy(),
    '/huge-headers': (response) =>
      response.writeHead(200, { ...JSON_TYPE, 'x-a': 'b'.repeat(8_000_000) }).end('{}'),
    '/loop': (response) => response.writeHead(302, { location: '/loop' }).end(),
    '/hops-5': hop('/hops-4'),
    '/hops-4': hop('/hops-3'),
    '/hops-3': hop('/hops-2'),
    '/hops-2': hop('/hops-1'),
    '/hops-1': hop('/ok'),
    '/post-302': hop('/echo'),
    '/post-303': hop('/echo', 303),
    '/post-307': hop('/echo', 307),
    '/cross': hop(`https://${otherAt}/echo`, 307),
    '/private': hop('https://169.254.169.254/latest/meta-data/'),
    '/plain': hop(`http://${otherAt}/echo`),
    '/nowhere': hop('https://'),
    '/unfinished': (response) => response.writeHead(302).end(),
  })
  other = await Upstream.listen(otherAt, { '/echo': (response, asked) => json(response, asked) })
})

const hop =
  (location: string, status = 302) =>
  (response: Parameters<typeof json>[0]) =>
    response.writeHead(status, { location }).end()

afterAll(() => Promise.all([upstream.close(), other.close()]))

let saved = 0

/** Saves a tool that calls this path and gives the task of its sample. */
async function sampleOf(invoke: Record<string, unknown>, given: Record<string, unknown> = {}) {
  saved += 1
  const { answer, text } = await app.call('save_tool', {
    descriptor: {
      id: `tool:answers-${saved}`,
      job: 'Call a web address that answers in some way',
      output_schema: true,
      invoke: { kind: 'http', ...invoke },
      placements: ['placement:public-web-address'],
      licence_class: 'licence:maker-own',
      verify: [{ kind: 'sample-run', input: {}, output_selector: '$', contains: 'x' }],
      ...given,
    },
  })
  expect(answer.sample_check, text).toBeTruthy()
  const task = await app.call('read_task', { task_id: answer.sample_check.task_id, wait_seconds: 50 })
  return task.answer
}

const call = (path: string, given: Record<string, unknown> = {}) =>
  sampleOf({ url: upstream.url(path) }, given)

test.each([
  ['/ok', { ok: true }],
  ['/packed', { packed: true }],
  ['/geo', [1]],
  ['/none', null],
  ['/null', null],
  ['/hops-5', { ok: true }],
])('%s is done', async (path, output) => {
  expect(await call(path)).toMatchObject({ state: 'completed', end_reason: 'done', output })
})

test('an answer of just 1 MB is whole', async () => {
  const { state, output_file } = await call('/largest')
  expect([state, output_file.size]).toEqual(['completed', 1_048_576])
})

const type = 'application/json'

test.each([
  ['/refused', 'The address answered with status 422 (application/json, 28 bytes).'],
  ['/busy', 'The address answered with status 429 (no media type, 0 bytes).'],
  ['/broken', 'The address answered with status 503 (text/html, 11 bytes).'],
  ['/unfinished', 'The address answered with status 302 (no media type, 0 bytes).'],
  ['/html', 'The address answered with status 200, but not with JSON (text/html, 14 bytes).'],
  ['/untyped', 'The address answered with status 200, but not with JSON (no media type, 2 bytes).'],
  ['/large', `The answer (status 200, ${type}) is larger than 1048576 bytes; the rest was not read.`],
  ['/bomb', `The answer (status 200, ${type}) is larger than 1048576 bytes; the rest was not read.`],
  ['/endless', `The answer (status 200, ${type}) is larger than 1048576 bytes; the rest was not read.`],
  ['/breaks-off', `The answer (status 200, ${type}) broke off after 5 bytes.`],
  ['/hangs-up', 'The call failed: the connection was refused, or closed before an answer came.'],
  ['/loop', 'The redirect was refused: it redirected more than 5 times.'],
  [
    '/private',
    'The redirect was refused: it redirected to an address that may not be called: its host is a link-local address.',
  ],
  [
    '/plain',
    'The redirect was refused: it redirected to an address that may not be called: it is not https.',
  ],
  [
    '/nowhere',
    'The redirect was refused: it redirected to an address that may not be called: it is not a web address.',
  ],
])('%s fails in words of its own', async (path, message) => {
  const task = await call(path)
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'http_failed',
    error: { code: 'http_failed', message },
  })
})

test.each([
  [
    '/lies',
    'The answer is not strict JSON at $: is not JSON: "<h1>hello</h1>" at character 1 does not belong there.',
  ],
  ['/nan', 'The answer is not strict JSON at $.a[1]: is NaN, which JSON does not have.'],
  ['/big-number', expect.stringContaining('past ±9007199254740991')],
  ['/too-short', 'The answer is not strict JSON at $: is not JSON: it ends too early.'],
  ['/empty', 'The answer is not strict JSON at $: is not JSON: it ends too early.'],
  ['/latin', 'The answer is not UTF-8 text.'],
])('%s is no output', async (path, message) => {
  const task = await call(path)
  expect(task).toMatchObject({ state: 'failed', end_reason: 'output_invalid', error: { message } })
})

test.each([
  ['/silent', 'The address did not answer within 1 s.'],
  [
    '/drips',
    expect.stringMatching(
      /^The answer \(status 200, application\/json\) was not whole after 1 s: \d+ bytes had come\.$/,
    ),
  ],
])('%s runs into its time', async (path, message) => {
  const task = await call(path, { limits: { seconds: 1 } })
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'timed_out',
    error: { message, retryable: true },
  })
})

test('a call that is cancelled ends its connection', { timeout: 20_000 }, async () => {
  const { tool_id } = await sampleOf(
    { url: upstream.url('/{path}') },
    {
      input_schema: { type: 'object', properties: { path: { type: 'string' } } },
      verify: [{ kind: 'sample-run', input: { path: 'ok' }, output_selector: '$.ok', contains: 'true' }],
    },
  )
  const asked = new Promise<void>((done) => (onSilent = done))
  const ended = new Promise<void>((done) => (hungUp = done))
  const begun = { tool_id, input: { path: 'silent' }, request_key: newKey(), wait_seconds: 0 }
  const { answer } = await app.call('run_tool', begun)
  await asked
  const cancelled = await app.call('cancel_task', { task_id: answer.task_id })
  expect(cancelled.answer).toMatchObject({ state: 'failed', end_reason: 'cancelled' })
  await ended
})

test('what an address said of its refusal is kept', async () => {
  expect(await call('/refused')).toMatchObject({ stdout: '{"error":"no such division"}' })
})

test('headers of any size do no harm', async () => {
  expect(await call('/huge-headers')).toMatchObject({ ended_at: expect.any(String) })
  expect(await call('/ok')).toMatchObject({ state: 'completed' })
})

test.each([
  ['/post-302', 'GET', ''],
  ['/post-303', 'GET', ''],
  ['/post-307', 'POST', '{"a":1}'],
])('a body goes on to where it may: %s', async (path, method, body) => {
  const task = await sampleOf({ url: upstream.url(path), method: 'POST', body: { a: 1 } })
  expect(task.output).toMatchObject({ method, body })
  expect(task.output.headers['content-type']).toBe(body === '' ? undefined : type)
})

test('another origin gets no credentials', async () => {
  const headers = { Authorization: 'Basic {user}', Cookie: 'a={user}', 'X-Other': '{user}' }
  const given = {
    input_schema: { type: 'object', properties: { user: { type: 'string' } } },
    verify: [{ kind: 'sample-run', input: { user: 'u' }, output_selector: '$', contains: 'x' }],
  }
  const { output } = await sampleOf({ url: upstream.url('/cross'), method: 'POST', headers, body: {} }, given)
  expect(output).toMatchObject({ method: 'POST', body: '{}', headers: { 'x-other': 'u', host: other.at } })
  expect(output.headers).not.toHaveProperty('authorization')
  expect(output.headers).not.toHaveProperty('cookie')
  expect(upstream.asked.at(-1)?.headers).toMatchObject({ authorization: 'Basic u', cookie: 'a=u' })
})

test('a bomb and an endless answer leave memory flat', async () => {
  await call('/bomb')
  const before = workerMemory()
  for (let i = 0; i < 5; i += 1) await Promise.all(['/bomb', '/endless', '/large'].map((path) => call(path)))
  expect(workerMemory() - before).toBeLessThan(100 * 1024 * 1024)
})

/** Resident bytes of the Worker's process: a child of the started program. */
function workerMemory(): number {
  const { pid } = JSON.parse(readFileSync(`${inject('workshop').data}/local.json`, 'utf8'))
  const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').trim().split(' ')
  const sizes = children.map((child) => {
    const status = readFileSync(`/proc/${child}/status`, 'utf8')
    return status.startsWith('Name:\tworkerd') ? Number(/VmRSS:\s+(\d+)/.exec(status)?.[1]) * 1024 : 0
  })
  return Math.max(...sizes)
}
