/** Reads a gzipped tar that is meant to be unpacked at `/`, and of it only what lies under `work/`. */
import { createTarDecoder } from 'modern-tar'
import type { ParsedTarEntry, TarHeader } from 'modern-tar'
import { LIMITS } from '../../limits.ts'
import { partsOf, TOO_LARGE } from './draft.ts'
import type { Draft } from './draft.ts'

/** What a tar adds to the bytes of its files: headers, long names, padding. */
const OVERHEAD = LIMITS.codeEntries * 4 * 1024

/**
 * Puts the files of an archive into a draft, and a fault for each entry that may not be unpacked. Answers why
 * the archive as a whole is refused, in words that follow its name; undefined when it was read to its end.
 */
export async function readArchive(base64: string, draft: Draft): Promise<string | undefined> {
  const bytes = decodeBase64(base64)
  const wrong = bytes ? notGzip(bytes) : 'it is not base64'
  if (!bytes || wrong !== undefined) return `is not a gzipped tar: ${wrong}`
  try {
    await unpack(bytes, draft)
    return undefined
  } catch (error) {
    if (error instanceof TooLarge) return error.message
    return 'is not a gzipped tar: it is damaged, cut off or packs something else'
  }
}

async function unpack(bytes: Uint8Array<ArrayBuffer>, draft: Draft): Promise<void> {
  const entries = new Blob([bytes])
    .stream()
    .pipeThrough(new DecompressionStream('gzip'))
    .pipeThrough(stopAfter(LIMITS.code + OVERHEAD))
    .pipeThrough(createTarDecoder({ strict: true }))
    .getReader()
  let size = 0
  for (let count = 1; ; count += 1) {
    const { value: entry } = await entries.read()
    if (!entry) return
    size += entry.header.size
    const isOver = count > LIMITS.codeEntries
    if (isOver || size > LIMITS.code) {
      const error = new TooLarge(isOver ? `holds more than ${LIMITS.codeEntries} entries` : TOO_LARGE)
      await entries.cancel(error)
      throw error
    }
    await addEntry(draft, entry)
  }
}

async function addEntry(draft: Draft, { header, body }: ParsedTarEntry): Promise<void> {
  const { name, type } = header
  const parts = partsOf(name)
  const refusal = typeof parts === 'string' ? parts : entryRefusal(header, parts)
  const path = typeof parts === 'string' ? '' : parts.slice(1).join('/')
  if (refusal === undefined && type !== 'directory') {
    const bytes = new Uint8Array(await new Response(body).arrayBuffer())
    return draft.addFile(name, path, { bytes, executable: isExecutable(header) })
  }
  if (refusal === undefined) draft.addFolder(name, path)
  else draft.refuse(name, refusal)
  await body.cancel()
}

/** Why an entry may not be unpacked; undefined when it may. */
function entryRefusal({ type = 'file', pax = {} }: TarHeader, parts: string[]): string | undefined {
  if (type !== 'file' && type !== 'directory') return `is a ${type.replace('-', ' ')}, not a plain file`
  if (Object.keys(pax).some((key) => key.startsWith('GNU.sparse'))) return 'is a sparse file, not a plain one'
  const isRoot = type === 'directory' && parts.length === 0
  return isRoot || parts[0] === 'work' ? undefined : 'is not under /work'
}

function stopAfter(maxBytes: number): TransformStream<Uint8Array, Uint8Array> {
  let seen = 0
  return new TransformStream({
    transform(chunk, controller) {
      seen += chunk.length
      if (seen > maxBytes) throw new TooLarge(TOO_LARGE)
      controller.enqueue(chunk)
    },
  })
}

class TooLarge extends Error {
  override name = 'TooLarge'
}

function decodeBase64(base64: string): Uint8Array<ArrayBuffer> | undefined {
  try {
    const binary = atob(base64)
    const bytes = new Uint8Array(binary.length)
    for (let at = 0; at < binary.length; at += 1) bytes[at] = binary.charCodeAt(at)
    return bytes
  } catch {
    return undefined
  }
}

/** What the bytes are instead of gzip, in words. */
function notGzip(bytes: Uint8Array): string | undefined {
  const starts = (...magic: number[]) => magic.every((byte, at) => bytes[at] === byte)
  if (bytes.length === 0) return 'it is empty'
  if (starts(0x1f, 0x8b)) return undefined
  if (starts(0x50, 0x4b)) return 'it is a zip archive'
  const isTar = new TextDecoder().decode(bytes.subarray(257, 262)) === 'ustar'
  return isTar ? 'it is a tar that is not gzipped' : 'it does not begin as gzip does'
}

export function isExecutable({ mode = 0 }: TarHeader): boolean {
  return (mode & 0o111) !== 0
}
