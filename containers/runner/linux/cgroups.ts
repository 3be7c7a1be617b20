import { readFileSync } from 'node:fs'
import { mkdir, readFile, readdir, rmdir, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'
import { kill } from './kill.ts'

/** What differs between the two generations of control groups. */
interface Generation {
  name: 'v1' | 'v2'
  /** Where groups are made; v1 has one hierarchy a controller. */
  roots: string[]
  memoryLimit: string
  /** The file and value that keep a group out of the swap space. */
  noSwap: [string, string]
  oomEvents: string
  /** The line of `memory.stat` that counts what programs allocated, files in a tmpfs apart. */
  allocated: string
}

export interface GroupLimits {
  memoryBytes: number
  processes: number
}

const MOUNT = '/sys/fs/cgroup'
const CONTROLLERS = '+memory +pids'
const V1: Generation = {
  name: 'v1',
  roots: [`${MOUNT}/memory`, `${MOUNT}/pids`],
  memoryLimit: 'memory.limit_in_bytes',
  noSwap: ['memory.swappiness', '0'],
  oomEvents: 'memory.oom_control',
  allocated: 'rss',
}
const V2: Generation = {
  name: 'v2',
  roots: [MOUNT],
  memoryLimit: 'memory.max',
  noSwap: ['memory.swap.max', '0'],
  oomEvents: 'memory.events',
  allocated: 'anon',
}

/** The control groups of this runner: one parent, under it one group a sandbox. */
export class Cgroups {
  readonly generation: Generation
  readonly #parents: string[]
  #made = 0

  private constructor(generation: Generation, parents: string[]) {
    this.generation = generation
    this.#parents = parents
  }

  /** Finds writable control groups for memory and processes, or answers null. Groups left by an earlier run go. */
  static async open(key: string): Promise<Cgroups | null> {
    for (const generation of [V1, V2]) {
      const parents = generation.roots.map((root) => join(root, `workshop-${key}`))
      const cgroups = new Cgroups(generation, parents)
      try {
        await cgroups.close()
        if (generation === V2) await delegate(MOUNT)
        for (const parent of parents) await mkdir(parent)
        if (generation === V2)
          await writeFile(join(MOUNT, `workshop-${key}`, 'cgroup.subtree_control'), CONTROLLERS)
        const probe = await cgroups.create({ memoryBytes: 2 ** 26, processes: 8 })
        await probe.remove()
        return cgroups
      } catch {
        await cgroups.close().catch(() => undefined)
      }
    }
    return null
  }

  /** A new group, whose counts start at 0. */
  async create(limits: GroupLimits): Promise<Cgroup> {
    const name = `sandbox-${++this.#made}`
    const folders = this.#parents.map((parent) => join(parent, name))
    await Promise.all(folders.map((folder) => mkdir(folder)))
    const group = new Cgroup(this.generation, folders)
    await group.limit(limits)
    return group
  }

  /** Ends what is left inside and removes every group of this runner. */
  async close(): Promise<void> {
    for (const parent of this.#parents) {
      const names = await readdir(parent, { withFileTypes: true }).catch(() => [])
      for (const entry of names) if (entry.isDirectory()) await removeGroup(join(parent, entry.name))
      await removeGroup(parent)
    }
  }
}

/** The control group of one sandbox. */
export class Cgroup {
  readonly #generation: Generation
  readonly #folders: string[]

  constructor(generation: Generation, folders: string[]) {
    this.#generation = generation
    this.#folders = folders
  }

  /** Files that a process writes `0` to, to become a member. */
  get doors(): string[] {
    return this.#folders.map((folder) => join(folder, 'cgroup.procs'))
  }

  async limit(limits: GroupLimits): Promise<void> {
    const [swapFile, none] = this.#generation.noSwap
    await writeFile(this.#memory(swapFile), none).catch(() => undefined)
    await writeFile(this.#memory(this.#generation.memoryLimit), String(limits.memoryBytes))
    await writeFile(this.#processes('pids.max'), String(limits.processes))
  }

  /** How often the kernel ended a process for want of memory. */
  outOfMemoryKills(): number {
    return readCount(this.#memory(this.#generation.oomEvents), 'oom_kill')
  }

  /** How often the kernel refused another process. */
  refusedProcesses(): number {
    return readCount(this.#processes('pids.events'), 'max')
  }

  /** Bytes that programs hold now, files apart. */
  allocatedBytes(): number {
    return readCount(this.#memory('memory.stat'), this.#generation.allocated)
  }

  async remove(): Promise<void> {
    await Promise.all(this.#folders.map(removeGroup))
  }

  #memory(file: string): string {
    return join(this.#folders[0] ?? '', file)
  }

  #processes(file: string): string {
    return join(this.#folders.at(-1) ?? '', file)
  }
}

/** v2 hands controllers on only from a group without members of its own: they move to a leaf first. */
async function delegate(root: string): Promise<void> {
  const enabled = await readFile(join(root, 'cgroup.subtree_control'), 'utf8')
  if (enabled.includes('memory') && enabled.includes('pids')) return
  const leaf = join(root, 'workshop-own')
  await mkdir(leaf, { recursive: true })
  const members = (await readFile(join(root, 'cgroup.procs'), 'utf8')).split('\n').filter(Boolean)
  for (const pid of members) await writeFile(join(leaf, 'cgroup.procs'), pid).catch(() => undefined)
  await writeFile(join(root, 'cgroup.subtree_control'), CONTROLLERS)
}

/** The kernel answers at once: waiting for a thread would take longer. 0, no evidence, when there is no answer. */
function readCount(file: string, name: string): number {
  try {
    const line = readFileSync(file, 'utf8')
      .split('\n')
      .find((candidate) => candidate.startsWith(`${name} `))
    return Number(line?.slice(name.length + 1) ?? 0)
  } catch {
    return 0
  }
}

/** A group is busy until its last process is reaped; waits up to 2 s for that. */
async function removeGroup(folder: string): Promise<void> {
  for (let attempt = 0; attempt < 40; attempt++) {
    try {
      return await rmdir(folder)
    } catch (error) {
      // Gone already, or in a file system that is read-only: waiting would not help.
      if ((error as NodeJS.ErrnoException).code !== 'EBUSY') return
      const members = await readFile(join(folder, 'cgroup.procs'), 'utf8').catch(() => '')
      for (const pid of members.split('\n').filter(Boolean)) kill(Number(pid))
      await sleep(attempt < 10 ? 2 : 65)
    }
  }
}
