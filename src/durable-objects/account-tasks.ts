import { DurableObject } from 'cloudflare:workers'
import { composePlace } from '../compose.ts'
import { drive, type Wheel } from '../core/tasks/drive.ts'
import { tellCatalogue } from '../core/tasks/outbox.ts'
import type { AccountTaskPort, Submission, Submitted } from '../core/tasks/port.ts'
import { TaskStore } from '../core/tasks/store.ts'
import { isEnded, type Task } from '../core/tasks/task.ts'
import { codeKey } from '../core/tools/tool.ts'

/** How long one question to a machine may take. */
const SLICE_MS = 15_000
/** When an object that could not tell the catalogue tries again. */
const OUTBOX_RETRY_MS = 10_000

/**
 * The tasks of one account. Its tables are the truth; the alarm, the drivers and the waiters below only hurry them on
 * and may be lost at any moment.
 */
export class AccountTasks extends DurableObject<Env> implements AccountTaskPort {
  readonly #place = composePlace(this.env)
  readonly #store = new TaskStore(this.ctx.storage)
  /** Tasks driven by this very instance. */
  readonly #drivers = new Map<string, Promise<void>>()

  constructor(ctx: DurableObjectState, env: Env) {
    super(ctx, env)
    this.#store.releaseLeases(this.#place.now())
    void ctx.blockConcurrencyWhile(() => this.#arm())
  }

  async submit(submission: Submission): Promise<Submitted> {
    const { task, isConflict, isNew } = this.#store.submit(submission, this.#place.now())
    if (isNew) {
      await this.#arm()
      void this.#take(task.id)
    }
    return { task, isConflict }
  }

  findByKey(requestKey: string, fingerprint: string): Promise<Submitted | null> {
    return Promise.resolve(this.#store.findByKey(requestKey, fingerprint))
  }

  async read(taskId: string, waitMs: number): Promise<Task | null> {
    const task = this.#store.find(taskId)
    if (!task || isEnded(task) || waitMs === 0) return task
    const driver = this.#drivers.get(taskId) ?? this.#take(taskId)
    await Promise.race([driver, scheduler.wait(waitMs)])
    return this.#store.find(taskId)
  }

  /** Takes up what nobody drives any more, tells the catalogue what it missed, and comes back when due. */
  override async alarm(): Promise<void> {
    try {
      for (const id of this.#store.overdue(this.#place.now())) void this.#take(id)
      await tellCatalogue(this.#store, this.#place)
    } catch (error) {
      this.#place.log('alarm_failed', { error: String(error) })
    } finally {
      await this.#arm()
    }
  }

  #take(taskId: string): Promise<void> {
    const running = this.#drivers.get(taskId)
    if (running) return running
    const driver = drive(taskId, this.#wheel())
      .then(() => tellCatalogue(this.#store, this.#place))
      .catch((error: unknown) => this.#place.log('drive_failed', { taskId, error: String(error) }))
      .finally(() => this.#drivers.delete(taskId))
    this.#drivers.set(taskId, driver)
    this.ctx.waitUntil(driver)
    return driver
  }

  #wheel(): Wheel {
    const { now, bytes, invokes } = this.#place
    return {
      store: this.#store,
      invokes,
      sleep: (ms) => scheduler.wait(ms),
      host: {
        sliceMs: SLICE_MS,
        now,
        async code(hash) {
          const object = await bytes.get(codeKey(hash))
          if (!object) throw new Error(`the code ${hash} is gone`)
          return { size: object.size, body: object.body }
        },
      },
    }
  }

  /** Sets the alarm to the next lease that runs out, or soon when the catalogue waits for news. */
  async #arm(): Promise<void> {
    const now = this.#place.now()
    const retry = this.#store.outbox().length > 0 ? now + OUTBOX_RETRY_MS : Infinity
    const due = Math.min(this.#store.nextDue() ?? Infinity, retry)
    if (due !== Infinity) await this.ctx.storage.setAlarm(Math.max(due, now + 1_000))
  }
}
