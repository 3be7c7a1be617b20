/**
 * The code of a version as one canonical tar: plain files under `work/`, sorted by path, without owners and
 * times. The same files give the same bytes and so the same hash, however they were sent. Empty folders are
 * not kept.
 */
import { packTar, unpackTar } from 'modern-tar'
import type { TarHeader } from 'modern-tar'
import { childPath } from '../json-schema/path.ts'
import { LIMITS } from '../limits.ts'
import { isExecutable, readArchive } from './bundle/archive.ts'
import { Draft, partsOf, shown, TOO_LARGE } from './bundle/draft.ts'
import type { Fault } from '../problem.ts'
import type { BundleFile } from './bundle/draft.ts'

export type { BundleFile } from './bundle/draft.ts'

export interface Bundle {
  tar: Uint8Array<ArrayBuffer>
  /** SHA-256 of `tar` as 64 lower hex digits. */
  hash: string
  /** Sorted by path, with sizes in bytes. */
  files: { path: string; size: number }[]
}

export type BundleResult = { ok: true; bundle: Bundle } | { ok: false; faults: Fault[] }

/**
 * Bundles texts by their paths below `/work`: `main.py`, `./main.py` and `/work/main.py` are the same. A text
 * that begins with `#!` is executable. Faults have paths like `files["../x"]`.
 */
export async function bundleFromFiles(files: Record<string, unknown>): Promise<BundleResult> {
  const names = Object.keys(files)
  if (names.length > LIMITS.codeEntries) {
    return refuse('files', `has ${names.length} files; at most ${LIMITS.codeEntries} are allowed`)
  }
  const draft = new Draft((name, message) => ({ path: childPath('files', name.toWellFormed()), message }))
  for (const name of names) {
    const text = files[name]
    if (typeof text !== 'string') draft.refuse(name, 'must be the text of a file')
    else if (!text.isWellFormed()) draft.refuse(name, 'holds half of a character (a lone surrogate)')
    else addText(draft, name, text)
  }
  if (names.length === 0) return refuse('files', 'holds no file')
  return draft.size > LIMITS.code ? refuse('files', TOO_LARGE) : finish(draft)
}

/**
 * Bundles a gzipped tar that is meant to be unpacked at `/`. Every entry that is not a plain file or a folder
 * under `work/` is named in a fault; what does not unpack within the limits is not read to its end.
 */
export async function bundleFromArchive(base64: string): Promise<BundleResult> {
  const path = 'bytes_base64'
  const draft = new Draft((name, message) => ({ path, message: `holds ${shown(name)}, which ${message}` }))
  const refusal = await readArchive(base64, draft)
  if (refusal !== undefined) return { ok: false, faults: [...draft.faults, { path, message: refusal }] }
  const isEmpty = draft.faults.length === 0 && draft.files.size === 0
  return isEmpty ? refuse(path, 'is a gzipped tar without a file under work/') : finish(draft)
}

/** The files of a bundle's tar, sorted by path. */
export async function readBundle(tar: Uint8Array): Promise<BundleFile[]> {
  const entries = await unpackTar(tar, { strict: true })
  return entries.map(({ header, data }) => ({
    path: header.name.slice(ROOT.length),
    bytes: data ?? new Uint8Array(),
    executable: isExecutable(header),
  }))
}

/** A file as it is shown to a reader: its text or, when there is none, why. Size in bytes. */
export type ShownFile = { path: string; size: number } & (
  | { text: string }
  | { omitted: 'not_text' | 'too_long' }
)

/** Shows files that are UTF-8 text, in their order, as long as all texts together have at most `maxBytes`. */
export function textFiles(files: BundleFile[], maxBytes: number): ShownFile[] {
  let left = maxBytes
  return files.map(({ path, bytes }): ShownFile => {
    const size = bytes.length
    const text = decodeText(bytes)
    if (text === undefined) return { path, size, omitted: 'not_text' }
    if (size > left) return { path, size, omitted: 'too_long' }
    left -= size
    return { path, size, text }
  })
}

const ROOT = 'work/'

function addText(draft: Draft, name: string, text: string): void {
  const parts = partsOf(name)
  if (typeof parts === 'string') return draft.refuse(name, parts)
  if (name.endsWith('/')) return draft.refuse(name, 'is the path of a folder')
  const isElsewhere = name.startsWith('/') && parts[0] !== 'work'
  if (isElsewhere) return draft.refuse(name, 'is not under /work')
  const path = (name.startsWith('/') ? parts.slice(1) : parts).join('/')
  draft.addFile(name, path, { bytes: new TextEncoder().encode(text), executable: text.startsWith('#!') })
}

async function finish(draft: Draft): Promise<BundleResult> {
  if (draft.faults.length > 0) return { ok: false, faults: draft.faults }
  const files = Array.from(draft.files.values()).sort((a, b) => (a.path < b.path ? -1 : 1))
  const tar = await packTar(
    files.map(({ path, bytes, executable }) => ({ header: canonical(path, bytes, executable), body: bytes })),
  )
  const digest = new Uint8Array(await crypto.subtle.digest('SHA-256', tar))
  const hash = Array.from(digest, (byte) => byte.toString(16).padStart(2, '0')).join('')
  return {
    ok: true,
    bundle: { tar, hash, files: files.map(({ path, bytes }) => ({ path, size: bytes.length })) },
  }
}

function canonical(path: string, { length }: Uint8Array, executable: boolean): TarHeader {
  const owner = { uid: 0, gid: 0, uname: '', gname: '' }
  return {
    name: ROOT + path,
    size: length,
    type: 'file',
    mode: executable ? 0o755 : 0o644,
    mtime: new Date(0),
    ...owner,
  }
}

function decodeText(bytes: Uint8Array): string | undefined {
  try {
    const text = new TextDecoder('utf-8', { fatal: true, ignoreBOM: true }).decode(bytes)
    return text.includes('\0') ? undefined : text
  } catch {
    return undefined
  }
}

function refuse(path: string, message: string): BundleResult {
  return { ok: false, faults: [{ path, message }] }
}
