import { createHash } from 'node:crypto'
import { mkdir, open, rm } from 'node:fs/promises'
import type { FileHandle } from 'node:fs/promises'
import { join } from 'node:path'

const KEEP_MS = 600_000
const SWEEP_MS = 60_000
const PIECE_BYTES = 2 ** 20

interface Kept {
  path: string
  bytes: number
  at: number
}

/** Files that ended jobs made, copied out of their sandboxes: for ten minutes, or until they are fetched. */
export class Outputs {
  readonly maxBytes: number
  readonly #folder: string
  /** By job, oldest first. */
  readonly #kept = new Map<string, Map<string, Kept>>()
  #copies = 0

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.maxBytes = maxBytes
  }

  /** What an earlier runner kept is nobody's any more. */
  static async open(folder: string, maxBytes: number): Promise<Outputs> {
    await rm(folder, { recursive: true, force: true })
    await mkdir(folder, { recursive: true, mode: 0o700 })
    const outputs = new Outputs(folder, maxBytes)
    setInterval(() => void outputs.#forget(), SWEEP_MS).unref()
    return outputs
  }

  /** Copies an open file; answers what it holds. */
  async keep(job: string, name: string, file: FileHandle): Promise<{ size: number; sha256: string }> {
    const path = join(this.#folder, String(this.#copies++))
    try {
      const { size, sha256 } = await copy(file, path)
      const files = this.#kept.get(job) ?? new Map<string, Kept>()
      files.set(name, { path, bytes: size, at: performance.now() })
      this.#kept.set(job, files)
      await this.#forget(job)
      return { size, sha256 }
    } catch (error) {
      await rm(path, { force: true })
      throw error
    }
  }

  /** Where a kept file lies. */
  path(job: string, name: string): string | undefined {
    return this.#kept.get(job)?.get(name)?.path
  }

  /** Removes what is kept of a job. */
  async drop(job: string): Promise<void> {
    const files = [...(this.#kept.get(job)?.values() ?? [])]
    this.#kept.delete(job)
    await Promise.all(files.map(({ path }) => rm(path, { force: true })))
  }

  async #forget(newest?: string): Promise<void> {
    const all = () => [...this.#kept.values()].flatMap((files) => [...files.values()])
    let total = all().reduce((sum, { bytes }) => sum + bytes, 0)
    for (const [job, files] of this.#kept) {
      const isOld = [...files.values()].some(({ at }) => performance.now() - at > KEEP_MS)
      if (job === newest || (!isOld && total <= this.maxBytes)) continue
      for (const { bytes } of files.values()) total -= bytes
      await this.drop(job)
    }
  }
}

async function copy(from: FileHandle, path: string): Promise<{ size: number; sha256: string }> {
  const digest = createHash('sha256')
  const to = await open(path, 'wx', 0o600)
  let size = 0
  try {
    const piece = Buffer.allocUnsafe(PIECE_BYTES)
    for (;;) {
      const { bytesRead } = await from.read(piece, 0, PIECE_BYTES, size)
      if (bytesRead === 0) break
      digest.update(piece.subarray(0, bytesRead))
      await to.writeFile(piece.subarray(0, bytesRead))
      size += bytesRead
    }
  } finally {
    await to.close()
  }
  return { size, sha256: digest.digest('hex') }
}
