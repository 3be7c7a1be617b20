/**
 * What a large file costs: `node test/bench/files.ts` sends one up, of a length that is said and of one that is not,
 * and takes it down again, through the program of `npm start`; it prints one line of JSON. `worker_mb` is the most
 * memory that the Worker's process held, local storage and all. FILE_MB (1024) is the size.
 */
import { createHash, type Hash } from 'node:crypto'
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs'
import { request } from 'node:http'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { Readable } from 'node:stream'
import { pipeline } from 'node:stream/promises'
import { startWorkshop } from '../support/workshop.ts'
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

/** How long some work took, and the most memory that the Worker held meanwhile. */
async function watched<T>(pid: number, work: () => Promise<T>) {
  let most = residentMb(pid)
  const watch = setInterval(() => (most = Math.max(most, residentMb(pid))), 50)
  const began = performance.now()
  const answer = await work()
  clearInterval(watch)
  const seconds = (performance.now() - began) / 1_000
  return { answer, cost: { seconds: Number(seconds.toFixed(1)), worker_mb: Math.round(most) } }
}

const data = mkdtempSync(join(tmpdir(), 'bench-files-'))
const workshop = await startWorkshop({ data })
const address = new McpAddress(`http://127.0.0.1:${workshop.port}/mcp`, workshop.local.token)
try {
  const pid = findWorker(workshop.local.pid)
  const costs: Record<string, unknown> = {
    file_mb: SIZE / MB,
    worker_mb_at_rest: Math.round(residentMb(pid)),
  }
  for (const [name, isSaid] of [
    ['length said', true],
    ['length not said', false],
  ] as const) {
    const link = await address.call('write_file', { path: `${name}.bin` })
    const up = await watched(pid, () => send(String(link['upload_url']), isSaid))
    const { sent, told } = up.answer
    const read = await address.call('read_file', { path: `${name}.bin`, max_bytes: 1 })
    const down = await watched(pid, () => take(String(read['download_url'])))
    if (sent !== told || down.answer !== sent) throw new Error(`${sent}, ${told} and ${down.answer} differ`)
    costs[name] = { up: up.cost, down: down.cost }
  }
  console.log(JSON.stringify(costs))
} finally {
  address.close()
  await workshop.stop()
  rmSync(data, { recursive: true, force: true })
}
