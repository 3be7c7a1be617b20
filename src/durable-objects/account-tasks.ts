import { DurableObject } from 'cloudflare:workers'
import { composePlace, composeWheel, type Place } from '../compose.ts'
import type { AccountTaskPort, Submission, Submitted, TaskFilter, Unusable } from '../core/tasks/port.ts'
import { TaskStore } from '../core/tasks/store.ts'
import type { Task } from '../core/tasks/task.ts'
import { keepWatched } from '../core/tasks/watch/registry.ts'
import { look, wakeFollowers } from '../core/tasks/work/look.ts'
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
  /** What this very instance is doing, by task. */
  readonly #lookers = new Map<string, Promise<void>>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#place = this.place(env)
    this.#store = new TaskStore(ctx.storage)
    this.#wheel = composeWheel(this.#place, this.#store, (taskId) => void this.#take(taskId))
    this.#store.releaseLeases(this.#place.now())
    void ctx.blockConcurrencyWhile(() => this.#arm())
  }

  /** The sockets; test builds put faulty ones in their place. */
  protected place(env: Env): Place {
    return composePlace(env)
  }

  async submit(submission: Submission): Promise<Submitted | { unusable: Unusable }> {
    const submitted = this.#store.submit(submission, this.#place.now())
    if ('unusable' in submitted) return submitted
    const { task, isConflict, isNew } = submitted
    if (isNew) {
      // Taken up first: should the alarm not be set, then the call fails but the task, which is kept, goes on.
      if (task.state === 'working') void this.#take(task.id)
      await this.#arm()
    }
    return { task, isConflict }
  }

  async findByKey(requestKey: string, fingerprint: string): Promise<Submitted | null> {
    return this.#store.findByKey(requestKey, fingerprint)
  }

  async list(filter: TaskFilter): Promise<Task[]> {
    return this.#store.list(filter)
  }

  async read(taskId: string, waitMs: number): Promise<Task | null> {
    const until = this.#place.now() + waitMs
    for (;;) {
      const task = this.#store.find(taskId)
      const leftMs = until - this.#place.now()
      if (task?.state !== 'working' || leftMs <= 0) return task
      await Promise.race([this.#lookers.get(taskId) ?? scheduler.wait(100), scheduler.wait(leftMs)])
    }
  }

  async cancel(taskId: string): Promise<Task | null> {
    const event = { kind: 'called_off' as const, verdict: CANCELLED }
    if (this.#store.apply(taskId, event, this.#place.now())) await this.#after(taskId)
    return this.#store.find(taskId)
  }

  /** What the watchdog calls when it thinks that the alarm was lost: looking twice does no harm. */
  async poke(): Promise<void> {
    await this.alarm()
  }

  /**
   * Looks after all that is due, does what was left undone elsewhere, and comes back when something is due again.
   * Waits for none of it: while an alarm is at work no other comes.
   */
  override async alarm(): Promise<void> {
    try {
      for (const id of this.#store.due(this.#place.now())) void this.#take(id)
      this.ctx.waitUntil(emptyOutbox(this.#wheel, this.#place))
    } catch (error) {
      this.#place.log('alarm_failed', { error: String(error) })
    } finally {
      await this.#arm()
    }
  }

  #take(taskId: string): Promise<void> {
    const begun = this.#lookers.get(taskId)
    if (begun) return begun
    const looker = look(taskId, this.#wheel)
      .catch((error: unknown) => this.#place.log('look_failed', { taskId, error: String(error) }))
      .finally(() => this.#lookers.delete(taskId))
    this.#lookers.set(taskId, looker)
    this.ctx.waitUntil(looker.then(() => this.#after(taskId)))
    return looker
  }

  /** What follows from an end: others go on, the machine stops, the catalogue is told. */
  async #after(taskId: string): Promise<void> {
    wakeFollowers(taskId, this.#wheel)
    await this.#arm()
    await emptyOutbox(this.#wheel, this.#place)
  }

  /** Has the watchdog look after when something is next due, and sets the alarm to then. */
  async #arm(): Promise<void> {
    const now = this.#place.now()
    const due = this.#store.nextDue(now)
    const watched = { accountId: this.ctx.id.name ?? '', due, now }
    this.ctx.waitUntil(keepWatched(this.#store, this.#place, watched))
    if (due !== null) await this.ctx.storage.setAlarm(due)
  }
}
