import { createHash } from 'node:crypto'
import { mkdir, readFile, readdir, rename, rm, stat, writeFile } from 'node:fs/promises'
import { join, posix } from 'node:path'
import { unpackTar } from 'modern-tar'
import { Refusal } from './refusal.ts'

/** One file (`data`) or folder (`null`) of a bundle; `path` is below `/work`, without `.` or `..`. */
export interface BundleEntry {
  path: string
  mode: number
  data: Uint8Array | null
}

/** 20 MB of content and 2,000 entries with their headers and padding fit. */
const MAX_TAR_BYTES = 32 * 2 ** 20
const MAX_CONTENT_BYTES = 20 * 2 ** 20
const MAX_ENTRIES = 2000
/** Unpacked bundles kept in memory. */
const MEMORY_BYTES = 64 * 2 ** 20

/** Bundles by their hash: on disk within a bound, the latest ones also unpacked in memory. */
export class Bundles {
  readonly #folder: string
  readonly #maxBytes: number
  /** Size in bytes by hash, the one used longest ago first. */
  readonly #sizes = new Map<string, number>()
  readonly #unpacked = new Map<string, { entries: Promise<BundleEntry[]>; bytes: number }>()

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
  }

  static async open(folder: string, maxBytes: number): Promise<Bundles> {
    await mkdir(folder, { recursive: true })
    const bundles = new Bundles(folder, maxBytes)
    for (const name of await readdir(folder)) {
      if (name.endsWith('.tar')) bundles.#sizes.set(name.slice(0, -4), (await stat(join(folder, name))).size)
      else await rm(join(folder, name), { force: true })
    }
    return bundles
  }

  has(hash: string): boolean {
    return this.#sizes.has(hash)
  }

  /** Takes a tar in. Throws a `Refusal` when it is too large, has another hash, or holds what may not be unpacked. */
  async put(hash: string, body: AsyncIterable<Buffer>): Promise<void> {
    const tar = await receive(hash, body)
    const entries = await unpack(tar)
    const part = join(this.#folder, `${hash}.${process.hrtime.bigint()}.part`)
    await writeFile(part, tar)
    await rename(part, this.#file(hash))
    this.#sizes.delete(hash)
    this.#sizes.set(hash, tar.length)
    this.#remember(hash, Promise.resolve(entries), tar.length)
    await this.#evict()
  }

  /** The entries of a bundle that `has` just answered true for. */
  entries(hash: string): Promise<BundleEntry[]> {
    const bytes = this.#sizes.get(hash) ?? 0
    this.#sizes.delete(hash)
    this.#sizes.set(hash, bytes)
    const entries = this.#unpacked.get(hash)?.entries ?? readFile(this.#file(hash)).then(unpack)
    this.#remember(hash, entries, bytes)
    return entries
  }

  #remember(hash: string, entries: Promise<BundleEntry[]>, bytes: number): void {
    this.#unpacked.delete(hash)
    this.#unpacked.set(hash, { entries, bytes })
    let total = sum([...this.#unpacked.values()].map((kept) => kept.bytes))
    for (const [oldest, kept] of this.#unpacked) {
      if (total <= MEMORY_BYTES) return
      this.#unpacked.delete(oldest)
      total -= kept.bytes
    }
  }

  async #evict(): Promise<void> {
    let total = sum([...this.#sizes.values()])
    for (const [oldest, bytes] of this.#sizes) {
      if (total <= this.#maxBytes) return
      this.#sizes.delete(oldest)
      total -= bytes
      await rm(this.#file(oldest), { force: true })
    }
  }

  #file(hash: string): string {
    return join(this.#folder, `${hash}.tar`)
  }
}

async function receive(hash: string, body: AsyncIterable<Buffer>): Promise<Buffer> {
  const digest = createHash('sha256')
  const pieces: Buffer[] = []
  let bytes = 0
  for await (const piece of body) {
    bytes += piece.length
    if (bytes > MAX_TAR_BYTES)
      throw new Refusal(413, 'bundle_too_large', `A bundle has at most ${MAX_TAR_BYTES} bytes.`)
    digest.update(piece)
    pieces.push(piece)
  }
  if (digest.digest('hex') !== hash)
    throw new Refusal(422, 'wrong_hash', 'The body has another sha256 than its address.')
  return Buffer.concat(pieces)
}

async function unpack(tar: Uint8Array): Promise<BundleEntry[]> {
  const members = await unpackTar(tar as Uint8Array<ArrayBuffer>, { strict: true }).catch(
    (error: unknown) => {
      throw new Refusal(422, 'bad_bundle', `The bundle is not a tar: ${String(error)}`)
    },
  )
  const entries = new Map<string, BundleEntry>()
  for (const { header, data } of members) {
    const path = placeBelowWork(header.name)
    const isKnown = header.type === 'file' || header.type === 'directory'
    if (!isKnown || (path === null && header.type === 'file')) refuse(header.name, `is a ${header.type}`)
    if (path === null) continue
    const isFile = header.type === 'file'
    entries.set(path, {
      path,
      mode: (header.mode ?? 0) & 0o777,
      data: isFile ? (data ?? new Uint8Array()) : null,
    })
  }
  check([...entries.values()], entries)
  return [...entries.values()]
}

/** The path below `/work`; null for the folders `.`, `./` and `work/` themselves. */
function placeBelowWork(name: string): string | null {
  const path = posix.normalize(name).replace(/\/+$/, '')
  if (path === '.' || path === 'work') return null
  const isPlain = path.startsWith('work/') && !name.split('/').includes('..') && !name.includes('\0')
  return isPlain ? path.slice('work/'.length) : refuse(name, 'is not below work/')
}

function check(list: BundleEntry[], entries: Map<string, BundleEntry>): void {
  if (list.length > MAX_ENTRIES)
    throw new Refusal(422, 'bad_bundle', `A bundle has at most ${MAX_ENTRIES} entries.`)
  const bytes = sum(list.map((entry) => entry.data?.length ?? 0))
  if (bytes > MAX_CONTENT_BYTES)
    throw new Refusal(422, 'bad_bundle', `A bundle unpacks to at most ${MAX_CONTENT_BYTES} bytes.`)
  for (const entry of list) {
    for (let parent = posix.dirname(entry.path); parent !== '.'; parent = posix.dirname(parent)) {
      if (entries.get(parent)?.data) refuse(entry.path, `lies below the file ${parent}`)
    }
  }
}

function refuse(name: string, why: string): never {
  throw new Refusal(
    422,
    'bad_bundle',
    `"${name}" ${why}; only plain files and folders below work/ are taken.`,
  )
}

function sum(numbers: number[]): number {
  return numbers.reduce((total, number) => total + number, 0)
}
