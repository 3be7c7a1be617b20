/** What stands between a task object and the rest of the world: each of these calls can be made to go wrong. */
export type Point =
  | 'submit'
  | 'set alarm'
  | 'D1 write'
  | 'D1 read'
  | 'R2 put'
  | 'R2 get'
  | `runner ${'health' | 'bundle' | 'job' | 'poll' | 'stop'}`

/** How long a call hangs, ms: longer than anything else has to wait for it. */
export const HANG_MS = 8_000

/**
 * `lost before`: it never happened. `lost after`: it happened, but the answer is lost. `dies …`: the object is gone
 * at that moment, and all that it was doing with it. `late`: it takes a while. `hangs`: a long while.
 */
export type Fault = 'lost before' | 'lost after' | 'dies before' | 'dies after' | 'late' | 'hangs'

/** Rates of faults, each from 0 to 1. */
export type Weather = Partial<Record<Fault, number>>

export const CALM: Weather = {}

/** Numbers from 0 to 1, the same for the same seed (mulberry32). */
export function seeded(seed: number): () => number {
  let state = seed | 0
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let t = Math.imul(state ^ (state >>> 15), 1 | state)
    t = (t + Math.imul(t ^ (t >>> 7), 61 | t)) ^ t
    return ((t ^ (t >>> 14)) >>> 0) / 2 ** 32
  }
}

/** What a number from 0 to 1 means in a weather: one of its faults, or none. */
export function fateOf<Name extends string>(
  weather: Partial<Record<Name, number>>,
  drawn: number,
): Name | null {
  let left = drawn
  for (const name of Object.keys(weather) as Name[]) {
    left -= weather[name] ?? 0
    if (left < 0) return name
  }
  return null
}

/** One for the whole Worker: its objects and the tests share an isolate. */
class Faults {
  weather: Weather = CALM
  random: () => number = Math.random
  /** How often each fault happened. */
  readonly counts = new Map<string, number>()
  readonly #planned = new Map<string, Fault[]>()

  /** The next calls of an account at a point go wrong so. */
  plan(accountId: string, point: Point, ...next: Fault[]): void {
    this.#planned.set(`${accountId} ${point}`, next)
  }

  /** Whether all that was planned has happened. */
  hasHappened(accountId: string, point: Point): boolean {
    return !this.#planned.get(`${accountId} ${point}`)?.length
  }

  draw(accountId: string, point: Point): Fault | null {
    const planned = this.#planned.get(`${accountId} ${point}`)?.shift()
    const fault = planned ?? fateOf(this.weather, this.random())
    if (fault) this.counts.set(fault, (this.counts.get(fault) ?? 0) + 1)
    return fault
  }
}

export const faults = new Faults()

/** The object that calls, and how it dies. */
export interface Victim {
  accountId: string
  die(): void
}

/** Makes a call as the faults have it. */
export async function perilous<T>(victim: Victim, point: Point, call: () => Promise<T>): Promise<T> {
  const fault = faults.draw(victim.accountId, point)
  if (fault === 'dies before') victim.die()
  if (fault === 'lost before' || fault === 'dies before') throw new Error(`${point}: ${fault}`)
  if (fault === 'hangs') await scheduler.wait(HANG_MS)
  if (fault === 'late') await scheduler.wait(faults.random() * 400)
  const answer = await call()
  if (fault === 'dies after') victim.die()
  if (fault === 'lost after' || fault === 'dies after') throw new Error(`${point}: ${fault}`)
  return answer
}

/** The same bindings, with faults on the way to the database, the files and the runner. */
export function perilousEnv(env: Env, victim: Victim): Env {
  return {
    ...env,
    DB: perilousDb(env.DB, victim),
    FILES: withCalls(
      env.FILES,
      (name) => (name === 'put' ? 'R2 put' : name === 'get' ? 'R2 get' : null),
      victim,
    ),
    // Without an address the runner is reached through the container's binding, which is where faults can be put.
    RUNNER_URL: '',
    TOOL_CONTAINER: {
      getByName: () => ({
        fetch(request: Request) {
          const { pathname, search } = new URL(request.url)
          const sent = new Request(new URL(pathname + search, env.RUNNER_URL), request)
          return perilous(victim, runnerPoint(request.method, pathname), () => fetch(sent))
        },
      }),
    } as unknown as Env['TOOL_CONTAINER'],
  }
}

function runnerPoint(method: string, path: string): Point {
  if (path === '/health') return 'runner health'
  if (method === 'PUT') return 'runner bundle'
  if (method === 'POST') return 'runner job'
  return method === 'DELETE' ? 'runner stop' : 'runner poll'
}

const RUNS = new Set<string | symbol>(['run', 'all', 'raw', 'first'])

function perilousDb(db: D1Database, victim: Victim): D1Database {
  const statementOf = (statement: D1PreparedStatement, point: Point): D1PreparedStatement =>
    new Proxy(
      withCalls(statement, (name) => (RUNS.has(name) ? point : null), victim),
      {
        get: (target, name) =>
          name === 'bind'
            ? (...values: unknown[]) => statementOf(statement.bind(...values), point)
            : Reflect.get(target, name),
      },
    )
  return new Proxy(db, {
    get: (target, name) =>
      name === 'prepare'
        ? (sql: string) => statementOf(target.prepare(sql), /^\s*select/i.test(sql) ? 'D1 read' : 'D1 write')
        : Reflect.get(target, name),
  })
}

/** The same thing with faults at those of its calls that are a point. */
function withCalls<T extends object>(
  thing: T,
  pointOf: (name: string | symbol) => Point | null,
  victim: Victim,
): T {
  return new Proxy(thing, {
    get(target, name) {
      const part: unknown = Reflect.get(target, name)
      if (typeof part !== 'function') return part
      const point = pointOf(name)
      const call = (...values: unknown[]) => Reflect.apply(part, target, values)
      return point ? (...values: unknown[]) => perilous(victim, point, () => call(...values)) : call
    },
  })
}
