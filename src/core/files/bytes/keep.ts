import type { Db } from '../../../db/client.ts'
import { newId, toHex, type Source } from '../../ids.ts'
import { LIMITS } from '../../limits.ts'
import { Problem } from '../../problem.ts'
import { bytesKey } from '../identity.ts'
import { reserveBytes, setWhole } from './store.ts'

/** What bytes are kept with. */
export interface Vault extends Source {
  db: Db
  bytes: R2Bucket
}

/** Bytes that are there, all of them. */
export interface Kept {
  hash: string
  size: number
}

/** Whoever sent a body stopped in the middle of it. */
export class BrokenOff extends Error {
  override name = 'BrokenOff'
}

/** Held in memory at once: a part of a larger body, or all of a small one. */
const PART_BYTES = 8 * 1024 * 1024
/** Where what is still coming in lies until its hash is known. */
export const TEMPORARY = 'tmp/'

export async function sha256Of(data: Uint8Array): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', data)))
}

/** Keeps bytes that are in memory. */
export async function keepData(vault: Vault, data: Uint8Array): Promise<Kept> {
  const hash = await sha256Of(data)
  const kept = { hash, size: data.length }
  await keepAs(vault, kept, async () => ({ body: data }))
  return kept
}

/**
 * Keeps a body of any length, a part of it in memory at a time. A body that breaks off rejects with `BrokenOff` and
 * leaves nothing that anything could point at. Throws a `Problem` when it is longer than `most` or not `length` bytes long.
 */
export async function keepStream(
  vault: Vault,
  body: ReadableStream<Uint8Array>,
  { length, most = LIMITS.upload }: { length?: number; most?: number } = {},
): Promise<Kept> {
  const parts = partsOf(body, { length, most })
  const { value: head } = await parts.next()
  if (!head || head.length < PART_BYTES) return keepData(vault, head ?? new Uint8Array())
  const key = `${TEMPORARY}${newId('part', vault)}`
  const kept = await receive(vault, { key, head, parts })
  return keepFrom(vault, key, kept)
}

/** Keeps what lies whole under a temporary key, which is removed. `known`: its hash, when that was found on the way. */
export async function keepFrom(vault: Vault, key: string, known?: Kept): Promise<Kept> {
  const { bytes } = vault
  const kept = known ?? (await hashObject(bytes, key))
  await keepAs(vault, kept, async () => {
    const object = await bytes.get(key)
    if (!object) throw new Error(`${key} is gone`)
    return { body: object.body }
  })
  await bytes.delete(key)
  return kept
}

/**
 * Puts bytes under their hash, once: R2 checks the digest of all of them, and they are looked for before anything may
 * point at them. `open` gives them from their beginning and may be called more than once.
 */
export async function keepAs(
  { db, bytes, now }: Vault,
  { hash, size }: Kept,
  open: () => Promise<{ body: Uint8Array | ReadableStream<Uint8Array> }>,
): Promise<void> {
  for (let tries = 0; !(await reserveBytes(db, { hash, size, now: now() })); tries += 1) {
    if (tries === 20)
      throw new Problem('unavailable', 'Those bytes are just being removed.', { retryable: true })
    await scheduler.wait(500)
  }
  const key = bytesKey(hash)
  const there = await bytes.head(key)
  if (there?.size !== size) {
    const { body } = await open()
    if (body instanceof Uint8Array) await bytes.put(key, body, { sha256: hash })
    else await putStream(bytes, body, { key, hash, size })
    const after = await bytes.head(key)
    if (after?.size !== size) throw new Error(`${key} has ${after?.size ?? 'no'} bytes of ${size}`)
  }
  await setWhole(db, hash, now())
}

/** Reads kept bytes back, all of them. Throws when one is missing or wrong. */
export async function verifyBytes(bytes: R2Bucket, { hash, size }: Kept): Promise<void> {
  const read = await hashObject(bytes, bytesKey(hash))
  if (read.hash !== hash || read.size !== size) throw new Error(`${bytesKey(hash)} is not what was put there`)
}

/** Whoever breaks off, the other end hears of it: nothing is left waiting. */
async function putStream(
  bytes: R2Bucket,
  body: ReadableStream<Uint8Array>,
  { key, hash, size }: { key: string; hash: string; size: number },
): Promise<void> {
  const { readable, writable } = new FixedLengthStream(size)
  const stop = new AbortController()
  const [piped, put] = await Promise.allSettled([
    body.pipeTo(writable, { signal: stop.signal }),
    bytes.put(key, readable, { sha256: hash }).catch((error: unknown) => {
      stop.abort()
      throw error
    }),
  ])
  if (put.status === 'rejected') throw put.reason
  if (piped.status === 'rejected') throw piped.reason
}

/** Takes a body in under a temporary key, where nothing is seen before all of it came. */
async function receive(
  { bytes }: Vault,
  { key, head, parts }: { key: string; head: Uint8Array; parts: AsyncGenerator<Uint8Array, void> },
): Promise<Kept> {
  const upload = await bytes.createMultipartUpload(key)
  const digest = new crypto.DigestStream('SHA-256')
  const writer = digest.getWriter()
  const sent: R2UploadedPart[] = []
  let size = 0
  const take = async (part: Uint8Array): Promise<void> => {
    const [uploaded] = await Promise.all([upload.uploadPart(sent.length + 1, part), writer.write(part)])
    sent.push(uploaded)
    size += part.length
  }
  try {
    await take(head)
    for await (const part of parts) if (part.length > 0) await take(part)
    await writer.close()
    await upload.complete(sent)
  } catch (error) {
    digest.digest.catch(() => {})
    await Promise.allSettled([writer.abort(error), upload.abort()])
    throw error
  }
  return { hash: toHex(new Uint8Array(await digest.digest)), size }
}

async function hashObject(bytes: R2Bucket, key: string): Promise<Kept> {
  const object = await bytes.get(key)
  if (!object) throw new Error(`${key} is gone`)
  const digest = new crypto.DigestStream('SHA-256')
  await object.body.pipeTo(digest)
  return { hash: toHex(new Uint8Array(await digest.digest)), size: object.size }
}

/**
 * A body in parts of the same size, the last one shorter, maybe empty. All are read into the same memory: a part is
 * good until the next one is asked for.
 */
async function* partsOf(
  body: ReadableStream<Uint8Array>,
  { length, most }: { length?: number; most: number },
): AsyncGenerator<Uint8Array, void> {
  const reader = body.getReader({ mode: 'byob' })
  let memory = new ArrayBuffer(PART_BYTES)
  let total = 0
  try {
    for (let isLast = false; !isLast;) {
      const { value: part } = await reader
        .readAtLeast(PART_BYTES, new Uint8Array(memory))
        .catch((cause: unknown) => {
          throw new BrokenOff('the body broke off', { cause })
        })
      if (!part) throw new Error('the body was taken away')
      total += part.length
      isLast = part.length < PART_BYTES
      if (total > most) throw tooLarge(most)
      if (length !== undefined && (isLast ? total !== length : total > length)) throw wrongLength(length)
      yield part
      memory = part.buffer
    }
  } finally {
    // A body that is refused is not read on.
    reader.cancel().catch(() => {})
  }
}

export const tooLarge = (most: number): Problem =>
  new Problem('too_large', `A file has at most ${most} bytes.`, { hint: 'Send it in smaller files.' })

const wrongLength = (length: number): Problem =>
  new Problem('invalid_request', `The body is not ${length} bytes long, as was said.`, {
    hint: 'Send all of it again.',
  })
