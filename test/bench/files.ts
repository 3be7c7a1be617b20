/**
 * What a large file costs: `node test/bench/files.ts` sends one up, of a length that is said and of one that is not,
 * takes it down again and puts it through a tool, all by the program of `npm start`; it prints one line of JSON.
 * `worker_mb` is the most that the Worker's own isolate held, which is what a deployment limits to 128 MB; `process_mb` is the most that its process
 * held, the simulator of local storage and all. FILE_MB (1024) is the size.
 */
import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { freePort } from '../support/ports.ts'
import { toolOf } from '../support/tools.ts'
import { startWorkshop } from '../support/workshop.ts'
import { inspectWorker, type Inspector } from './inspector.ts'
import { McpAddress } from './mcp.ts'

const MB = 2 ** 20
const SIZE = Number(process.env['FILE_MB'] ?? 1024) * MB
const PIECE = 4 * MB

/** Pieces of a body, no two the same, hashed as they go. */
function* pieces(digest: Hash): Generator<Buffer> {
  const piece = Buffer.alloc(PIECE, 'some bytes of a large file ')
  for (let sent = 0; sent < SIZE; sent += PIECE) {
    piece.writeDoubleLE(sent, 0)
    const copy = Buffer.from(piece)
    digest.update(copy)
    yield copy
  }
}

async function send(url: string, isSaid: boolean): Promise<{ sent: string; told: string }> {
  const digest = createHash('sha256')
  const answer = await new Promise<string>((done, fail) => {
    const headers = isSaid ? { 'content-length': SIZE } : {}
    const sending = request(url, { method: 'PUT', headers }, (response) => {
      let text = ''
      response.setEncoding('utf8').on('data', (part: string) => (text += part))
      response.on('end', () => done(text))
    })
    sending.on('error', fail)
    pipeline(Readable.from(pieces(digest)), sending).catch(fail)
  })
  return { sent: `1f:${digest.digest('hex')}`, told: (JSON.parse(answer) as { identity: string }).identity }
}

async function take(url: string): Promise<string> {
  const digest = createHash('sha256')
  const response = await fetch(url)
  for await (const piece of response.body ?? []) digest.update(piece as Uint8Array)
  return `1f:${digest.digest('hex')}`
}

/** The process of the Worker that a start begat. */
function findWorker(parent: number): number {
  for (const name of readdirSync('/proc').filter((each) => /^\d+$/.test(each))) {
    try {
      const fields = readFileSync(`/proc/${name}/stat`, 'utf8').split(')')
      const isChild = fields.at(-1)?.split(' ')[2] === String(parent)
      if (isChild && readFileSync(`/proc/${name}/cmdline`, 'utf8').includes('workerd')) return Number(name)
    } catch {
      // It ended meanwhile.
    }
  }
  throw new Error('the Worker was not found')
}

/** Pages of files that are mapped count for nothing: the kernel takes those back. */
function residentMb(pid: number): number {
  const [, kilobytes = '0'] = /RssAnon:\s+(\d+)/.exec(readFileSync(`/proc/${pid}/status`, 'utf8')) ?? []
  return Number(kilobytes) / 1024
}

/** How long some work took, and the most memory that was held meanwhile. */
async function watched<T>({ pid, inspector }: Watched, work: () => Promise<T>) {
  let [processMb, workerMb] = [residentMb(pid), await inspector.heldMb()]
  const watch = setInterval(async () => {
    processMb = Math.max(processMb, residentMb(pid))
    workerMb = Math.max(workerMb, await inspector.heldMb())
  }, 50)
  const began = performance.now()
  const answer = await work()
  clearInterval(watch)
  const seconds = Number(((performance.now() - began) / 1_000).toFixed(1))
  return { answer, cost: { seconds, worker_mb: Math.round(workerMb), process_mb: Math.round(processMb) } }
}

interface Watched {
  pid: number
  inspector: Inspector
}

const HALVE = toolOf(
  'tool:halve-file',
  {
    'main.py': `import hashlib, json, sys
given = json.load(sys.stdin)
digest, size = hashlib.sha256(), 0
with open(given["file"], "rb") as whole, open("half.bin", "wb") as half:
    while piece := whole.read(1 << 20):
        digest.update(piece)
        size += len(piece)
        if size <= given["half"]:
            half.write(piece)
print(json.dumps({"identity": "1f:" + digest.hexdigest()}))
`,
  },
  {
    input_schema: {
      type: 'object',
      properties: { file: { type: 'string', format: 'namespace-file' }, half: { type: 'integer' } },
    },
    limits: { seconds: 600 },
  },
)

/** The file goes into a run, which reads all of it and makes a file of half its size. */
async function throughTool(held: Watched) {
  const small = await address.call('write_file', { path: 'small.txt', text: 'small' })
  const input = { file: small['identity'], half: 10 }
  const verify = [{ kind: 'sample-run', input, output_selector: '$.identity', contains: '1f:' }]
  const outputs = [
    { name: 'half', path: '/work/half.bin', keep_in: 'files', media_type: 'application/octet-stream' },
  ]
  const descriptor = { ...HALVE.descriptor, verify, invoke: { ...HALVE.descriptor.invoke, outputs } }
  await address.call('save_tool', { ...HALVE, descriptor })
  const { identity } = await address.call('read_file', { path: 'length said.bin', max_bytes: 1 })
  const { answer, cost } = await watched(held, async () => {
    const call = {
      tool_id: 'tool:halve-file',
      input: { file: identity, half: SIZE / 2 },
      request_key: 'halve',
    }
    let task = await address.call('run_tool', { ...call, wait_seconds: 50 })
    while (task['state'] === 'working') {
      task = await address.call('read_task', { task_id: task['task_id'], wait_seconds: 50 })
    }
    return task
  })
  const { output, files } = answer as { output?: { identity?: string }; files?: { half?: { size?: number } } }
  if (output?.identity !== identity || files?.half?.size !== SIZE / 2) throw new Error(JSON.stringify(answer))
  return cost
}

const data = mkdtempSync(join(tmpdir(), 'bench-files-'))
const inspectorPort = await freePort()
const workshop = await startWorkshop({ data, env: { INSPECTOR_PORT: String(inspectorPort) } })
const inspector = await inspectWorker(inspectorPort)
const address = new McpAddress(`http://127.0.0.1:${workshop.port}/mcp`, workshop.local.token)
try {
  const held = { pid: findWorker(workshop.local.pid), inspector }
  const costs: Record<string, unknown> = {
    file_mb: SIZE / MB,
    worker_mb_at_rest: Math.round(await inspector.heldMb()),
    process_mb_at_rest: Math.round(residentMb(held.pid)),
  }
  for (const [name, isSaid] of [
    ['length said', true],
    ['length not said', false],
  ] as const) {
    const link = await address.call('write_file', { path: `${name}.bin` })
    const up = await watched(held, () => send(String(link['upload_url']), isSaid))
    const { sent, told } = up.answer
    const read = await address.call('read_file', { path: `${name}.bin`, max_bytes: 1 })
    const down = await watched(held, () => take(String(read['download_url'])))
    if (sent !== told || down.answer !== sent) throw new Error(`${sent}, ${told} and ${down.answer} differ`)
    costs[name] = { up: up.cost, down: down.cost }
  }
  costs['through a tool'] = await throughTool(held)
  console.log(JSON.stringify(costs))
} finally {
  address.close()
  inspector.close()
  await workshop.stop()
  rmSync(data, { recursive: true, force: true })
}
