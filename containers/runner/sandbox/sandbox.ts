import { spawn } from 'node:child_process'
import type { ChildProcess, StdioOptions } from 'node:child_process'
import { closeSync, openSync, writeFileSync } from 'node:fs'
import type { Socket } from 'node:net'
import { setPriority } from 'node:os'
import { landlockCommand, landlockEnvironment } from '../landlock/command.ts'
import { moveInputs, placeInputs } from '../landlock/inputs.ts'
import { kill } from '../linux/kill.ts'
import { residentBytes } from '../linux/resident.ts'
import type { JobInput, JobRequest } from '../wire.ts'
import { CONTROL_FD, INFO_FD, sandboxCommand } from './bubblewrap.ts'
import type { Wanted } from './bubblewrap.ts'
import type { Kind } from './kinds.ts'
import type { Machine } from './machine.ts'
import { closePipes, closeInside, openPipes } from './pipes.ts'
import type { Pipes } from './pipes.ts'
import { closePlace, openPlace } from './place.ts'
import type { Place } from './place.ts'

/** How a program's end was told: its raw wait status, why it could not be executed, or that nothing was told. */
export type Report = { kind: 'ended'; status: number } | { kind: 'failed'; errno: number } | { kind: 'lost' }

/** Programs leave the processors to the runner and to the Worker beside it, which answer everybody. */
const NICENESS = 10

/** A sandbox that is not ready by then never will be. */
const START_MS = 10_000

/** One single-use sandbox: started, ready, given one job, thrown away. */
export class Sandbox {
  readonly kind: Kind
  readonly place: Place
  readonly pipes: Pipes
  /** Resolves with the first thing that process 1 says after it was ready. */
  readonly report: Promise<Report>
  /** Resolves when no process of it is left. */
  readonly gone: Promise<void>
  /** Names of the modules that its interpreter has loaded already. */
  loaded: ReadonlySet<string> = new Set()
  readonly #machine: Machine
  readonly #child: ChildProcess
  readonly #control: Socket
  readonly #ready = Promise.withResolvers<void>()
  readonly #reported = Promise.withResolvers<Report>()
  #complaint = ''
  #initPid: number | null = null
  /** What process 1 told of the memory in use, where it watches that itself. */
  #toldBytes = 0

  private constructor(machine: Machine, parts: Wanted & { pipes: Pipes }) {
    const { kind, place, inputs, pipes } = parts
    this.kind = kind
    this.place = place
    this.pipes = pipes
    this.#machine = machine
    this.report = this.#reported.promise
    const isBare = machine.seal === 'landlock'
    const [program = '', ...args] = isBare
      ? landlockCommand(machine, place)
      : sandboxCommand(machine, { kind, place, inputs })
    const env = isBare ? landlockEnvironment(machine, place) : { PATH: process.env['PATH'] }
    const filter = machine.filter === null ? null : openSync(machine.filter, 'r')
    const stdio: StdioOptions = [...pipes.inside, 'pipe', 'pipe', filter]
    this.#child = spawn(program, args, { env, cwd: '/', stdio, detached: true })
    if (this.#child.pid !== undefined) setPriority(this.#child.pid, NICENESS)
    this.#beNice(NICENESS)
    if (filter !== null) closeSync(filter)
    closeInside(pipes)
    this.#control = this.#child.stdio[CONTROL_FD] as Socket
    this.gone = new Promise((resolve) => {
      this.#child.once('exit', () => resolve())
      this.#child.once('error', () => resolve())
    })
    pipes.stderr.take = (bytes) => (this.#complaint += bytes.toString())
    readLines(this.#control, (line) => this.#hear(line))
    readAll(this.#child.stdio[INFO_FD] as Socket, (text) => (this.#initPid = readInitPid(text)))
    // Not at its exit: what it said last may still be on its way.
    this.#child.once('close', () => this.#close())
  }

  /** Resolves with a sandbox that waits for its job; rejects with what was wrong in words. */
  static async start(machine: Machine, kind: Kind, inputs: JobInput[] = []): Promise<Sandbox> {
    const place = await openPlace(machine)
    try {
      if (machine.seal === 'landlock') await placeInputs(machine, place.slot, inputs)
      const sandbox = new Sandbox(machine, { kind, place, inputs, pipes: await openPipes(place.slot) })
      await sandbox.#becomeReady()
      return sandbox
    } catch (error) {
      await closePlace(machine, place)
      throw error
    }
  }

  /** The job as its program is to see it: where there are no namespaces its inputs have other paths. */
  translate(request: JobRequest): JobRequest {
    return this.#machine.seal === 'landlock' ? moveInputs(request, this.place.slot) : request
  }

  /** Gives its program the processors before those of other sandboxes, as far as the kernel shares them by session. */
  goFirst(): void {
    this.#beNice(0)
  }

  /** Hands over the one job, as `boot/init.pl` reads it. From here on the program may have effects. */
  begin(job: Buffer): void {
    this.#control.write(job)
  }

  /** Ends every process; resolves when none is left. */
  async end(): Promise<void> {
    const isRunning = this.#child.exitCode === null && this.#child.signalCode === null
    if (isRunning && this.#machine.seal === 'landlock') this.#child.kill('SIGTERM')
    else if (isRunning && this.#initPid !== null) kill(this.#initPid)
    else if (isRunning) this.#child.kill('SIGKILL')
    await this.gone
  }

  /** Ends what is left and clears the place away. */
  async dispose(): Promise<void> {
    await this.#clear()
    await closePlace(this.#machine, this.place)
  }

  /** Bytes that its programs hold now, files apart. */
  allocatedBytes(): number {
    if (this.place.cgroup) return this.place.cgroup.allocatedBytes()
    return this.#initPid === null ? this.#toldBytes : residentBytes(this.#initPid)
  }

  /** Where the kernel shares its processors among sessions, the niceness of a process counts within its own alone. */
  #beNice(niceness: number): void {
    try {
      writeFileSync(`/proc/${this.#child.pid}/autogroup`, String(niceness))
    } catch {
      // It shares them among processes, or the sandbox is gone.
    }
  }

  async #becomeReady(): Promise<void> {
    const patience = setTimeout(() => void this.end(), START_MS)
    try {
      await this.#ready.promise
    } catch (error) {
      await this.#clear()
      throw error
    } finally {
      clearTimeout(patience)
    }
  }

  async #clear(): Promise<void> {
    await this.end()
    this.#control.destroy()
    closePipes(this.pipes)
  }

  #hear(line: string): void {
    const [word, rest = ''] = line.split(' ')
    if (word === 'ready') {
      this.loaded = new Set(rest.split(','))
      this.#ready.resolve()
    } else if (word === 'memory') this.#toldBytes = Number(rest) * 1024
    else if (word === 'ended') this.#reported.resolve({ kind: 'ended', status: Number(rest) })
    else if (word === 'failed') this.#reported.resolve({ kind: 'failed', errno: Number(rest) })
  }

  #close(): void {
    this.pipes.stderr.drain()
    this.#ready.reject(new Error(this.#complaint.trim() || 'The sandbox ended before it was ready.'))
    this.#reported.resolve({ kind: 'lost' })
  }
}

/** Calls back for every whole line. */
function readLines(socket: Socket, take: (line: string) => void): void {
  let rest = ''
  socket.setEncoding('utf8')
  socket.on('error', () => socket.destroy())
  socket.on('data', (text: string) => {
    const lines = (rest + text).split('\n')
    rest = lines.pop() ?? ''
    for (const line of lines) take(line)
  })
}

/** Calls back with everything so far, as often as more comes: bubblewrap writes its JSON in pieces. */
function readAll(socket: Socket, take: (text: string) => void): void {
  let all = ''
  socket.setEncoding('utf8')
  socket.on('error', () => socket.destroy())
  socket.on('data', (text: string) => take((all += text)))
}

function readInitPid(info: string): number | null {
  const digits = /"child-pid": (\d+)[^\d]/.exec(info)?.[1]
  return digits ? Number(digits) : null
}
