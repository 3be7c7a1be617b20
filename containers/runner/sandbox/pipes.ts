import * as fs from 'node:fs'
import { Socket } from 'node:net'
import { promisify } from 'node:util'
import type { Slot } from './slots.ts'

const open = promisify(fs.open)
const { O_RDONLY, O_WRONLY, O_NONBLOCK } = fs.constants

/** As much as a pipe holds (`boot/init.pl` sets it). */
const PIPE_BYTES = 2 ** 20
const PIECE_BYTES = 65_536

/** The program's stdin, stdout and stderr as plain descriptors, and our ends of the two pipes. */
export interface Pipes {
  inside: [number, number, number]
  stdout: Outflow
  stderr: Outflow
}

/** Opens a slot's pipes: ours first, so that neither end waits for the other. */
export async function openPipes(slot: Slot): Promise<Pipes> {
  const stdout = await open(slot.stdout, O_RDONLY | O_NONBLOCK)
  const stderr = await open(slot.stderr, O_RDONLY | O_NONBLOCK)
  const inside: Pipes['inside'] = [
    await open(slot.stdin, O_RDONLY),
    await open(slot.stdout, O_WRONLY),
    await open(slot.stderr, O_WRONLY),
  ]
  return { inside, stdout: new Outflow(stdout), stderr: new Outflow(stderr) }
}

/** To be called once the program has its ends: only then does ours see the end of its output. */
export function closeInside(pipes: Pipes): void {
  for (const fd of pipes.inside) fs.closeSync(fd)
}

export function closePipes(pipes: Pipes): void {
  pipes.stdout.close()
  pipes.stderr.close()
}

/** What a program prints, as it comes. Always read, so that the program never waits for us. */
export class Outflow {
  /** Gets every piece. */
  take: (bytes: Buffer) => void = () => undefined
  readonly #fd: number
  readonly #socket: Socket

  constructor(fd: number) {
    this.#fd = fd
    this.#socket = new Socket({ fd, readable: true, writable: false })
    this.#socket.on('data', (bytes: Buffer) => this.take(bytes))
    this.#socket.on('error', () => this.#socket.destroy())
  }

  /** Takes what stands in the pipe at this moment, whoever may still be printing. */
  drain(): void {
    for (let taken = 0; taken < PIPE_BYTES && !this.#socket.destroyed;) {
      const bytes = Buffer.allocUnsafe(PIECE_BYTES)
      const count = readNow(this.#fd, bytes)
      if (count === 0) return
      taken += count
      this.take(bytes.subarray(0, count))
    }
  }

  close(): void {
    this.#socket.destroy()
  }
}

/** Bytes read without waiting; 0 at the end or when there are none. */
function readNow(fd: number, into: Buffer): number {
  try {
    return fs.readSync(fd, into)
  } catch {
    return 0
  }
}
