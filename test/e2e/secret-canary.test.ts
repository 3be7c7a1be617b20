import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, expect, test } from 'vitest'
import { APPS, type App } from '../support/clients.ts'
import { freePort } from '../support/ports.ts'
import { toolOf } from '../support/tools.ts'
import { json, Upstream } from '../support/upstream.ts'
import { startWorkshop, type Workshop } from '../support/workshop.ts'

/** Has what every encoding changes; allowed in a header. */
const CANARY = 'canary+/"0123%456789 <abc>&def='
const PASSWORD = 'canary-of-json-0123456789'

let data: string
let workshop: Workshop
let upstream: Upstream
let app: App
let printed = ''
const answers: string[] = []
let keys = 0

beforeAll(async () => {
  data = mkdtempSync(join(tmpdir(), 'workshop-canary-'))
  const at = `127.0.0.1:${await freePort()}`
  upstream = await Upstream.listen(at, {
    '/echo': (response, { url, headers }) => json(response, { url, headers, key: headers['x-key'] }),
    '/fails': (response, { url, headers }) =>
      json(response, { error: `no ${String(headers['x-key'])} ${url}` }, 500),
    '/away': (response, { url }) =>
      response.writeHead(302, { location: `/echo${url.replace('/away', '')}` }).end(),
  })
  workshop = await startWorkshop({ data, env: { TEST_HTTP_ALLOW: at } })
  for (const stream of [workshop.child.stdout, workshop.child.stderr]) {
    stream?.on('data', (piece: string) => (printed += piece))
  }
  app = await APPS['v2 stateless'](workshop.mcpUrl, workshop.local.token)
  for (const [name, value] of [
    ['canary', CANARY],
    ['db', { user: 'u1', password: PASSWORD }],
  ] as const) {
    const response = await fetch(`${workshop.url}/v1/connections/${name}`, {
      method: 'PUT',
      headers: { authorization: `Bearer ${workshop.local.token}` },
      body: JSON.stringify({ value }),
    })
    answers.push(await response.text())
    expect(response.status).toBe(200)
  }
})

afterAll(async () => {
  await upstream.close()
  await workshop.stop()
  rmSync(data, { recursive: true, force: true })
})

async function call(name: string, args: Record<string, unknown>) {
  const result = await app.call(name, args)
  answers.push(result.text, JSON.stringify(result.answer))
  return result.answer
}

const run = (tool_id: string, more: Record<string, unknown> = {}) => {
  keys += 1
  return call('run_tool', { tool_id, request_key: `canary-${keys}`, ...more })
}

/** Gives the canary back in every way that a script has, as its input says. */
const SCRIPT = `import base64, json, os, sys, urllib.parse
how = json.load(sys.stdin).get("how", "plain")
key, db = os.environ["CANARY"], json.loads(os.environ["DB"])
forms = {
  "plain": key, "json": json.dumps(key), "twice": json.dumps(json.dumps(key)),
  "quoted": urllib.parse.quote(key, safe=""), "form": urllib.parse.quote_plus(key),
  "lower": urllib.parse.quote(key, safe="").lower(),
  "base64": [base64.b64encode(("x" * i + key + "tail").encode()).decode() for i in range(3)],
  "urlsafe": [base64.urlsafe_b64encode(("x" * i + key).encode()).decode() for i in range(3)],
  "hex": key.encode().hex(), "unicode": "".join("\\\\u%04x" % ord(c) for c in key),
  "password": db["password"], "db": os.environ["DB"],
}
if how == "file":
    with open("/work/out.txt", "w") as file: file.write("before " + key + " after")
if how == "clean":
    with open("/work/out.txt", "w") as file: file.write("nothing to see")
print(json.dumps(forms), file=sys.stderr)
if how == "exit":
    print("key is " + key); print("failed with " + key, file=sys.stderr); sys.exit(3)
if how == "raise":
    raise ValueError(key)
if how == "broken":
    print("{" + key); sys.exit(0)
if how == "escaped":
    print('{"a": "' + forms["unicode"] + '", "' + forms["unicode"] + '": 1}'); sys.exit(0)
print(json.dumps(forms))
`

const ENV = { CANARY: { secret_name: 'canary' }, DB: { secret_name: 'db' } }
const container = (id: string, given: Record<string, unknown> = {}) =>
  toolOf(
    id,
    { 'main.py': SCRIPT },
    {
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdin: 'json',
        stdout: 'json',
        env: ENV,
        ...given,
      },
    },
  )
const http = (id: string, path: string) => ({
  descriptor: {
    ...toolOf(id, {}).descriptor,
    invoke: {
      kind: 'http',
      url: upstream.url(path),
      method: 'GET',
      headers: { 'x-key': { secret_name: 'canary', prefix: 'Key ' } },
      query: { key: { secret_name: 'canary' }, password: { secret_name: 'db' } },
    },
    placements: ['placement:public-web-address'],
  },
})

test('no path out of a run gives a connection away', async () => {
  await call('save_tool', container('tool:leaks'))
  for (const how of ['plain', 'exit', 'raise', 'broken', 'escaped'])
    await run('tool:leaks', { input: { how } })

  await call(
    'save_tool',
    container('tool:leaks-file', {
      outputs: [{ name: 'out', path: '/work/out.txt', media_type: 'text/plain' }],
    }),
  )
  expect(await run('tool:leaks-file', { input: { how: 'file' } })).toMatchObject({
    state: 'failed',
    end_reason: 'output_invalid',
    error: { message: expect.stringContaining('holds the value of a connection') },
  })
  expect(await run('tool:leaks-file', { input: { how: 'clean' } })).toMatchObject({ state: 'completed' })

  const echoed = await call('save_tool', http('tool:echoes', '/echo'))
  expect(echoed.sample_check.output.key).toBe('Key [connection canary]')
  await call('save_tool', http('tool:fails', '/fails'))
  expect(await run('tool:fails')).toMatchObject({ state: 'failed', end_reason: 'http_failed' })
  await call('save_tool', http('tool:away', '/away'))
  expect(await run('tool:away')).toMatchObject({ state: 'completed' })
  // The upstream, at least, was given the value.
  expect(upstream.asked[0]?.headers['x-key']).toBe(`Key ${CANARY}`)

  const leaked = await run('tool:leaks')
  expect(leaked.output).toMatchObject({ plain: '[connection canary]', password: '[connection db]' })
  const chained = await run('tool:leaks', { input: { how: 'plain', from: { from_task: leaked.task_id } } })
  expect(chained.state).toBe('completed')
  const later = await run('tool:leaks', { run_at: new Date(Date.now() + 1_000).toISOString() })
  await expect
    .poll(async () => (await call('read_task', { task_id: later.task_id, wait_seconds: 1 })).state, {
      timeout: 30_000,
    })
    .toBe('completed')

  await call('find_tool_for_job', { job: 'tool:leaks' })
  await call('describe_tool', { tool_id: 'tool:leaks' })
  await call('describe_tool', { tool_id: 'tool:echoes' })
  await call('list_tasks', { limit: 100 })
  await call('list_connections', {})
  await call('list_files', {})
  const activity = await fetch(`${workshop.url}/v1/activity`, {
    headers: { authorization: `Bearer ${workshop.local.token}` },
  })
  answers.push(await activity.text())

  await workshop.stop()
  const said = Buffer.from([...answers, printed].join('\n'))
  expect(leaksIn(said)).toEqual([])
  const files = readdirSync(data, { recursive: true, withFileTypes: true }).filter((entry) => entry.isFile())
  const found = files.flatMap((entry) => {
    const path = join(entry.parentPath, entry.name)
    return leaksIn(readFileSync(path)).map((how) => `${path}: ${how}`)
  })
  expect(found).toEqual([])
  expect(files.some(({ name }) => name.endsWith('.sqlite'))).toBe(true)
})

/** How a canary stands in some bytes; the search must find what it looks for. */
function leaksIn(bytes: Buffer): string[] {
  return NEEDLES.filter(([, text]) => bytes.includes(text)).map(([how]) => how)
}

const NEEDLES: [string, string][] = [CANARY, PASSWORD].flatMap((value): [string, string][] => {
  const bytes = Buffer.from(value)
  const within = (before: number): string =>
    Buffer.concat([Buffer.alloc(before), bytes])
      .toString('base64')
      .slice(Math.ceil((before * 8) / 6), Math.floor(((before + bytes.length) * 8) / 6))
  return [
    ['plain', value],
    ['json', JSON.stringify(value).slice(1, -1)],
    ['json in json', JSON.stringify(JSON.stringify(value)).slice(3, -3)],
    ['percent', encodeURIComponent(value)],
    ['percent, lower case', encodeURIComponent(value).toLowerCase()],
    ['form', new URLSearchParams({ v: value }).toString().slice(2)],
    ['hex', bytes.toString('hex')],
    ...[0, 1, 2].flatMap((before): [string, string][] => [
      [`base64 +${before}`, within(before)],
      [`base64url +${before}`, within(before).replaceAll('+', '-').replaceAll('/', '_')],
    ]),
  ]
})

test('the search would find them', () => {
  for (const [how, text] of NEEDLES) expect(leaksIn(Buffer.from(`a ${text} b`))).toContain(how)
})
