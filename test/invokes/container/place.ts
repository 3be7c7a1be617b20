import { randomUUID } from 'node:crypto'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Health, JobRequest } from '../../../containers/runner/wire.ts'
import { LIMITS } from '../../../src/core/limits.ts'
import { bundleFromFiles } from '../../../src/core/tools/bundle.ts'
import type { ContainerInvoke, Descriptor } from '../../../src/core/tools/descriptor/descriptor.ts'
import { EXAMPLE } from '../../../src/core/tools/example.ts'
import { containerInvoke } from '../../../src/invokes/container/index.ts'
import type { Host } from '../../../src/invokes/invoke.ts'
import { Runner } from '../../containers/runner.ts'
import type { Network } from '../../support/fake-invoke.ts'
import type { Place } from '../contract.ts'

const SECRET = 'the-secret-of-the-place'

/** The complete example with another way of being run. */
export function descriptorOf(
  invoke: Partial<ContainerInvoke>,
  given: Partial<Descriptor> = {},
): Descriptor & { invoke: ContainerInvoke } {
  return {
    ...EXAMPLE.descriptor,
    ...given,
    invoke: { kind: 'container', argv: ['true'], stdin: 'none', stdout: 'text', ...invoke },
  }
}

/** Code as a version of a tool keeps it. */
export class Shelf {
  readonly #tars = new Map<string, Uint8Array>()

  async put(files: Record<string, string>): Promise<string> {
    const made = await bundleFromFiles(files)
    if (!made.ok) throw new Error(JSON.stringify(made.faults))
    this.#tars.set(made.bundle.hash, made.bundle.tar)
    return made.bundle.hash
  }

  readonly code: Host['code'] = async (hash) => {
    const tar = this.#tars.get(hash)
    if (!tar) throw new Error(`the code ${hash} is gone`)
    return { size: tar.length, body: new Blob([tar.slice()]).stream() }
  }
}

/** The real runner program, and a network to it that can be cut. */
export class Machine {
  network: Network = 'up'
  sent = 0
  beforeSend: (() => Promise<void>) | null = null
  readonly #env: Record<string, string>
  #runner: Runner

  private constructor(runner: Runner, env: Record<string, string>) {
    this.#runner = runner
    this.#env = env
  }

  static async start(given: Record<string, string> = {}): Promise<Machine> {
    const env = { ...given, RUNNER_SECRET: SECRET }
    return new Machine(await Runner.start(env), env)
  }

  readonly invoke = containerInvoke({
    fetch: async (_, path, init = {}) => {
      if (path.startsWith('/jobs?')) {
        const hook = this.beforeSend
        this.beforeSend = null
        await hook?.()
        this.sent += 1
      }
      if (this.network === 'down') throw new Error('the network is down')
      const response = await this.fetch(path, init)
      if (this.network === 'deaf') throw new Error('the connection was cut')
      return response
    },
  })

  fetch(path: string, init: RequestInit): Promise<Response> {
    const headers = { authorization: `Bearer ${SECRET}` }
    const how = { ...init, headers, ...(init.body instanceof ReadableStream && { duplex: 'half' }) }
    return fetch(this.#runner.url + path, how)
  }

  /** Waits until so many sandboxes stand ready, at most 20 s. */
  async hasReady(count: number): Promise<void> {
    for (let tries = 0; tries < 400; tries += 1) {
      const response = await this.fetch('/health', {})
      const { ready } = await response.json<Health>()
      if (ready === count) return
      await sleep(50)
    }
    throw new Error(`there were never ${count} sandboxes ready`)
  }

  /** Dies without a word and comes up again on the same folder. */
  async restart(): Promise<void> {
    await this.#runner.stop('SIGKILL')
    this.#runner = await Runner.start({ ...this.#env, RUNNER_DATA: this.#runner.data })
  }

  /** Lets so much be printed by others that the space for ends is used up. */
  async fillEnds(): Promise<void> {
    const letters = ['sh', '-c', 'head -c 1000000 /dev/zero | tr "\\0" x']
    for (let batch = 0; batch < 12; batch += 1) {
      await Promise.all([1, 2, 3].map(() => this.run(letters)))
    }
  }

  /** Runs something beside the jobs of the invoke, to its end. */
  async run(argv: string[]): Promise<void> {
    const job: JobRequest = {
      id: randomUUID(),
      account: 'one',
      boot: this.#runner.boot,
      argv,
      stdin: null,
      env: {},
      bundle: null,
      limits: {
        wall_ms: 20_000,
        memory_mb: 128,
        disk_mb: 16,
        processes: LIMITS.processes,
        stdout_bytes: LIMITS.stdout,
        stderr_bytes: LIMITS.stderrKept,
      },
    }
    const response = await this.fetch('/jobs?wait_ms=20000', { method: 'POST', body: JSON.stringify(job) })
    const text = await response.text()
    if (!text.includes('"state":"ended"')) throw new Error(`${response.status} ${text.slice(0, 500)}`)
  }

  stop(): Promise<unknown> {
    return this.#runner.stop()
  }
}

/** A machine under the contract of every invoke. */
export async function machinePlace(env: Record<string, string>): Promise<Place> {
  const machine = await Machine.start(env)
  const shelf = new Shelf()
  const quick = await shelf.put({ 'main.py': 'import uuid\nprint(uuid.uuid4())\n' })
  return {
    invoke: machine.invoke,
    quick: { descriptor: descriptorOf({ argv: ['python3', 'main.py'] }), codeHash: quick, input: {} },
    slow: { descriptor: descriptorOf({ argv: ['sleep', '61'] }), codeHash: null, input: {} },
    code: shelf.code,
    sent: () => machine.sent,
    setNetwork: (network) => void (machine.network = network),
    beforeSend: (act) => void (machine.beforeSend = act),
    restart: () => machine.restart(),
    forget: () => machine.fillEnds(),
    ...FAULTS,
    close: async () => void (await machine.stop()),
  }
}

const FAULTS: Pick<Place, 'faulty' | 'faultyInput'> = {
  faulty: {
    descriptor: descriptorOf({}, { placements: ['placement:own-computer'] }),
    paths: ['descriptor.placements'],
  },
  faultyInput: {
    descriptor: descriptorOf({ argv: ['true', { from: 'nul' }, { from: 'long' }] }),
    input: { nul: 'a\0b', long: 'é'.repeat(65_536) },
    paths: ['input.nul', 'input.long'],
  },
}
