import { Hono, type Context } from 'hono'
import { composeFiles } from '../../compose.ts'
import { bytesKey } from '../../core/files/identity.ts'
import type { Link } from '../../core/files/link.ts'
import { finishParts, uploadPart, uploadState, uploadWhole } from '../../core/files/uploads/upload.ts'
import { Problem } from '../../core/problem.ts'
import { refusal } from './answer.ts'
import { downloadHeaders, readRange } from './download.ts'

type Ctx = Context<{ Bindings: Env }>

/** Signed links: whoever holds one may do the one thing that it says. */
export const files = new Hono<{ Bindings: Env }>()

files.onError(refusal)

files.put('/upload/:token', async (c) => {
  const { ctx, id } = await readUpload(c)
  const length = lengthOf(c)
  return c.json(await uploadWhole(ctx, id, { body: bodyOf(c), length }))
})

files.put('/upload/:token/:part{[0-9]{1,5}}', async (c) => {
  const { ctx, id } = await readUpload(c)
  const length = lengthOf(c)
  if (length === null || length === 0) {
    throw new Problem('invalid_request', 'A part needs its Content-Length, more than 0.')
  }
  return c.json(await uploadPart(ctx, id, { number: Number(c.req.param('part')), body: bodyOf(c), length }))
})

files.post('/upload/:token', async (c) => {
  const { ctx, id } = await readUpload(c)
  return c.json(await finishParts(ctx, id))
})

files.get('/upload/:token', async (c) => {
  const { ctx, id } = await readUpload(c)
  return c.json(await uploadState(ctx, id))
})

/** Hono answers HEAD with it too, without a body. */
files.get('/:token', async (c) => {
  const { ctx, link } = await readLink(c, 'get')
  if (link.expiresAt <= ctx.now()) throw expired()
  const headers = downloadHeaders(link)
  if (c.req.header('if-none-match') === headers.etag) return new Response(null, { status: 304, headers })
  const key = bytesKey(link.hash)
  const there = await ctx.bytes.head(key)
  if (!there) throw new Problem('unknown_file', 'The file of this link is gone.')
  const isOld = ![undefined, headers.etag].includes(c.req.header('if-range'))
  const range = readRange(isOld ? undefined : c.req.header('range'), there.size)
  if (range === 'unsatisfiable') {
    return new Response(null, { status: 416, headers: { 'content-range': `bytes */${there.size}` } })
  }
  const { offset, length } = range ?? { offset: 0, length: there.size }
  const part = { 'content-length': String(length) }
  if (c.req.method === 'HEAD') return new Response(null, { headers: { ...headers, ...part } })
  const object = length === 0 ? null : await ctx.bytes.get(key, { range: { offset, length } })
  if (!object && length > 0) throw new Problem('unknown_file', 'The file of this link is gone.')
  const body = object?.body.pipeThrough(new FixedLengthStream(length)) ?? null
  if (range === null) return new Response(body, { headers: { ...headers, ...part } })
  const contentRange = `bytes ${offset}-${offset + length - 1}/${there.size}`
  return new Response(body, { status: 206, headers: { ...headers, ...part, 'content-range': contentRange } })
})

async function readUpload(c: Ctx) {
  const { ctx, link } = await readLink(c, 'put')
  return { ctx, id: link.uploadId }
}

async function readLink<Kind extends Link['kind']>(c: Ctx, kind: Kind) {
  const ctx = composeFiles(c.env)
  const link = await ctx.links.read(c.req.param('token') ?? '')
  if (link?.kind !== kind) throw expired()
  return { ctx, link: link as Extract<Link, { kind: Kind }> }
}

const expired = (): Problem =>
  new Problem('link_expired', 'This link is malformed or older than 15 minutes.', {
    hint: 'read_file gives another one.',
  })

function bodyOf(c: Ctx): ReadableStream<Uint8Array> {
  return c.req.raw.body ?? new Blob([]).stream()
}

/** Null where the sender does not know it; a missing body is an empty one. */
function lengthOf(c: Ctx): number | null {
  const header = c.req.header('content-length')
  if (header === undefined) return c.req.raw.body ? null : 0
  return Number(header)
}
