import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { keepData, type Kept } from './bytes/keep.ts'
import { fetchFile } from './fetch.ts'
import { LINK_MS } from './link.ts'
import { checkPath, checkRoom, fileAnswer, nameFile } from './name.ts'
import { mediaTypeOf } from './path.ts'
import { insertUpload } from './uploads/store.ts'

interface WriteFile {
  path: string
  text?: string
  bytes_base64?: string
  from_url?: string
}

export const writeFile = defineOperation({
  name: 'write_file',
  title: 'Write a file',
  description: `Keeps a file under a path of this account, replacing what was there, and returns its identity (1f:…), the value for a tool's file input. Without text, bytes_base64 or from_url it returns upload_url: PUT the bytes there once within 15 minutes. from_url fetches a public https address within 5 minutes.
Example: {"path": "notes/plan.txt", "text": "Buy milk"}`,
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Like "clips/take 2.wav"' },
      text: { type: 'string', description: 'The whole content' },
      bytes_base64: { type: 'string', description: 'The whole content, when it is no text' },
      from_url: { type: 'string', description: 'A public https address that holds it' },
    },
    required: ['path'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      identity: { type: 'string' },
      path: { type: 'string' },
      size: { type: 'integer' },
      media_type: { type: 'string' },
      upload_url: { type: 'string' },
      error: { type: 'object' },
    },
  },
  async run(ctx, { path, ...given }: WriteFile) {
    checkPath(path)
    const { accountId } = ctx.caller
    const kept = await keep(ctx, given)
    if (kept === null) return uploadLink(ctx, path)
    const { hash, size } = kept
    await nameFile(ctx, { accountId, path, hash })
    return fileAnswer({ path, hash, size, mediaType: mediaTypeOf(path) })
  },
})

type Given = Omit<WriteFile, 'path'>

/** Keeps the bytes that a call holds or names; null when they are to be uploaded. */
async function keep(ctx: Context, given: Given): Promise<Kept | null> {
  if (Object.keys(given).length > 1) {
    throw new Problem('invalid_request', 'Send one of text, bytes_base64 and from_url, not more.', {
      field: given.text === undefined ? 'bytes_base64' : 'text',
    })
  }
  if (given.from_url !== undefined) return fetchFile(ctx, given.from_url)
  const data = dataOf(given)
  if (data === null) return null
  await checkRoom(ctx, { accountId: ctx.caller.accountId, size: data.length })
  return keepData(ctx, data)
}

/** The content that a call holds; null when it holds none. */
function dataOf({ text, bytes_base64 }: Given): Uint8Array | null {
  if (bytes_base64 !== undefined) return decode(bytes_base64)
  if (text === undefined) return null
  if (text.isWellFormed()) return new TextEncoder().encode(text)
  throw new Problem('invalid_request', 'text holds half of a character.', {
    field: 'text',
    hint: 'Send whole characters, or the bytes as bytes_base64.',
  })
}

function decode(base64: string): Uint8Array {
  try {
    return Uint8Array.from(atob(base64), (letter) => letter.charCodeAt(0))
  } catch {
    throw new Problem('invalid_request', 'bytes_base64 is not base64.', {
      field: 'bytes_base64',
      hint: 'Use the letters A-Z a-z 0-9 + / and = at the end.',
    })
  }
}

async function uploadLink(ctx: Context, path: string) {
  await checkRoom(ctx, { accountId: ctx.caller.accountId, size: 0 })
  const id = newId('upload', ctx)
  const expiresAt = ctx.now() + LINK_MS
  await insertUpload(ctx.db, { id, accountId: ctx.caller.accountId, path, expiresAt })
  const upload_url = await ctx.links.url({ kind: 'put', uploadId: id })
  return {
    path,
    upload_url,
    expires_at: new Date(expiresAt).toISOString(),
    how: `curl --fail -T FILE '${upload_url}' answers with the identity. In parts of 5 to 100 MB, all but the last of one size: PUT each to upload_url/1, /2, …, then POST to upload_url; GET tells which parts came.`,
  }
}
