import { execFile } from 'node:child_process'
import { constants } from 'node:fs'
import { cp, copyFile, mkdir, open, rm, symlink, writeFile } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import { fileURLToPath } from 'node:url'
import { promisify } from 'node:util'
import { FENCE } from '../landlock/command.ts'
import { Cgroups } from '../linux/cgroups.ts'
import { unmountAllUnder } from '../linux/mounts.ts'
import { syscallFilter } from '../linux/syscalls.ts'
import type { Settings } from '../settings.ts'
import { KINDS } from './kinds.ts'
import { Slots } from './slots.ts'

/** How runs are sealed: by namespaces, or where there are none by user ids, Landlock and a filter of system calls. */
export type Seal = 'bubblewrap' | 'landlock'

/** What sandboxes are made from on this machine. */
export interface Machine {
  seal: Seal
  /** Readable for the slots' users: boot files in `boot`, Node at `node`, the slots in `slots`, files in `inputs`. */
  folder: string
  slots: Slots
  /** The file of the system call filter; null where there is none for this processor. */
  filter: string | null
  /** Whether bubblewrap can take nested user namespaces away. */
  mayDisableNesting: boolean
  /** Null where this runner may not limit with control groups. */
  cgroups: Cgroups | null
}

const command = promisify(execFile)

const BOOT = join(dirname(fileURLToPath(import.meta.url)), '..', 'boot')

/** Slots beyond the running jobs, for sandboxes that are being cleared away. */
const SPARE_SLOTS = 4

/** Clears what an earlier runner of the same data folder left, and prepares everything that sandboxes share. */
export async function openMachine(settings: Settings, seal: Seal): Promise<Machine> {
  const folder = `/run/workshop-${settings.key}`
  const hasNamespaces = seal === 'bubblewrap'
  const cgroups = settings.cgroups && hasNamespaces ? await Cgroups.open(settings.key) : null
  try {
    await clear(folder)
    await mkdir(folder, { mode: 0o711 })
    await cp(BOOT, join(folder, 'boot'), { recursive: true })
    await command('chmod', ['-R', 'a+rX', join(folder, 'boot')])
    await (hasNamespaces ? bindNode(join(folder, 'node')) : placeNode(join(folder, 'bin')))
    const inputs = { from: join(settings.data, 'inputs'), at: join(folder, 'inputs') }
    await (hasNamespaces ? bindInputs(inputs.from, inputs.at) : symlink(inputs.from, inputs.at))
    const filter = await writeFilter(join(folder, 'syscalls'), syscallFilter(hasNamespaces))
    if (!filter && !hasNamespaces) throw new Error(`There is no filter of system calls for ${process.arch}.`)
    const pooled = hasNamespaces ? KINDS.length * settings.pool : 0
    const count = settings.jobs + pooled + SPARE_SLOTS
    if (count > FENCE && !hasNamespaces) throw new Error(`RUNNER_JOBS may be ${FENCE - SPARE_SLOTS} at most.`)
    const slots = await Slots.open(join(folder, 'slots'), settings.key, count)
    const mayDisable = hasNamespaces && (await mayDisableNesting())
    return { seal, folder, slots, cgroups, filter, mayDisableNesting: mayDisable }
  } catch (error) {
    await cgroups?.close()
    await clear(folder)
    throw error
  }
}

/** Removes what `openMachine` made. Sandboxes must be gone. */
export async function closeMachine(machine: Machine): Promise<void> {
  await machine.cgroups?.close()
  await clear(machine.folder)
}

async function clear(folder: string): Promise<void> {
  await unmountAllUnder(folder)
  await rm(folder, { recursive: true, force: true })
}

/** Containers often show /proc/sys read-only: then the call filter alone keeps programs from making namespaces. */
async function mayDisableNesting(): Promise<boolean> {
  const probe = ['--unshare-user', '--disable-userns', '--ro-bind', '/', '/', 'true']
  return command('bwrap', probe).then(
    () => true,
    () => false,
  )
}

async function writeFilter(at: string, filter: Buffer | null): Promise<string | null> {
  if (!filter) return null
  await writeFile(at, filter)
  return at
}

/** The Node that runs this program, where the slots' users can reach it whatever folder it was installed to. */
async function bindNode(at: string): Promise<void> {
  await (await open(at, 'w', 0o755)).close()
  await command('mount', ['-n', '--bind', process.execPath, at])
}

/** The same where nothing can be mounted; below /usr programs reach it anyway. */
async function placeNode(folder: string): Promise<void> {
  const at = join(folder, 'node')
  await mkdir(folder)
  if (process.execPath.startsWith('/usr/')) await symlink(process.execPath, at)
  else await copyFile(process.execPath, at, constants.COPYFILE_FICLONE)
}

/** The files that jobs read, where the slots' users can reach each that they are told of, and list none. */
async function bindInputs(from: string, at: string): Promise<void> {
  await mkdir(from, { recursive: true, mode: 0o711 })
  await mkdir(at)
  await command('mount', ['-n', '--bind', from, at])
}
