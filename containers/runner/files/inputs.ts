import { createHash } from 'node:crypto'
import { chmod, mkdir, open, readdir, rename, rm, stat } from 'node:fs/promises'
import { join } from 'node:path'
import { Refusal } from '../refusal.ts'

/** Files that jobs read, by their sha256: on disk within a bound, those used longest ago dropped first. */
export class Inputs {
  readonly #folder: string
  readonly #maxBytes: number
  /** Size in bytes by hash, the one used longest ago first. */
  readonly #sizes = new Map<string, number>()
  /** How many jobs hold each. */
  readonly #held = new Map<string, number>()
  #parts = 0

  private constructor(folder: string, maxBytes: number) {
    this.#folder = folder
    this.#maxBytes = maxBytes
  }

  /** What an earlier runner was still receiving is removed. */
  static async open(folder: string, maxBytes: number): Promise<Inputs> {
    await mkdir(folder, { recursive: true, mode: 0o711 })
    const inputs = new Inputs(folder, maxBytes)
    for (const name of await readdir(folder)) {
      if (name.includes('.')) await rm(join(folder, name), { force: true })
      else inputs.#sizes.set(name, (await stat(join(folder, name))).size)
    }
    return inputs
  }

  has(hash: string): boolean {
    return this.#sizes.has(hash)
  }

  /** Takes a file in. Throws a `Refusal` when it is too large or has another hash; then nothing of it stays. */
  async put(hash: string, body: AsyncIterable<Buffer>): Promise<void> {
    const part = join(this.#folder, `${hash}.${this.#parts++}`)
    try {
      const bytes = await this.#receive(part, hash, body)
      await chmod(part, 0o444)
      await rename(part, join(this.#folder, hash))
      this.#use(hash, bytes)
      await this.#evict(hash)
    } finally {
      await rm(part, { force: true })
    }
  }

  /** Keeps files from being dropped until what it answers is called; null when one of them is not here. */
  hold(hashes: string[]): (() => void) | null {
    if (!hashes.every((hash) => this.has(hash))) return null
    for (const hash of hashes) {
      this.#use(hash, this.#sizes.get(hash) ?? 0)
      this.#held.set(hash, (this.#held.get(hash) ?? 0) + 1)
    }
    return () => {
      for (const hash of hashes) this.#letGo(hash)
    }
  }

  #letGo(hash: string): void {
    const others = (this.#held.get(hash) ?? 1) - 1
    if (others > 0) this.#held.set(hash, others)
    else this.#held.delete(hash)
  }

  #use(hash: string, bytes: number): void {
    this.#sizes.delete(hash)
    this.#sizes.set(hash, bytes)
  }

  async #receive(part: string, hash: string, body: AsyncIterable<Buffer>): Promise<number> {
    const digest = createHash('sha256')
    const file = await open(part, 'wx', 0o600)
    let bytes = 0
    try {
      for await (const piece of body) {
        bytes += piece.length
        if (bytes > this.#maxBytes)
          throw new Refusal(413, 'input_too_large', `A file has at most ${this.#maxBytes} bytes here.`)
        digest.update(piece)
        await file.writeFile(piece)
      }
    } finally {
      await file.close()
    }
    if (digest.digest('hex') === hash) return bytes
    throw new Refusal(422, 'wrong_hash', 'The body has another sha256 than its address.')
  }

  /** A file that a job holds lives on until the job has ended; so does the newest one. */
  async #evict(newest: string): Promise<void> {
    let total = [...this.#sizes.values()].reduce((sum, bytes) => sum + bytes, 0)
    for (const [oldest, bytes] of this.#sizes) {
      if (total <= this.#maxBytes) return
      if (oldest === newest || this.#held.has(oldest)) continue
      this.#sizes.delete(oldest)
      total -= bytes
      await rm(join(this.#folder, oldest), { force: true })
    }
  }
}
