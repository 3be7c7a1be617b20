/** Keeps the first `limit` bytes of a stream and says when there were more. */
export class Head {
  readonly #limit: number
  readonly #pieces: Buffer[] = []
  #kept = 0
  /** Called when there is a byte past the limit. */
  onOver: () => void = () => undefined

  constructor(limit: number) {
    this.#limit = limit
  }

  add(bytes: Buffer): void {
    const room = this.#limit - this.#kept
    if (room > 0) this.#pieces.push(bytes.subarray(0, room))
    this.#kept += Math.min(room, bytes.length)
    if (bytes.length > room) this.onOver()
  }

  bytes(): Buffer {
    return Buffer.concat(this.#pieces)
  }
}

/** Keeps the last `limit` bytes of a stream and counts all of them. */
export class Tail {
  readonly #limit: number
  #pieces: Buffer[] = []
  #held = 0
  total = 0

  constructor(limit: number) {
    this.#limit = limit
  }

  add(bytes: Buffer): void {
    this.total += bytes.length
    this.#held += bytes.length
    this.#pieces.push(bytes)
    if (this.#held > 2 * this.#limit + 65_536) this.#shorten()
  }

  text(): string {
    this.#shorten()
    const kept = Buffer.concat(this.#pieces)
    return (this.total > this.#limit ? withoutCutStart(kept) : kept).toString('utf8')
  }

  #shorten(): void {
    const all = Buffer.concat(this.#pieces)
    const kept = Buffer.from(all.subarray(Math.max(0, all.length - this.#limit)))
    this.#pieces = [kept]
    this.#held = kept.length
  }
}

/** Drops the rest of a character (at most three bytes) that the cut went through. */
function withoutCutStart(bytes: Buffer): Buffer {
  let start = 0
  while (start < 3 && ((bytes[start] ?? 0) & 0xc0) === 0x80) start++
  return bytes.subarray(start)
}
