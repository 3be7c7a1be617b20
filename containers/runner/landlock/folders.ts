import { execFile } from 'node:child_process'
import { mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { promisify } from 'node:util'
import type { Room } from '../sandbox/place.ts'
import type { Slot } from '../sandbox/slots.ts'

const command = promisify(execFile)

/** The file that `boot/landlock.pl` reads before it starts the program: processes, and bytes of one file. */
export function limitsFile(slot: Slot): string {
  return join(dirname(slot.disk), 'limits')
}

export async function writeLimits(slot: Slot, room: Room): Promise<void> {
  await writeFile(limitsFile(slot), `${room.processes} ${room.disk_mb * 2 ** 20}`)
}

/** Leaves an empty folder in place of a slot's disk; unlike Node's `rm` it also gets through the deepest maze. */
export async function clearFolders(slot: Slot): Promise<void> {
  await command('rm', ['-rf', '--one-file-system', slot.disk])
  await mkdir(slot.disk)
}
