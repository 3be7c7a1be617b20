import { chownSync, mkdirSync, symlinkSync, writeFileSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { setImmediate as turn } from 'node:timers/promises'
import type { BundleEntry } from '../bundles.ts'
import type { Slot } from '../sandbox/slots.ts'

/** Entries written before others get a turn: the disk is memory, where one entry takes some 30 µs. */
const ENTRIES_A_TURN = 50

/** Fills `/work` of a sandbox whose program has not started; everything belongs to the slot's user. */
export async function fillWork(slot: Slot, entries: BundleEntry[]): Promise<void> {
  const work = join(slot.disk, 'work')
  const made = new Set(['.'])
  for (const [index, entry] of entries.entries()) {
    if (index % ENTRIES_A_TURN === ENTRIES_A_TURN - 1) await turn()
    makeFolders(entry.data ? dirname(entry.path) : entry.path)
    if (!entry.data) continue
    const file = join(work, entry.path)
    writeFileSync(file, entry.data, { mode: entry.mode | 0o600 })
    chownSync(file, slot.uid, slot.uid)
  }

  function makeFolders(path: string): void {
    if (made.has(path)) return
    makeFolders(dirname(path))
    mkdirSync(join(work, path), { mode: 0o755 })
    chownSync(join(work, path), slot.uid, slot.uid)
    made.add(path)
  }
}

/** Lets a waiting Node's entry lead to the job's own file, a path below `/work`. */
export function linkEntry(slot: Slot, path: string): void {
  symlinkSync(join('/work', path), join(slot.disk, 'entry', 'main'))
}
