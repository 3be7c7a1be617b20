import type { Context } from '../../context.ts'
import { LIMITS } from '../../limits.ts'
import { Problem } from '../../problem.ts'
import { keepFrom, keepStream, tooLarge, type Kept } from '../bytes/keep.ts'
import { LINK_MS } from '../link.ts'
import { checkRoom, fileAnswer, nameFile } from '../name.ts'
import { mediaTypeOf } from '../path.ts'
import { findByHash } from '../store.ts'
import {
  findUpload,
  giveBackUpload,
  listParts,
  putPart,
  setR2Upload,
  takeUpload,
  uploadKey,
  type Upload,
} from './store.ts'

/** What an upload is taken in with: whoever holds the link acts for its account. */
export type Uploading = Pick<Context, 'db' | 'bytes' | 'now' | 'random' | 'quotas'>

const MOST_PARTS = 10_000

/** Takes in a whole file. `length` is null when the sender does not know it. */
export async function uploadWhole(
  ctx: Uploading,
  id: string,
  { body, length }: { body: ReadableStream<Uint8Array>; length: number | null },
) {
  const upload = await openUpload(ctx, id)
  await checkLength(ctx, upload, length ?? 0)
  return finish(ctx, upload, await keepStream(ctx, body, length === null ? {} : { length }))
}

/** Takes in one part, again if it came before. */
export async function uploadPart(
  ctx: Uploading,
  id: string,
  part: { number: number; body: ReadableStream<Uint8Array>; length: number },
) {
  const upload = await openUpload(ctx, id)
  if (part.number < 1 || part.number > MOST_PARTS) {
    throw new Problem('invalid_request', `Parts are numbered from 1 to ${MOST_PARTS}.`)
  }
  await checkLength(ctx, upload, part.length)
  const key = uploadKey(id)
  const r2Upload =
    upload.r2Upload ?? (await setR2Upload(ctx.db, id, (await ctx.bytes.createMultipartUpload(key)).uploadId))
  const { etag } = await ctx.bytes.resumeMultipartUpload(key, r2Upload).uploadPart(part.number, part.body)
  const { number, length: size } = part
  await putPart(ctx.db, { uploadId: id, number, etag, size, expiresAt: ctx.now() + LINK_MS })
  return { part: number, size }
}

/** Makes a file of the parts that came. May be asked again after an answer was lost. */
export async function finishParts(ctx: Uploading, id: string) {
  const upload = await openUpload(ctx, id)
  const parts = await listParts(ctx.db, id)
  const missing = parts.findIndex(({ number }, index) => number !== index + 1)
  if (upload.r2Upload === null || parts.length === 0 || missing >= 0) {
    throw new Problem('invalid_request', `Part ${Math.max(missing, 0) + 1} has not come.`, {
      hint: 'GET this address to see which parts came.',
    })
  }
  const size = parts.reduce((sum, part) => sum + part.size, 0)
  await checkLength(ctx, upload, size)
  const key = uploadKey(id)
  if ((await ctx.bytes.head(key))?.size !== size) {
    const sent = parts.map(({ number, etag }) => ({ partNumber: number, etag }))
    await complete(ctx.bytes.resumeMultipartUpload(key, upload.r2Upload), sent)
  }
  return finish(ctx, upload, await keepFrom(ctx, key))
}

async function complete(upload: R2MultipartUpload, parts: R2UploadedPart[]): Promise<void> {
  try {
    await upload.complete(parts)
  } catch (error) {
    throw new Problem('invalid_request', `The parts do not make a file: ${wordsOf(error)}`, {
      hint: 'All parts but the last have one size, at least 5 MiB.',
    })
  }
}

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

/** What came of a link so far. */
export async function uploadState(ctx: Uploading, id: string) {
  const upload = await findUpload(ctx.db, id)
  if (!upload) throw gone()
  const file = upload.hash === null ? undefined : await findByHash(ctx.db, upload.accountId, upload.hash)
  if (upload.hash !== null && file)
    return { state: 'done', ...answer(upload, { ...file, hash: upload.hash }) }
  const parts = await listParts(ctx.db, id)
  return {
    state: 'open',
    path: upload.path,
    expires_at: new Date(upload.expiresAt).toISOString(),
    parts: parts.map(({ number, size }) => ({ part: number, size })),
  }
}

async function openUpload({ db, now }: Uploading, id: string): Promise<Upload> {
  const upload = await findUpload(db, id)
  if (!upload || upload.expiresAt <= now()) throw gone()
  return upload
}

async function checkLength(ctx: Uploading, { accountId }: Upload, size: number): Promise<void> {
  if (size > LIMITS.upload) throw tooLarge(LIMITS.upload)
  await checkRoom(ctx, { accountId, size })
}

/** The link is used by the file that is named first; only whole bytes get here. */
async function finish(ctx: Uploading, upload: Upload, { hash, size }: Kept) {
  const { id, accountId, path } = upload
  if (!(await takeUpload(ctx.db, id, hash))) throw gone()
  try {
    await nameFile(ctx, { accountId, path, hash })
  } catch (error) {
    await giveBackUpload(ctx.db, id)
    throw error
  }
  return answer(upload, { hash, size })
}

const answer = ({ path }: Upload, { hash, size }: Kept) =>
  fileAnswer({ path, hash, size, mediaType: mediaTypeOf(path) })

const gone = (): Problem =>
  new Problem('link_expired', 'This upload link is unknown, used or older than 15 minutes.', {
    hint: 'Ask for another one with write_file.',
  })
