import { createReadStream } from 'node:fs'
import { stat } from 'node:fs/promises'
import { pipeline } from 'node:stream/promises'
import { timingSafeEqual } from 'node:crypto'
import type { IncomingMessage, ServerResponse } from 'node:http'
import type { Bundles } from './bundles.ts'
import type { Inputs } from './files/inputs.ts'
import type { Outputs } from './files/outputs.ts'
import { HASH, checkRequest } from './jobs/check.ts'
import type { Jobs } from './jobs/jobs.ts'
import { Refusal } from './refusal.ts'
import type { Pool } from './sandbox/pool.ts'
import type { Health } from './wire.ts'

/** A job's argv, stdin and environment fit in with room to spare. */
const MAX_BODY_BYTES = 64 * 2 ** 20
const MAX_WAIT_MS = 25_000

export interface RoutesParts {
  secret: string
  boot: string
  sandbox: Health['sandbox']
  bundles: Bundles
  inputs: Inputs
  outputs: Outputs
  /** Null where nothing may be run. */
  jobs: Jobs | null
  pool: Pool | null
}

interface Call {
  request: IncomingMessage
  /** The second part of the path, and the fourth. */
  name: string
  part: string
  waitMs: number
}

interface Answer {
  status: number
  body?: unknown
  /** Path of the file that is the body. */
  file?: string
}

/** Answers one request of `wire.ts`. Never rejects. */
export async function answer(
  parts: RoutesParts,
  request: IncomingMessage,
  response: ServerResponse,
): Promise<void> {
  const { status, body, file } = await route(parts, request).catch((error: unknown) => explain(parts, error))
  if (response.destroyed) return
  if (file !== undefined) return sendFile(file, response)
  // What is left of a refused body is not read: the connection ends with the answer.
  if (!request.complete) response.setHeader('connection', 'close')
  const text = body === undefined ? '' : JSON.stringify(body)
  response.writeHead(status, text ? { 'content-type': 'application/json' } : {}).end(text)
}

/** A file that is dropped meanwhile ends the connection: what was sent is then too short for its length. */
async function sendFile(file: string, response: ServerResponse): Promise<void> {
  try {
    const { size } = await stat(file)
    response.writeHead(200, { 'content-type': 'application/octet-stream', 'content-length': size })
    await pipeline(createReadStream(file), response)
  } catch {
    response.destroy()
  }
}

async function route(parts: RoutesParts, request: IncomingMessage): Promise<Answer> {
  const url = readUrl(request)
  const [, folder = '', name = '', below = '', part = ''] = url.pathname.split('/')
  const key = `${request.method} /${folder}${name ? '/…' : ''}${below ? `/${below}/…` : ''}`
  const isMember = isAllowed(request, parts.secret)
  if (key === 'GET /health') return { status: 200, body: isMember ? health(parts) : { ok: true } }
  if (!isMember) throw new Refusal(401, 'unauthorized', 'The secret is missing or wrong.')
  const handler = HANDLERS[key]
  if (!handler) throw new Refusal(404, 'not_found', `There is no ${key}.`)
  const call = { request, name: name.replaceAll('%3A', ':'), part, waitMs: readWait(url) }
  return handler(parts, call)
}

const HANDLERS: Record<string, (parts: RoutesParts, call: Call) => Promise<Answer>> = {
  'PUT /bundles/…': async ({ bundles }, { request, name }) => {
    if (!HASH.test(name)) refuse('A bundle is named by its sha256 in lower hex.')
    await bundles.put(name, request)
    return { status: 204 }
  },
  'HEAD /inputs/…': async ({ inputs }, { name }) => ({ status: inputs.has(name) ? 204 : 404 }),
  'PUT /inputs/…': async ({ inputs }, { request, name }) => {
    if (!HASH.test(name)) refuse('A file is named by its sha256 in lower hex.')
    await inputs.put(name, request)
    return { status: 204 }
  },
  'GET /jobs/…/outputs/…': async ({ outputs }, { name, part }) => {
    const file = outputs.path(name, part)
    if (file === undefined) throw new Refusal(404, 'no_output', 'No such output is kept here.')
    return { status: 200, file }
  },
  'POST /jobs': async (parts, { request, waitMs }) => {
    const job = checkRequest(await readJson(request))
    const jobs = openJobs(parts)
    jobs.start(job)
    return { status: 200, body: await jobs.wait(job.id, waitMs) }
  },
  'GET /jobs/…': async (parts, { name, waitMs }) => ({
    status: 200,
    body: await knownJobs(parts).wait(name, waitMs),
  }),
  'DELETE /jobs/…': async (parts, { name }) => ({ status: 200, body: await knownJobs(parts).stop(name) }),
}

/** Throws where nothing may be run. */
function openJobs({ jobs, sandbox }: RoutesParts): Jobs {
  if (!jobs) throw new Refusal(503, 'unsealed', `Nothing is run here. ${sandbox.problems.join(' ')}`)
  return jobs
}

function knownJobs({ jobs }: RoutesParts): Jobs {
  if (!jobs) throw new Refusal(404, 'unknown_job', 'No job is known here: nothing is run.')
  return jobs
}

function health({ boot, sandbox, jobs, pool }: RoutesParts): Health {
  return { ok: true, boot, sandbox, running: jobs?.running ?? 0, ready: pool?.ready ?? 0 }
}

function explain(parts: RoutesParts, error: unknown): Answer {
  if (error instanceof Refusal) {
    const { code, message } = error
    return { status: error.status, body: { error: { code, message }, boot: parts.boot } }
  }
  console.error(error)
  return { status: 500, body: { error: { code: 'defect', message: String(error) } } }
}

function isAllowed(request: IncomingMessage, secret: string): boolean {
  const given = Buffer.from(request.headers.authorization ?? '')
  const wanted = Buffer.from(`Bearer ${secret}`)
  return given.length === wanted.length && timingSafeEqual(given, wanted)
}

function readUrl(request: IncomingMessage): URL {
  const url = URL.parse(request.url ?? '', 'http://runner')
  return url ?? refuse('The path is malformed.')
}

function readWait(url: URL): number {
  const text = url.searchParams.get('wait_ms') ?? '0'
  if (!/^\d{1,6}$/.test(text)) refuse('wait_ms must be a whole number.')
  return Math.min(Number(text), MAX_WAIT_MS)
}

async function readJson(request: IncomingMessage): Promise<unknown> {
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of request as AsyncIterable<Buffer>) {
    bytes += piece.length
    if (bytes > MAX_BODY_BYTES)
      throw new Refusal(413, 'too_large', `A body has at most ${MAX_BODY_BYTES} bytes.`)
    pieces.push(piece)
  }
  try {
    return JSON.parse(Buffer.concat(pieces).toString('utf8'))
  } catch {
    return refuse('The body is not JSON.')
  }
}

function refuse(message: string): never {
  throw new Refusal(400, 'bad_request', message)
}
