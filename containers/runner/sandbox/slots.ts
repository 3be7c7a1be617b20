import { execFile } from 'node:child_process'
import { chown, mkdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { promisify } from 'node:util'

/** A place for one sandbox at a time: a user id of its own and the files that lead into it. */
export interface Slot {
  /** User and group id on this machine; no other slot has it. */
  uid: number
  /** Where the run's disk is mounted. */
  disk: string
  /** Whether an empty disk is mounted there already. */
  hasDisk: boolean
  /** A plain file, and two named pipes: unlike sockets they can be opened again by way of /dev/stdin, /dev/stdout. */
  stdin: string
  stdout: string
  stderr: string
}

/** Each runner of a machine takes 128 user ids of its own between 10,000 and 58,000. */
const FIRST_UID = 10_000
const UIDS_EACH = 128
const RUNNERS = 375
const MAX_SLOTS = UIDS_EACH

/** Hands out slots; who finds none free waits in line. */
export class Slots {
  readonly #free: Slot[]
  readonly #waiting: ((slot: Slot) => void)[] = []

  private constructor(slots: Slot[]) {
    this.#free = slots
  }

  static async open(folder: string, key: string, count: number): Promise<Slots> {
    if (count > MAX_SLOTS) throw new Error(`${count} sandboxes are asked for; ${MAX_SLOTS} is the most.`)
    const firstUid = FIRST_UID + (Number.parseInt(key, 16) % RUNNERS) * UIDS_EACH
    const slots = Array.from({ length: count }, (_, index) => describe(folder, index, firstUid))
    await Promise.all(slots.map((slot) => mkdir(slot.disk, { recursive: true })))
    await promisify(execFile)('mkfifo', ['-m', '600', ...slots.flatMap((slot) => [slot.stdout, slot.stderr])])
    for (const slot of slots) {
      await chown(slot.stdout, slot.uid, slot.uid)
      await chown(slot.stderr, slot.uid, slot.uid)
      // Not the slot's own: its program may read it again, never write to it.
      await writeFile(slot.stdin, '', { mode: 0o640 })
      await chown(slot.stdin, 0, slot.uid)
    }
    return new Slots(slots)
  }

  async take(): Promise<Slot> {
    return this.#free.shift() ?? new Promise<Slot>((resolve) => this.#waiting.push(resolve))
  }

  giveBack(slot: Slot): void {
    const next = this.#waiting.shift()
    if (next) next(slot)
    else this.#free.push(slot)
  }
}

function describe(folder: string, index: number, firstUid: number): Slot {
  const place = join(folder, `slot-${index}`)
  return {
    uid: firstUid + index,
    disk: join(place, 'disk'),
    hasDisk: false,
    stdin: join(place, 'stdin'),
    stdout: join(place, 'stdout'),
    stderr: join(place, 'stderr'),
  }
}
