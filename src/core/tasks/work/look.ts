import type { Log } from '../../context.ts'
import { fileInputs } from '../../tools/descriptor/descriptor.ts'
import { KEEP_MS } from '../state.ts'
import type { Submitted } from '../port.ts'
import { isEnded, type Task } from '../task.ts'
import { drive } from './drive.ts'
import { endWithdrawn, fire } from './fire.ts'
import type { Wheel } from './wheel.ts'

/** Does what is due for one task, whatever that is: run it, fire its slot, or drop it at the end of its keeping. */
export async function look(taskId: string, wheel: Wheel): Promise<void> {
  const task = wheel.store.find(taskId)
  if (!task) return
  if (isEnded(task)) {
    await releaseForgotten(task, wheel)
    wheel.store.forget(taskId, wheel.host.now())
    return
  }
  if (task.schedule) {
    await fire(task, wheel)
    return
  }
  if (task.state === 'scheduled' && (await endWithdrawn(task, wheel))) return
  await drive(taskId, wheel)
}

/** A task that is about to be forgotten lets go of the files that it may hold. */
async function releaseForgotten(task: Task, { store, files, host }: Wheel): Promise<void> {
  if ((task.endedAt ?? Infinity) + KEEP_MS > host.now()) return
  const { descriptor } = store.spec(task.specHash)
  const makesFiles = descriptor.invoke.kind === 'container' && descriptor.invoke.outputs !== undefined
  if (makesFiles || task.verdict?.outputFile || fileInputs(descriptor).size > 0) await files.release(task.id)
}

/** Tasks that waited for the end of this one go on, and the next in line for its place. */
function wakeOthers(taskId: string, { store, host, take }: Wheel): void {
  for (const next of store.room.inLine()) take(next)
  const task = store.find(taskId)
  if (!task || !isEnded(task)) return
  for (const follower of store.waitingFor(taskId)) {
    if (store.apply(follower, { kind: 'woken' }, host.now())) take(follower)
  }
}

/** Who looks after which task in one instance of an account's object: one each, and each at most once at a time. */
export class Lookers {
  readonly #begun = new Map<string, Promise<void>>()
  /** Those who wait for a task that nobody looks after now. */
  readonly #waiting = new Map<string, PromiseWithResolvers<void>>()
  readonly #wheel: Wheel
  readonly #log: Log
  readonly #onBegun: (taskId: string, ended: Promise<void>) => void

  /** `onBegun` hears of each looker as it begins, with the promise of its end, which never rejects. */
  constructor(
    wheel: Wheel,
    { log, onBegun }: { log: Log; onBegun: (taskId: string, ended: Promise<void>) => void },
  ) {
    this.#wheel = wheel
    this.#log = log
    this.#onBegun = onBegun
  }

  /** Resolves once the task was looked after, by the one who is at it or by a new one. */
  take(taskId: string): Promise<void> {
    const begun = this.#begun.get(taskId)
    if (begun) return begun
    const looker = look(taskId, this.#wheel)
      .catch((error: unknown) => this.#log('look_failed', { taskId, error: String(error) }))
      .finally(() => this.#begun.delete(taskId))
    this.#begun.set(taskId, looker)
    this.#tell(taskId)
    this.#onBegun(taskId, looker)
    return looker
  }

  /** What came of a submission, its task read as `read` does. */
  async awaited<Refusal extends object>(submitted: Submitted | Refusal, waitMs: number) {
    if (!('task' in submitted) || submitted.isConflict) return submitted
    const task = (await this.read(submitted.task.id, waitMs)) ?? submitted.task
    return { ...submitted, task }
  }

  /** Something became of a task: whoever waits for it looks again, and others go on. */
  goOnAfter(taskId: string): void {
    this.#tell(taskId)
    wakeOthers(taskId, this.#wheel)
  }

  #tell(taskId: string): void {
    this.#waiting.get(taskId)?.resolve()
    this.#waiting.delete(taskId)
  }

  /** The task when it has ended or is scheduled, else as it is after so long. Null when there is none. */
  async read(taskId: string, waitMs: number): Promise<Task | null> {
    const { store, sleep } = this.#wheel
    if (waitMs <= 0) return store.find(taskId)
    const over = sleep(waitMs).then(() => 'over' as const)
    for (;;) {
      const task = store.find(taskId)
      if (task?.state !== 'working') return task
      const heard = await Promise.race([this.#begun.get(taskId) ?? this.#next(taskId), over])
      if (heard === 'over') return store.find(taskId)
    }
  }

  #next(taskId: string): Promise<void> {
    const waiting = this.#waiting.get(taskId) ?? Promise.withResolvers<void>()
    this.#waiting.set(taskId, waiting)
    return waiting.promise
  }
}
