import { chown, mkdir, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { BundleEntry } from '../bundles.ts'
import type { Slot } from './slots.ts'

/** Fills `/work` of a sandbox whose program has not started; everything belongs to the slot's user. */
export async function fillWork(slot: Slot, entries: BundleEntry[]): Promise<void> {
  const work = join(slot.disk, 'work')
  const made = new Set(['.'])
  for (const entry of entries) {
    await makeFolders(entry.data ? dirname(entry.path) : entry.path)
    if (!entry.data) continue
    const file = join(work, entry.path)
    await writeFile(file, entry.data, { mode: entry.mode | 0o600 })
    await chown(file, slot.uid, slot.uid)
  }

  async function makeFolders(path: string): Promise<void> {
    if (made.has(path)) return
    await makeFolders(dirname(path))
    await mkdir(join(work, path), { mode: 0o755 })
    await chown(join(work, path), slot.uid, slot.uid)
    made.add(path)
  }
}
