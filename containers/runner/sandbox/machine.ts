import { execFile } from 'node:child_process'
import { chmod, cp, mkdir, open, readFile, rm, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import type { Settings } from '../settings.ts'
import { Cgroups } from './cgroups.ts'
import { KINDS } from './kinds.ts'
import { unmountAllUnder } from './mounts.ts'
import { MAX_SLOTS, Slots } from './slots.ts'
import { syscallFilter } from './syscalls.ts'

/** What sandboxes are made from on this machine. */
export interface Machine {
  /** Readable for the slots' users: boot files in `boot`, Node at `node`, the slots in `slots`. */
  folder: string
  slots: Slots
  /** The file of the system call filter; null where there is none for this processor. */
  filter: string | null
  /** Null where this runner may not limit with control groups. */
  cgroups: Cgroups | null
}

const BOOT = join(dirname(fileURLToPath(import.meta.url)), '..', 'boot')

/** Slots beyond the running jobs, for sandboxes that are being cleared away. */
const SPARE_SLOTS = 4

/** Clears what an earlier runner of the same data folder left, and prepares everything that sandboxes share. */
export async function openMachine(settings: Settings): Promise<Machine> {
  await claim(join(settings.data, 'runner.pid'))
  const folder = `/run/workshop-${settings.key}`
  const cgroups = settings.cgroups ? await Cgroups.open(settings.key) : null
  await unmountAllUnder(folder)
  await rm(folder, { recursive: true, force: true })
  await mkdir(folder, { mode: 0o711 })
  await cp(BOOT, join(folder, 'boot'), { recursive: true })
  await promisify(execFile)('chmod', ['-R', 'a+rX', join(folder, 'boot')])
  await bindNode(join(folder, 'node'))
  const filter = await writeFilter(join(folder, 'syscalls'))
  const count = settings.jobs + KINDS.length * settings.pool + SPARE_SLOTS
  if (count > MAX_SLOTS)
    throw new Error(`RUNNER_JOBS and RUNNER_POOL ask for ${count} sandboxes; ${MAX_SLOTS} is the most.`)
  const slots = await Slots.open(join(folder, 'slots'), settings.key, count)
  await chmod(join(folder, 'slots'), 0o711)
  return { folder, slots, cgroups, filter }
}

/** Removes what `openMachine` made. Sandboxes must be gone. */
export async function closeMachine(machine: Machine): Promise<void> {
  await machine.cgroups?.close()
  await unmountAllUnder(machine.folder)
  await rm(machine.folder, { recursive: true, force: true })
}

async function writeFilter(at: string): Promise<string | null> {
  const filter = syscallFilter()
  if (!filter) return null
  await writeFile(at, filter)
  return at
}

/** The Node that runs this program, where the slots' users can reach it whatever folder it was installed to. */
async function bindNode(at: string): Promise<void> {
  await (await open(at, 'w', 0o755)).close()
  await promisify(execFile)('mount', ['-n', '--bind', process.execPath, at])
}

/** Two runners on one data folder would clear each other's sandboxes away: the second one throws. */
async function claim(file: string): Promise<void> {
  await mkdir(dirname(file), { recursive: true })
  const earlier = await readFile(file, 'utf8').catch(() => '')
  const [pid, startedAt] = earlier.split(' ')
  if (pid && startedAt && (await startTime(Number(pid))) === startedAt) {
    throw new Error(`Another runner (process ${pid}) uses ${dirname(file)}; stop it or set RUNNER_DATA.`)
  }
  await writeFile(file, `${process.pid} ${await startTime(process.pid)}`)
}

/** When a process started, in clock ticks since boot; tells a process from a later one with its number. */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}
