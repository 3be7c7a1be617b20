import { closeSync, mkdirSync, openSync, readdirSync, readFileSync, rmSync, writeSync } from 'node:fs'
import { join, resolve } from 'node:path'
import { StartFailure } from './failure.ts'

/** Marks every process that a start begets, so that a later start of the same folder finds what was left behind. */
const MARK = 'WORKSHOP_HOST'

/** The data folder of one running start: held by a lock file with the pid of its holder. */
export class DataFolder {
  readonly path: string

  private constructor(path: string) {
    this.path = path
  }

  /** Takes the folder, after ending what a killed start of it left behind. Throws when another holds it. */
  static async take(path: string): Promise<DataFolder> {
    const folder = new DataFolder(resolve(path))
    mkdirSync(folder.path, { recursive: true, mode: 0o700 })
    if (!folder.#lock()) {
      const holder = folder.#livingHolder()
      if (holder !== null) {
        throw new StartFailure(
          `${folder.path} is in use by process ${holder}. Stop it, or set WORKSHOP_DATA to another folder.`,
        )
      }
      rmSync(folder.file('lock'), { force: true })
      if (!folder.#lock()) throw new StartFailure(`${folder.path} is being started by another process.`)
    }
    await folder.#reap()
    return folder
  }

  file(...names: string[]): string {
    return join(this.path, ...names)
  }

  /** Environment by which children are known as this start's. */
  get childEnv(): Record<string, string> {
    return { [MARK]: `${this.path}:${process.pid}` }
  }

  release(): void {
    rmSync(this.file('lock'), { force: true })
  }

  #lock(): boolean {
    try {
      const file = openSync(this.file('lock'), 'wx', 0o600)
      writeSync(file, `${process.pid} ${startOf(process.pid)}`)
      closeSync(file)
      return true
    } catch {
      return false
    }
  }

  /** Who holds the lock: a pid alone may long be another process's. */
  #livingHolder(): number | null {
    const [pid = '', began = ''] = readOr(this.file('lock'), '').split(' ')
    return began !== '' && startOf(Number(pid)) === began ? Number(pid) : null
  }

  /** Ends every process that an earlier start of this folder begat, and waits until they are gone. */
  async #reap(): Promise<void> {
    const isLeft = (pid: number) =>
      pid !== process.pid && environmentOf(pid).includes(`${MARK}=${this.path}:`)
    for (let tries = 0; tries < 50; tries += 1) {
      const left = pids().filter(isLeft)
      if (left.length === 0) return
      for (const pid of left) kill(pid)
      await new Promise((done) => setTimeout(done, 50))
    }
    throw new StartFailure(`Processes of an earlier start of ${this.path} do not end.`)
  }
}

const pids = (): number[] =>
  readdirSync('/proc')
    .filter((name) => /^\d+$/.test(name))
    .map(Number)

const environmentOf = (pid: number): string => readOr(`/proc/${pid}/environ`, '')

/** When a process began, in ticks since the machine did; empty when there is none. */
const startOf = (pid: number): string =>
  readOr(`/proc/${pid}/stat`, '').split(')').at(-1)?.split(' ')[20] ?? ''

function readOr(path: string, otherwise: string): string {
  try {
    return readFileSync(path, 'utf8')
  } catch {
    return otherwise
  }
}

function kill(pid: number): void {
  try {
    process.kill(pid, 'SIGKILL')
  } catch {
    // It ended by itself.
  }
}
