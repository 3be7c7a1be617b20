import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { keepData } from './bytes/keep.ts'
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
  description: `Keeps a file under a path of this account, replacing what was there, and returns its identity (1f:…), the value for a tool's file input. Without text or bytes_base64 it returns upload_url: PUT the bytes there once within 15 minutes.
Example: {"path": "notes/plan.txt", "text": "Buy milk"}`,
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      path: { type: 'string', description: 'Like "clips/take 2.wav"' },
      text: { type: 'string', description: 'The whole content' },
      bytes_base64: { type: 'string', description: 'The whole content, when it is no text' },
      from_url: { type: 'string', description: 'Not on this server: use upload_url' },
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
    const data = dataOf(given)
    const { accountId } = ctx.caller
    if (data === null) return uploadLink(ctx, path)
    await checkRoom(ctx, { accountId, size: data.length })
    const { hash, size } = await keepData(ctx, data)
    await nameFile(ctx, { accountId, path, hash })
    return fileAnswer({ path, hash, size, mediaType: mediaTypeOf(path) })
  },
})

/** The content that a call holds; null when it is to be uploaded. */
function dataOf({ text, bytes_base64, from_url }: Omit<WriteFile, 'path'>): Uint8Array | null {
  if ([text, bytes_base64, from_url].filter((each) => each !== undefined).length > 1) {
    throw new Problem('invalid_request', 'Send one of text and bytes_base64, not both.', { field: 'text' })
  }
  if (from_url !== undefined) {
    throw new Problem('not_available', 'This server fetches no addresses yet.', {
      field: 'from_url',
      hint: 'Leave from_url out and PUT the bytes to the upload_url that is returned.',
    })
  }
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
