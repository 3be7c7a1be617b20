import { execFile } from 'node:child_process'
import { readFile } from 'node:fs/promises'
import { promisify } from 'node:util'

const command = promisify(execFile)

/** Files and folders that fit into one run's disk. */
const MAX_ENTRIES = 100_000

/** Mounts an empty disk in memory of exactly `megabytes`. Rejects when this program may not mount. */
export async function mountDisk(folder: string, megabytes: number): Promise<void> {
  const options = `${size(megabytes)},nr_inodes=${MAX_ENTRIES},mode=0711,nosuid,nodev`
  await command('mount', ['-n', '-t', 'tmpfs', '-o', options, 'workshop', folder])
}

export async function resizeDisk(folder: string, megabytes: number): Promise<void> {
  await command('mount', ['-n', '-o', `remount,${size(megabytes)}`, folder])
}

/** Lets the disk go; its memory is free as soon as nothing has a file of it open. */
export async function unmountDisk(folder: string): Promise<void> {
  await command('umount', ['-n', '-l', folder])
}

/** Unmounts what an earlier runner left under `folder`. */
export async function unmountAllUnder(folder: string): Promise<void> {
  const table = await readFile('/proc/self/mountinfo', 'utf8')
  const points = table.split('\n').map((line) => (line.split(' ')[4] ?? '').replaceAll('\\040', ' '))
  for (const point of points.toReversed()) if (point.startsWith(`${folder}/`)) await unmountDisk(point)
}

function size(megabytes: number): string {
  return `size=${megabytes}m`
}
