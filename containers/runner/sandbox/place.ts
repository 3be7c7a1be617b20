import { chown, mkdir, rm, statfs, truncate } from 'node:fs/promises'
import { join } from 'node:path'
import { clearFolders, writeLimits } from '../landlock/folders.ts'
import type { Cgroup, GroupLimits } from '../linux/cgroups.ts'
import { mountDisk, resizeDisk, unmountDisk } from '../linux/mounts.ts'
import type { Machine } from './machine.ts'
import type { Slot } from './slots.ts'

/** How much of the machine one run may use. */
export interface Room {
  memory_mb: number
  disk_mb: number
  processes: number
}

/** A slot made ready for one sandbox: an empty disk mounted, limits set. */
export interface Place {
  slot: Slot
  cgroup: Cgroup | null
  room: Room
}

/** What a place is opened with; a job that wants other limits gets them before it starts. */
export const USUAL_ROOM: Room = { memory_mb: 1024, disk_mb: 1024, processes: 64 }

/** bubblewrap and the sandbox's process 1 count as processes of the group too. */
export const OWN_PROCESSES = 2

/** The folders of a run's disk: the program's own, which share its size, and where a waiting Node's entry is. */
const OWN_FOLDERS = ['work', 'tmp', 'shm']
const ENTRY_FOLDER = 'entry'

/** Up to so many files and folders are removed sooner than a disk is unmounted and mounted. */
const FEW_ENTRIES = 200

export async function openPlace(machine: Machine): Promise<Place> {
  const slot = await machine.slots.take()
  try {
    const limits = groupLimits(USUAL_ROOM)
    const [cgroup] = await Promise.all([machine.cgroups?.create(limits) ?? null, openDisk(machine, slot)])
    return { slot, cgroup, room: USUAL_ROOM }
  } catch (error) {
    await closePlace(machine, { slot, cgroup: null, room: USUAL_ROOM })
    throw error
  }
}

/** Changes the limits to a job's own, where they differ. */
export async function fitPlace(place: Place, room: Room): Promise<void> {
  const { slot, cgroup, room: now } = place
  if (!slot.hasDisk) await writeLimits(slot, room)
  else if (room.disk_mb !== now.disk_mb) await resizeDisk(slot.disk, room.disk_mb)
  const isUsual =
    room.memory_mb === now.memory_mb && room.disk_mb === now.disk_mb && room.processes === now.processes
  if (!isUsual) await cgroup?.limit(groupLimits(room))
  place.room = room
}

/** Clears the disk and drops the group of a place whose processes are gone, and gives the slot back. */
export async function closePlace(machine: Machine, place: Place): Promise<void> {
  const { slot, cgroup } = place
  await Promise.allSettled([clearDisk(place), cgroup?.remove(), truncate(slot.stdin)])
  machine.slots.giveBack(slot)
}

/** Where nothing can be mounted the disk is a plain folder. */
async function openDisk(machine: Machine, slot: Slot): Promise<void> {
  const mayMount = machine.seal === 'bubblewrap'
  if (mayMount && !slot.hasDisk) await mountDisk(slot.disk, USUAL_ROOM.disk_mb)
  slot.hasDisk = mayMount
  for (const name of OWN_FOLDERS) {
    const folder = join(slot.disk, name)
    await mkdir(folder, { mode: 0o700 })
    await chown(folder, slot.uid, slot.uid)
  }
  await mkdir(join(slot.disk, ENTRY_FOLDER), { mode: 0o755 })
}

/** Leaves an empty disk of the usual size, or none where that is the shorter or the only way. */
async function clearDisk(place: Place): Promise<void> {
  const { slot } = place
  if (!slot.hasDisk) return clearFolders(slot)
  const isEmpty = (await hasLittle(place)) && (await removeFolders(slot))
  if (isEmpty) return
  slot.hasDisk = false
  await unmountDisk(slot.disk)
}

async function hasLittle({ slot, room }: Place): Promise<boolean> {
  const { files, ffree } = await statfs(slot.disk)
  return room.disk_mb === USUAL_ROOM.disk_mb && files - ffree < FEW_ENTRIES
}

/** False when a program left what cannot be removed by its path, such as folders nested too deep. */
async function removeFolders(slot: Slot): Promise<boolean> {
  const folders = [...OWN_FOLDERS, ENTRY_FOLDER].map((name) => join(slot.disk, name))
  const removed = await Promise.allSettled(folders.map((folder) => rm(folder, { recursive: true })))
  return removed.every(({ status }) => status === 'fulfilled')
}

/** Files on the run's disk lie in memory and count as such, so the kernel's limit is the sum of both. */
function groupLimits(room: Room): GroupLimits {
  return {
    memoryBytes: (room.memory_mb + room.disk_mb) * 2 ** 20,
    processes: room.processes + OWN_PROCESSES,
  }
}
