import { globSync } from 'node:fs'
import { DatabaseSync } from 'node:sqlite'
import { expect, inject, test } from 'vitest'
import { sampleOf } from '../../src/core/tasks/work/settle.ts'
import type { Descriptor } from '../../src/core/tools/descriptor/descriptor.ts'
import type { App, CallResult } from '../support/clients.ts'
import { accountOf, makeAccount, newKey } from '../support/suite.ts'
import { ECHO } from '../support/tools.ts'
import { newToken } from '../support/workshop.ts'

/** Runs after all other suites (`support/last.ts`) and walks over whatever tools they left on the shared start. */
const { data } = inject('workshop')

/** A tool, and one who may use it. */
interface Visible {
  id: string
  isOwn: boolean
  app: App
  descriptor: Descriptor
  /** What a run of it is: of tools that are the same in this, one is run. */
  making: string
}

type Row = Record<'handle' | 'slug' | 'descriptor' | 'making', string>

/** The catalogue's own rows: what a search must find cannot be asked of the search. */
function readCatalogue(isVersion: string): Row[] {
  const [path = ''] = globSync(`${data}/state/d1/*/!(metadata).sqlite`)
  const database = new DatabaseSync(path, { readOnly: true })
  const query = `select handle, slug, descriptor, concat(descriptor ->> '$.invoke', code_hash) as making
    from tool t join account a on a.id = t.account_id join tool_version v on v.tool_id = t.id and ${isVersion}
    where t.deleted_at is null`
  const rows = database.prepare(query).all() as unknown as Row[]
  database.close()
  return rows
}

async function ownTools(): Promise<Visible[]> {
  const rows = Object.groupBy(readCatalogue('v.number = t.last_version'), ({ handle }) => handle)
  const tools: Visible[] = []
  for (const [handle, own = []] of Object.entries(rows)) {
    const { token } = await newToken(data, handle)
    const app = await accountOf(handle, token).app()
    for (const { slug, descriptor, making } of own)
      tools.push({ id: `tool:${slug}`, isOwn: true, app, descriptor: JSON.parse(descriptor), making })
  }
  return tools
}

async function publishedTools(): Promise<Visible[]> {
  const app = await (await makeAccount('passer-by')).app()
  return readCatalogue('v.id = t.published_version_id').map(({ handle, slug, descriptor, making }) => ({
    id: `tool:${handle}/${slug}`,
    isOwn: false,
    app,
    descriptor: JSON.parse(descriptor),
    making,
  }))
}

interface Candidate {
  sample_state: string
  needs_connections: { connected: boolean }[]
  price?: object
  next_call: { tool: string; arguments: object }
}

async function find({ app, id }: Visible): Promise<Candidate> {
  const { answer, text } = await app.call('find_tool_for_job', { job: id, limit: 1 })
  const [first] = answer.candidates ?? []
  expect(first, `${id}: ${text}`).toMatchObject({ tool_id: id, next_call: { arguments: { tool_id: id } } })
  return first
}

/** Made to do for a few seconds what its sample says, and then no longer. */
const CHANGES = 'tool:once'

/** What a candidate's call must come to, by what is told beforehand. */
function promised(tool: Visible, { needs_connections, price, sample_state, next_call }: Candidate): string {
  if (next_call.tool !== 'run_tool' && !tool.isOwn) return 'described'
  if (needs_connections.some(({ connected }) => !connected)) return 'connection_missing'
  if (price && !tool.isOwn) return 'payment_required'
  // Suites have closed the servers that other kinds call: such a run fails, but it is one.
  const isAlone = tool.descriptor.invoke.kind === 'container'
  return sample_state === 'passed' && isAlone && tool.id !== CHANGES ? 'completed' : 'run'
}

/** Sends the call as it is offered; a maker who is told to read first runs the sample then. */
async function outcome({ app, id, isOwn, descriptor }: Visible, { next_call }: Candidate): Promise<string> {
  let { tool, arguments: args } = next_call
  if (tool !== 'run_tool') {
    const { answer } = await app.call(tool, { ...args })
    expect(answer).toMatchObject({ tool_id: id })
    if (!isOwn) return 'described'
    args = { tool_id: id, input: sampleOf(descriptor)?.input }
  }
  const { answer } = await app.call('run_tool', { ...args, request_key: newKey(), wait_seconds: 20 })
  if (answer.phase === 'running') await app.call('cancel_task', { task_id: answer.task_id })
  return cameTo(answer)
}

/** Ends that are not a run's own. */
const NOT_RUN = ['never_started', 'input_unavailable', 'cancelled', 'expired', 'machine_lost', 'result_lost']

function cameTo(answer: CallResult['answer']): string {
  if (answer.state === 'completed') return 'completed'
  const isRun = answer.state === 'failed' ? !NOT_RUN.includes(answer.end_reason) : answer.phase === 'running'
  return isRun ? 'run' : (answer.error?.code ?? JSON.stringify(answer))
}

/** Finds each tool, a few at a time, and calls one of each making; says what went otherwise than promised. */
async function walk(tools: Visible[]): Promise<string[]> {
  const called = new Set<string>()
  const odd: string[] = []
  const rest = tools.values()
  const lane = async () => {
    for (const tool of rest) {
      const candidate = await find(tool)
      if (called.has(tool.making)) continue
      called.add(tool.making)
      const promise = promised(tool, candidate)
      const came = await outcome(tool, candidate)
      const isKept = came === promise || (promise === 'run' && came === 'completed')
      if (!isKept) odd.push(`${tool.id}: ${promise} was promised, it came to ${came}`)
    }
  }
  await Promise.all([lane(), lane(), lane(), lane()])
  return odd
}

test('whoever made a tool finds it by its id, and its call runs', async () => {
  // Alone, without the other suites, there is this one.
  await (await (await makeAccount('walker')).app()).call('save_tool', ECHO)
  expect(await walk(await ownTools())).toEqual([])
}, 120_000)

test('a stranger finds what is published, and its call runs or says what is lacking', async () => {
  expect(await walk(await publishedTools())).toEqual([])
}, 120_000)
