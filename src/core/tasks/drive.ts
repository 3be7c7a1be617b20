import type { End, Host, Invokes, Step } from '../../invokes/invoke.ts'
import { settle } from './settle.ts'
import type { TaskStore } from './store.ts'
import type { Task } from './task.ts'

/** How long a task waits for a machine that refuses or does not answer before it ends without having run. */
const START_PATIENCE_MS = 45_000
/** How long a machine that has the work may be silent before it counts as lost. */
const SILENCE_PATIENCE_MS = 45_000
const FIRST_PAUSE_MS = 100
const LONGEST_PAUSE_MS = 2_000

/** What driving a task needs of its object. */
export interface Wheel {
  store: TaskStore
  invokes: Invokes
  host: Omit<Host, 'recordHandle'>
  sleep(ms: number): Promise<void>
}

/**
 * Takes up a task and stays with it to its end, unless another holds it. Every answer of the place is written
 * before the next question, so that a cut anywhere leaves a task that the next driver can take up.
 */
export async function drive(taskId: string, wheel: Wheel): Promise<void> {
  const { store, host } = wheel
  const claimed = store.apply(taskId, { kind: 'claimed' }, host.now())
  if (!claimed) return
  const { attempt } = claimed
  const end = await runToEnd(claimed, wheel)
  const task = end && store.find(taskId)
  if (!end || !task) return
  const { descriptor } = store.spec(task.specHash)
  const verdict = settle({ descriptor, input: task.input, isSample: task.isSample }, end)
  store.apply(taskId, { kind: 'ended', attempt, verdict }, host.now())
}

/** Asks the place until it says how the work ended; null once another speaks for the task. */
async function runToEnd(claimed: Task, wheel: Wheel): Promise<End | null> {
  const { store, host } = wheel
  const { id, attempt } = claimed
  const patience = new Patience(host.now)
  let mayHaveBegun = claimed.handle !== null
  for (;;) {
    const task = store.find(id)
    if (!task) return null
    const answer = await ask(task, mayHaveBegun, wheel)
    if (answer.kind === 'ended') return answer.end
    if (answer.kind === 'not_started' && !mayHaveBegun)
      store.apply(id, { kind: 'unsent', attempt }, host.now())
    mayHaveBegun = answer.kind !== 'not_started' && store.find(id)?.handle !== null
    const isStarted = answer.kind === 'running' && answer.isStarted
    if (!store.apply(id, { kind: 'seen', attempt, isStarted }, host.now())) return null
    const given = patience.hear(answer)
    if (given) return given
    if (answer.kind !== 'running') await wheel.sleep(patience.pauseMs)
  }
}

async function ask(task: Task, mayHaveBegun: boolean, { store, invokes, host }: Wheel): Promise<Step> {
  const { descriptor, codeHash } = store.spec(task.specHash)
  const invoke = invokes[descriptor.invoke.kind]
  if (!invoke) return { kind: 'not_started', message: `this server has no ${descriptor.invoke.kind}` }
  const lent: Host = {
    ...host,
    recordHandle: (handle) =>
      store.apply(task.id, { kind: 'sent', attempt: task.attempt, handle }, host.now()) !== null,
  }
  if (mayHaveBegun && task.handle) return invoke.poll(task.handle, lent)
  const { id, accountId, input, handle } = task
  return invoke.start({ id, accountId, descriptor, codeHash, input, handle }, lent)
}

/** Counts how long the place has refused or been silent, and says when that is enough. */
class Patience {
  readonly #now: () => number
  #since: number | null = null
  #pauses = 0

  constructor(now: () => number) {
    this.#now = now
  }

  get pauseMs(): number {
    return Math.min(FIRST_PAUSE_MS * 2 ** this.#pauses, LONGEST_PAUSE_MS)
  }

  hear(answer: Exclude<Step, { kind: 'ended' }>): End | null {
    if (answer.kind === 'running') {
      this.#since = null
      this.#pauses = 0
      return null
    }
    this.#since ??= this.#now()
    this.#pauses += 1
    const waitedMs = this.#now() - this.#since
    if (answer.kind === 'not_started' && waitedMs >= START_PATIENCE_MS) {
      return {
        reason: 'never_started',
        message: `The run never started, so it changed nothing: ${answer.message}.`,
        hint: 'Run the tool again later, with a new request_key.',
        isRetryable: true,
      }
    }
    if (answer.kind === 'silent' && waitedMs >= SILENCE_PATIENCE_MS) {
      return {
        reason: 'machine_lost',
        message: `The machine that had the run stopped answering: ${answer.message}. The run may have done part of its work.`,
        hint: 'Run the tool again with a new request_key.',
        isRetryable: true,
      }
    }
    return null
  }
}
