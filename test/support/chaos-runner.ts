import { createServer, type IncomingMessage, type ServerResponse } from 'node:http'
import type { AddressInfo } from 'node:net'
import { buffer } from 'node:stream/consumers'
import { setTimeout as sleep } from 'node:timers/promises'
import type { TestProject } from 'vitest/node'
import type { Health, JobRequest } from '../../containers/runner/wire.ts'
import { Runner } from '../containers/runner.ts'
import { fateOf, seeded } from './faults.ts'
import { RUNNER_SECRET } from './workers-runner.ts'

declare module 'vitest' {
  interface ProvidedContext {
    chaos: { runnerUrl: string; seed: number; tasks: number }
  }
}

/** `late`: the sender is cut off at once, and what it sent arrives seconds later. Rates from 0 to 1. */
export interface Road {
  'lost before': number
  'lost after': number
  late: number
  slow: number
  /** Between two kills of the runner, ms; 0: it lives. */
  killEveryMs: number
}

/** What the road and the runner can tell of all jobs. */
export interface Journal {
  /** For each job: the boots that took it, and those that may have taken it, dying before they could say so. */
  jobs: Record<string, { taken: string[]; perhaps: string[] }>
  kills: number
  /** How many scripts the runner has at work now. */
  running: number
}

const CALM: Road = { 'lost before': 0, 'lost after': 0, late: 0, slow: 0, killEveryMs: 0 }

/** The real runner behind a road on which requests and answers get lost, that now and then is killed and begins anew. */
class ChaosRunner {
  #road = CALM
  #kills = 0
  readonly #jobs: Journal['jobs'] = {}
  readonly #random: () => number
  #runner: Runner
  #killer: NodeJS.Timeout | undefined

  constructor(runner: Runner, seed: number) {
    this.#runner = runner
    this.#random = seeded(seed)
  }

  async answer(request: IncomingMessage, response: ServerResponse): Promise<void> {
    const body = await buffer(request)
    if (request.url === '/chaos/journal') {
      response.end(JSON.stringify(await this.#read()))
    } else if (request.url === '/chaos/road') {
      this.#take(JSON.parse(body.toString()) as Road)
      response.end()
    } else {
      await this.#pass({ request, body }, response)
    }
  }

  async stop(): Promise<void> {
    this.#take(CALM)
    await this.#runner.stop()
  }

  async #read(): Promise<Journal> {
    const headers = { authorization: `Bearer ${RUNNER_SECRET}` }
    const health = await fetch(`${this.#runner.url}/health`, { headers })
    const { running }: Health = await health.json()
    return { jobs: this.#jobs, kills: this.#kills, running }
  }

  #take(road: Road): void {
    this.#road = road
    clearTimeout(this.#killer)
    if (road.killEveryMs === 0) return
    const pauseMs = road.killEveryMs * (0.5 + this.#random())
    this.#killer = setTimeout(() => void this.#kill().then(() => this.#take(this.#road)), pauseMs)
  }

  async #kill(): Promise<void> {
    this.#kills += 1
    await this.#runner.stop('SIGKILL')
    this.#runner = await start(this.#runner.data)
  }

  async #pass(
    { request, body }: { request: IncomingMessage; body: Buffer },
    response: ServerResponse,
  ): Promise<void> {
    const { killEveryMs: _, ...rates } = this.#road
    const fate = fateOf(rates, this.#random())
    if (fate === 'lost before' || fate === 'late') request.socket.destroy()
    if (fate === 'lost before') return
    if (fate === 'late') await sleep(500 + this.#random() * 3_000)
    if (fate === 'slow') await sleep(this.#random() * 800)
    const answer = await this.#forward(request, body)
    if (!answer || fate === 'lost after') return void request.socket.destroy()
    response.writeHead(answer.status, { 'content-type': 'application/json' }).end(answer.text)
  }

  /** Null when the runner gave no answer. */
  async #forward({ url = '', method = 'GET', headers }: IncomingMessage, body: Buffer) {
    const runner = this.#runner
    const job = method === 'POST' ? (JSON.parse(body.toString()) as JobRequest) : null
    const entry = job && (this.#jobs[job.id] ??= { taken: [], perhaps: [] })
    try {
      const answer = await fetch(runner.url + url, {
        method,
        headers: { authorization: headers.authorization ?? '' },
        body: body.length > 0 ? body : null,
      })
      const text = await answer.text()
      if (answer.status === 200 && entry) note(entry.taken, runner.boot)
      return { status: answer.status, text: answer.status === 204 ? undefined : text }
    } catch (error) {
      const isRefused = String((error as Error).cause).includes('ECONNREFUSED')
      if (entry && job.boot === runner.boot && !isRefused) note(entry.perhaps, runner.boot)
      return null
    }
  }
}

function note(boots: string[], boot: string): void {
  if (!boots.includes(boot)) boots.push(boot)
}

const start = (data?: string): Promise<Runner> =>
  Runner.start({
    RUNNER_SECRET,
    RUNNER_JOBS: '6',
    RUNNER_QUEUE: '100',
    ...(data !== undefined && { RUNNER_DATA: data }),
  })

/** Starts runner and road for the project, and says where, with the seed and size of this run. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const seed = Number(process.env['CHAOS_SEED'] ?? Date.now() % 1_000_000)
  const chaos = new ChaosRunner(await start(), seed)
  const server = createServer((request, response) => {
    chaos.answer(request, response).catch((error: unknown) => {
      console.error(error)
      request.socket.destroy()
    })
  })
  await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
  const runnerUrl = `http://127.0.0.1:${(server.address() as AddressInfo).port}`
  project.provide('chaos', { runnerUrl, seed, tasks: Number(process.env['CHAOS_TASKS'] ?? 300) })
  return async () => {
    server.close()
    server.closeAllConnections()
    await chaos.stop()
  }
}
