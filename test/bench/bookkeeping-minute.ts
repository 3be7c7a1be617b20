import { randomBytes } from 'node:crypto'
import { readFileSync } from 'node:fs'
import { resolve } from 'node:path'
import { newId } from '../../src/core/ids.ts'
import { QUOTAS } from '../../src/core/limits.ts'
import { TaskStore } from '../../src/core/tasks/store.ts'
import { keepWatched } from '../../src/core/tasks/watch/registry.ts'
import { sweep } from '../../src/core/tasks/watch/sweep.ts'
import { look } from '../../src/core/tasks/work/look.ts'
import { emptyOutbox } from '../../src/core/tasks/work/outbox.ts'
import type { Wheel } from '../../src/core/tasks/work/wheel.ts'
import { openDb, type Db } from '../../src/db/client.ts'
import type { Invoke } from '../../src/invokes/invoke.ts'
import { submissionAt } from './bookkeeping-sizes.ts'
import { round, timed } from './measure.ts'
import { CountingD1, openStorage } from './sqlite.ts'

const WATCH = resolve(import.meta.dirname, '../../migrations/0002_watch.sql')
const HOUR_MS = 3_600_000
const MINUTE_MS = 60_000

/** A place where everything ends at once, so that what is left is bookkeeping. */
const PLACE: Invoke = {
  check: () => [],
  checkInput: () => [],
  async start({ id }, host) {
    host.recordHandle({ id })
    const raw = { stdout: '{"words": 5}', stderr: '', exit_code: 0, took_ms: 1 }
    return { kind: 'ended', end: { reason: 'done', raw } }
  },
  poll: async () => ({ kind: 'silent', message: 'nothing was sent' }),
  stop: async () => {},
}

/** One account's object: what `AccountTasks` does, without its platform. */
class Account {
  readonly #id: string
  readonly #store = new TaskStore(openStorage().storage, QUOTAS)
  readonly #clock: { now: number }
  readonly #db: Db
  readonly #wheel: Wheel
  #looks: Promise<void>[] = []
  runs = 0
  versionReads = 0

  constructor(id: string, db: Db, clock: { now: number }) {
    this.#id = id
    this.#db = db
    this.#clock = clock
    const now = () => clock.now
    const none = () => Promise.reject(new Error('no code and no files are sent'))
    this.#wheel = {
      accountId: this.#id,
      store: this.#store,
      invokes: { container: PLACE },
      host: { sliceMs: 0, now, code: none, file: none },
      sleep: async () => {},
      newTaskId: () => newId('task', { now, random: (count) => new Uint8Array(randomBytes(count)) }),
      take: (taskId) => this.#take(taskId),
      pay: async () => null,
      isWithdrawn: async () => {
        this.versionReads += 1
        return false
      },
      outputs: {
        keep: () => Promise.reject(new Error('outputs are small')),
        load: () => Promise.reject(new Error('outputs are small')),
      },
      secrets: { take: none, open: none, page: '' },
      files: { hold: none, names: none, open: none, keep: none, release: none },
    }
  }

  async schedule(first: number, key: string): Promise<void> {
    const plan = { kind: 'hours' as const, first, hours: 1 }
    this.#store.submit({ ...submissionAt(this.#clock.now, key), plan }, this.#clock.now)
    await this.#arm()
  }

  async alarm(): Promise<void> {
    for (const id of this.#store.due(this.#clock.now)) this.#take(id)
    while (this.#looks.length > 0) await Promise.all(this.#looks.splice(0))
    await this.#arm()
    this.runs = this.#store.list({ state: 'completed', limit: 1_000 }).length
  }

  #take(taskId: string): void {
    this.#looks.push(this.#look(taskId))
  }

  async #look(taskId: string): Promise<void> {
    await look(taskId, this.#wheel)
    await this.#arm()
    await emptyOutbox(this.#wheel, { db: this.#db, log: () => {}, now: () => this.#clock.now })
  }

  #arm(): Promise<void> {
    const { now } = this.#clock
    const place = { db: this.#db, log: () => {} }
    return keepWatched(this.#wheel, place, { due: this.#store.nextDue(now), now })
  }
}

/**
 * Hourly schedules, all due in one minute: first by their own alarms, then, an hour later, with every alarm lost, by
 * the watchdog alone. D1 figures are statements.
 */
export async function dueMinute({ schedules, accounts }: { schedules: number; accounts: number }) {
  const clock = { now: Date.UTC(2026, 0, 1) }
  const d1 = new CountingD1(readFileSync(WATCH, 'utf8'))
  const db = openDb(d1.binding)
  const due = clock.now + HOUR_MS
  const all = new Map<string, Account>()
  for (let i = 0; i < accounts; i += 1) all.set(`acc_${i}`, new Account(`acc_${i}`, db, clock))
  const objects = [...all.values()]
  for (let i = 0; i < schedules; i += 1) {
    await objects[i % accounts]?.schedule(due + Math.floor((i * MINUTE_MS) / schedules), `schedule-${i}`)
  }
  const made = { d1_writes: d1.writes }
  clock.now = due + MINUTE_MS
  const byAlarm = await phase(d1, objects, () => Promise.all(objects.map((object) => object.alarm())))
  clock.now += HOUR_MS
  let sweeps = 0
  const byWatchdog = await phase(d1, objects, async () => {
    while ((await sweep(db, clock.now, async (id) => all.get(id)?.alarm())) > 0) sweeps += 1
  })
  return { schedules, accounts, made, by_alarm: byAlarm, by_watchdog: { ...byWatchdog, sweeps } }
}

const sumOf = (objects: Account[], part: 'runs' | 'versionReads') =>
  objects.reduce((sum, object) => sum + object[part], 0)

async function phase(d1: CountingD1, objects: Account[], work: () => Promise<unknown>) {
  const before = { reads: d1.reads, writes: d1.writes, versionReads: sumOf(objects, 'versionReads') }
  const runs = sumOf(objects, 'runs')
  const took = await timed(work)
  return {
    runs: sumOf(objects, 'runs') - runs,
    seconds: round(took / 1_000),
    d1_writes: d1.writes - before.writes,
    d1_reads: d1.reads - before.reads,
    d1_reads_of_versions: sumOf(objects, 'versionReads') - before.versionReads,
  }
}
