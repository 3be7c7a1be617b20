import { afterAll, beforeAll, expect, inject, test } from 'vitest'
import { MODEL } from '../core/tools/descriptor/patch.ts'
import type { App } from '../support/clients.ts'
import { change, usingKey } from '../support/connections.ts'
import { fakeModelServer } from '../support/fake-models.ts'
import { makeAccount, newKey, toolOf, type Account } from '../support/suite.ts'
import { ECHO } from '../support/tools.ts'
import { json, Upstream } from '../support/upstream.ts'

type Tool = { descriptor: Record<string, unknown> & { id: string }; files?: Record<string, string> }

const schemaOf = (properties: Record<string, unknown>) => ({
  type: 'object',
  properties,
  required: Object.keys(properties),
})

const sample = (input: Record<string, unknown>, output_selector: string, contains: string) => ({
  verify: [{ kind: 'sample-run', input, output_selector, contains }],
})

const KEYED = usingKey('', 'walk.key')

/** A tool of each sort that the other suites save, under the id `tool:kind-<name>`, with a job of its own. */
const toolsOf = (identity: string, url: string): Record<string, Tool> => ({
  python: { ...ECHO, descriptor: { ...ECHO.descriptor, job: 'Give a walrus its words back' } },
  node: toolOf(
    '',
    { 'main.mjs': 'console.log(process.argv[2].toUpperCase())' },
    {
      job: 'Shout at a pelican',
      input_schema: schemaOf({ text: { type: 'string' } }),
      invoke: { kind: 'container', argv: ['node', 'main.mjs', { from: 'text' }], stdout: 'text' },
      ...sample({ text: 'quiet' }, '$', 'QUIET'),
    },
  ),
  file: toolOf(
    '',
    { 'main.py': 'import json, sys\nprint(json.dumps({"text": open(sys.argv[1]).read()}))' },
    {
      job: 'Read a scroll aloud to a badger',
      input_schema: schemaOf({ scroll: { type: 'string', format: 'namespace-file' } }),
      invoke: { kind: 'container', argv: ['python3', 'main.py', { from: 'scroll' }], stdout: 'json' },
      ...sample({ scroll: identity }, '$.text', 'old words'),
    },
  ),
  output: toolOf(
    '',
    { 'main.py': 'open("made.txt", "w").write("made")\nprint("{}")' },
    {
      job: 'Carve a totem for a beaver',
      invoke: {
        kind: 'container',
        argv: ['python3', 'main.py'],
        stdout: 'json',
        outputs: [{ name: 'totem', path: '/work/made.txt', keep_in: 'files', media_type: 'text/plain' }],
      },
    },
  ),
  long: toolOf(
    '',
    { 'main.py': 'import sys\nprint(len(sys.stdin.read()))' },
    { job: 'Weigh the speech of an ibex', ...sample({ text: 'x'.repeat(2_000) }, '$', '2') },
  ),
  address: {
    descriptor: {
      id: '',
      job: 'Ask the lighthouse for a lantern',
      input_schema: schemaOf({ lamp: { type: 'string' } }),
      output_schema: true,
      invoke: { kind: 'http', url, query: { lamp: '{lamp}' } },
      placements: ['placement:public-web-address'],
      licence_class: 'licence:maker-own',
      ...sample({ lamp: 'green' }, '$', 'green'),
    },
  },
  model: {
    descriptor: {
      id: '',
      job: 'Retell a saga to a puffin',
      input_schema: schemaOf({ text: { type: 'string' } }),
      output_schema: { type: 'string' },
      ...MODEL,
      ...sample({ text: 'Rain fell.' }, '$', 'Rain'),
    },
  },
  connected: { ...KEYED, descriptor: { ...KEYED.descriptor, job: 'Unlock the gate for a marten' } },
  paid: toolOf('', { 'main.py': 'print("{}")' }, { job: 'Sell a pebble to a quokka' }),
  failing: toolOf('', { 'main.py': 'raise SystemExit(3)' }, { job: 'Drop the eggs of a lapwing' }),
})

let maker: { account: Account; app: App }
let stranger: App
let tools: Record<string, Tool>
const servers: Upstream[] = []

beforeAll(async () => {
  const account = await makeAccount('kinds')
  maker = { account, app: await account.app() }
  stranger = await (await makeAccount('kinds-other')).app()
  const [at] = inject('upstreams')
  servers.push(await Upstream.listen(at, { '*': (response, asked) => json(response, asked) }))
  servers.push(await fakeModelServer(inject('modelsAt')))
  const written = await maker.app.call('write_file', { path: 'scroll.txt', text: 'old words' })
  await change(account, 'walk.key', 'sk-a-key-of-this-walk-0123456789')
  const price = { method: 'PUT', headers: { authorization: `Bearer ${account.token}` } }
  const body = JSON.stringify({ amount: 5, currency: 'EUR', per: 'run' })
  await fetch(`${inject('workshop').url}/v1/prices/pebble`, { ...price, body })
  tools = toolsOf(written.answer.identity, servers[0]?.url('/lantern') ?? '')
  for (const [name, { descriptor, files }] of Object.entries(tools)) {
    const id = `tool:kind-${name}`
    const saved = await maker.app.call('save_tool', { descriptor: { ...descriptor, id }, files })
    expect(saved.answer.sample_check, saved.text).toMatchObject({ passed: name !== 'failing' })
    if (name === 'failing') continue
    const price_ref = name === 'paid' ? `price:${account.handle}/pebble` : undefined
    const published = await maker.app.call('publish_tool', { tool_id: id, price_ref })
    expect(published.answer, published.text).toMatchObject({ state: 'published' })
  }
}, 120_000)

afterAll(async () => {
  for (const server of servers) await server.close()
})

interface Candidate {
  tool_id: string
  made_by: string
  sample_state: string
  needs_connections: { connected: boolean }[]
  price?: object
  next_call: { tool: string; arguments: object }
}

/** All that a caller is offered of this maker when each tool is looked for by its job and by its id. */
async function walk(app: App, isMaker: boolean): Promise<Candidate[]> {
  const offered = new Map<string, Candidate>()
  for (const [name, { descriptor }] of Object.entries(tools)) {
    if (!isMaker && name === 'failing') continue
    const id = isMaker ? `tool:kind-${name}` : `tool:${maker.account.handle}/kind-${name}`
    // Without a label of its own the slug stands for it.
    for (const job of [descriptor.job, id, `kind-${name}`]) {
      const { answer } = await app.call('find_tool_for_job', { job, limit: 10 })
      const candidates: Candidate[] = answer.candidates
      expect(candidates.map(({ tool_id }) => tool_id)).toContain(id)
      for (const candidate of candidates)
        if (candidate.made_by === maker.account.handle) offered.set(candidate.tool_id, candidate)
    }
  }
  return [...offered.values()]
}

/** What becomes of a candidate when its call is sent as it is offered. */
async function outcome(app: App, { next_call: { tool, arguments: args } }: Candidate): Promise<string> {
  const more = tool === 'run_tool' ? { request_key: newKey(), wait_seconds: 50 } : {}
  const { answer } = await app.call(tool, { ...args, ...more })
  if (answer.contract) expect(answer.contract).toMatchObject({ passed: true })
  return answer.state ?? answer.error?.code ?? 'described'
}

/** What a candidate promises: that its call runs, or what is lacking. */
function promised({ needs_connections, price, sample_state, next_call }: Candidate, isMaker: boolean) {
  if (next_call.tool !== 'run_tool') return 'described'
  if (needs_connections.some(({ connected }) => !connected)) return 'connection_missing'
  if (price && !isMaker) return 'payment_required'
  return sample_state === 'failed' ? 'failed' : 'completed'
}

test.each([
  ['its maker', true, { completed: 8, described: 1, failed: 1 }],
  ['everybody else', false, { completed: 5, described: 2, connection_missing: 1, payment_required: 1 }],
])('whatever %s is offered runs as it is offered, or says what is lacking', async (_, isMaker, expected) => {
  const app = isMaker ? maker.app : stranger
  const counts: Record<string, number> = {}
  for (const candidate of await walk(app, isMaker)) {
    const promise = promised(candidate, isMaker)
    expect(await outcome(app, candidate), candidate.tool_id).toBe(promise)
    counts[promise] = (counts[promise] ?? 0) + 1
  }
  expect(counts).toEqual(expected)
})
