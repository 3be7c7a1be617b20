import { DurableObject } from 'cloudflare:workers'
import { composePlace, composeWheel, type Place } from '../compose.ts'
import type { Standing } from '../core/quotas/quota.ts'
import type { AccountTaskPort, Key, Refused, Submission, Submitted, TaskFilter } from '../core/tasks/port.ts'
import { TaskStore } from '../core/tasks/store.ts'
import type { Report, Task } from '../core/tasks/task.ts'
import { keepWatched } from '../core/tasks/watch/registry.ts'
import { Lookers } from '../core/tasks/work/look.ts'
import { emptyOutbox } from '../core/tasks/work/outbox.ts'
import { CANCELLED } from '../core/tasks/work/verdict.ts'
import type { Wheel } from '../core/tasks/work/wheel.ts'

/**
 * The tasks of one account. Its tables are the truth; the alarm, the lookers and the waiters below only hurry them on
 * and may be lost at any moment.
 */
export class AccountTasks extends DurableObject<Env> implements AccountTaskPort {
  readonly #place: Place
  readonly #store: TaskStore
  readonly #wheel: Wheel
  readonly #lookers: Lookers

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#place = this.place(env)
    this.#store = new TaskStore(ctx.storage, this.#place.quotas)
    const own = { accountId: ctx.id.name ?? '', store: this.#store }
    this.#wheel = composeWheel(this.#place, { ...own, take: (taskId) => void this.#lookers.take(taskId) })
    this.#lookers = new Lookers(this.#wheel, {
      log: this.#place.log,
      onBegun: (taskId, ended) => ctx.waitUntil(ended.then(() => this.#after(taskId))),
    })
    this.#store.releaseLeases(this.#place.now())
    void ctx.blockConcurrencyWhile(() => this.#arm())
  }

  /** The sockets; test builds put faulty ones in their place. */
  protected place(env: Env): Place {
    return composePlace(env)
  }

  async submit(submission: Submission, waitMs: number): Promise<Submitted | Refused> {
    const submitted = this.#store.submit(submission, this.#place.now())
    if ('task' in submitted && submitted.isNew) {
      // Taken up first: should the alarm not be set, then the call fails but the task, which is kept, goes on.
      if (submitted.task.state === 'working') void this.#lookers.take(submitted.task.id)
      await this.#arm()
    }
    return this.#lookers.awaited(submitted, waitMs)
  }

  async recall(key: Key, waitMs: number): Promise<Submitted | { over: Standing } | null> {
    const earlier = this.#store.recall(key, this.#place.now())
    return earlier && this.#lookers.awaited(earlier, waitMs)
  }

  async countCall(): Promise<Standing | null> {
    return this.#store.room.calls.count(this.#place.now())
  }

  async over(placement: string | undefined): Promise<Standing | null> {
    return this.#store.room.overNow(placement, this.#place.now())
  }

  async standings(): Promise<Standing[]> {
    return this.#store.room.standings(this.#place.now())
  }

  async list(filter: TaskFilter): Promise<Task[]> {
    return this.#store.list(filter)
  }

  async read(taskId: string, waitMs: number): Promise<Task | null> {
    return this.#lookers.read(taskId, waitMs)
  }

  async cancel(taskId: string): Promise<Task | null> {
    const event = { kind: 'called_off' as const, verdict: CANCELLED }
    if (this.#store.apply(taskId, event, this.#place.now())) await this.#after(taskId)
    return this.#store.find(taskId)
  }

  async report(taskId: string, said: Omit<Report, 'at'>): Promise<Task | null> {
    const task = this.#store.report(taskId, said, this.#place.now())
    if (task?.report) await this.#after(taskId)
    return task
  }

  /** What the watchdog calls when it thinks that the alarm was lost: looking twice does no harm. */
  async poke(): Promise<void> {
    await this.alarm()
  }

  /** Looks after all that is due or left undone, and waits for none of it: meanwhile no other alarm comes. */
  override async alarm(): Promise<void> {
    try {
      for (const id of this.#store.due(this.#place.now())) void this.#lookers.take(id)
      this.ctx.waitUntil(emptyOutbox(this.#wheel, this.#place))
    } catch (error) {
      this.#place.log('alarm_failed', { error: String(error) })
    } finally {
      await this.#arm()
    }
  }

  /** What follows from an end: others go on, the machine stops, the catalogue is told. */
  async #after(taskId: string): Promise<void> {
    this.#lookers.goOnAfter(taskId)
    await this.#arm()
    await emptyOutbox(this.#wheel, this.#place)
  }

  /** Has the watchdog look after when something is next due, and sets the alarm to then. */
  async #arm(): Promise<void> {
    const now = this.#place.now()
    const due = this.#store.nextDue(now)
    this.ctx.waitUntil(keepWatched(this.#wheel, this.#place, { due, now }))
    if (due !== null) await this.ctx.storage.setAlarm(due)
  }
}
