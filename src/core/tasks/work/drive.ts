import type { End, Host, Step } from '../../../invokes/invoke.ts'
import { LIMITS } from '../../limits.ts'
import { fileIdentities } from '../../tools/descriptor/descriptor.ts'
import { filesOf, keepMade } from '../files/made.ts'
import { settle } from './settle.ts'
import { isEnded, type Task, type Verdict } from '../task.ts'
import { Patience } from './patience.ts'
import { referencesOf } from './references.ts'
import { holdInputs, resolveInput, type Resolved } from './resolve.ts'
import { notStarted, overLimit } from './verdict.ts'
import { openSecrets, scrubberFor, scrubEnd, takeSecrets, UNREADABLE } from '../../connections/in-task.ts'
import type { Wheel } from './wheel.ts'

/**
 * Takes up a task and stays with it to its end, unless another holds it or it waits for others. Every answer of the
 * place is written before the next question, so that a cut anywhere leaves a task that the next driver can take up.
 */
export async function drive(taskId: string, wheel: Wheel): Promise<void> {
  const { store, host } = wheel
  const claimed = store.claim(taskId, host.now())
  if (!claimed) return
  try {
    await driveOn(claimed, wheel)
  } catch (error) {
    store.apply(taskId, { kind: 'dropped', attempt: claimed.attempt }, host.now())
    throw error
  }
}

async function driveOn(claimed: Task, wheel: Wheel): Promise<void> {
  const { store, host } = wheel
  const { id, attempt } = claimed
  const ready = await makeReady(claimed, wheel)
  const end = ready && (await runToEnd(ready, wheel))
  const task = store.find(id)
  if (!task) return
  if (end && ready?.frozenInput) {
    const verdict = await settleKept({ ...task, frozenInput: ready.frozenInput }, end, wheel)
    store.apply(id, { kind: 'ended', attempt, verdict }, host.now())
  } else if (isEnded(task) && task.handle) {
    // It was called off while it was being sent: what was sent must not go on.
    store.askToStop(id)
  }
}

/** How the task ends: without the values of connections, and with all that it made and returned kept. */
async function settleKept(task: Task, end: End, wheel: Wheel): Promise<Verdict> {
  const { id, specHash, frozenInput, isSample } = task
  const { descriptor } = wheel.store.spec(specHash)
  const scrubber = await scrubberFor(task, wheel)
  if (!scrubber) return UNREADABLE
  const made = end.raw?.made ?? []
  const asked = { descriptor, input: frozenInput ?? {}, isSample, files: filesOf(id, made) }
  // Again afterwards: what was printed as JSON may spell a value that only reading it shows.
  const verdict = scrubber.deep(settle(asked, scrubEnd(end, scrubber)))
  const invoke = wheel.invokes[descriptor.invoke.kind]
  const kept = await keepMade(verdict, { task, made, invoke, scrubber }, wheel)
  return keepLarge(kept, task, wheel)
}

/** The task with every value of its input known; null when it waits, ended so or is no longer ours. */
async function makeReady(task: Task, wheel: Wheel): Promise<Task | null> {
  if (task.frozenInput) return task
  const { store, host } = wheel
  const { id, attempt } = task
  const [placement] = store.spec(task.specHash).descriptor.placements
  const over = store.room.overspent(placement, host.now())
  if (over) {
    store.apply(id, { kind: 'ended', attempt, verdict: overLimit(over, host.now()) }, host.now())
    return null
  }
  const isPlain = referencesOf(task.input).length === 0
  const taken: Resolved = isPlain ? { kind: 'ready', input: task.input } : await resolveInput(task, wheel)
  const resolved = taken.kind === 'ready' ? await holdInputs(task, taken.input, wheel) : taken
  if (resolved.kind === 'ready') {
    const taken = await takeSecrets(task, store.spec(task.specHash).descriptor, wheel)
    if (taken.kind === 'missing') {
      store.apply(id, { kind: 'ended', attempt, verdict: taken.verdict }, host.now())
      return null
    }
    const unpaid = await wheel.pay(task, store.spec(task.specHash))
    if (unpaid) {
      store.apply(id, { kind: 'ended', attempt, verdict: notStarted('payment_required', unpaid) }, host.now())
      return null
    }
    const ready = store.apply(id, { kind: 'resolved', attempt, input: resolved.input }, host.now())
    if (ready && taken.secrets.length > 0) store.keepSecrets(id, taken.secrets)
    return ready
  }
  if (resolved.kind === 'waits') store.apply(id, { kind: 'waits', attempt }, host.now())
  else store.apply(id, { kind: 'ended', attempt, verdict: resolved.verdict }, host.now())
  return null
}

/** Asks the place until it says how the work ended; null once another speaks for the task. */
async function runToEnd(ready: Task, wheel: Wheel): Promise<End | null> {
  const { store, host } = wheel
  const { id, attempt } = ready
  const patience = new Patience(host.now)
  let mayHaveBegun = ready.handle !== null
  // What got no answer may still arrive: from then on the job belongs to the boot that it was sent to.
  let isInDoubt = mayHaveBegun
  for (;;) {
    const task = store.find(id)
    if (!task || isEnded(task)) return null
    const answer = await ask(task, mayHaveBegun, wheel)
    if (answer.kind === 'ended') return answer.end
    isInDoubt ||= answer.kind !== 'not_started'
    if (!isInDoubt) {
      store.apply(id, { kind: 'unsent', attempt }, host.now())
    }
    mayHaveBegun = answer.kind !== 'not_started' && store.find(id)?.handle !== null
    const isStarted = answer.kind === 'running' && answer.isStarted
    if (!store.apply(id, { kind: 'seen', attempt, isStarted }, host.now())) return null
    const given = patience.hear(answer)
    if (given) return given
    if (answer.kind !== 'running') await wheel.sleep(patience.pauseMs)
  }
}

async function ask(task: Task, mayHaveBegun: boolean, wheel: Wheel): Promise<Step> {
  const { descriptor, codeHash } = wheel.store.spec(task.specHash)
  const invoke = wheel.invokes[descriptor.invoke.kind]
  if (!invoke) return { kind: 'not_started', message: `this server has no ${descriptor.invoke.kind}` }
  const host = hostOf(task, wheel)
  if (mayHaveBegun && task.handle) return invoke.poll(task.handle, host)
  const { id, accountId, frozenInput, handle } = task
  const input = frozenInput ?? {}
  const hasFiles = fileIdentities(descriptor, input).length > 0
  const fileNames = hasFiles ? await wheel.files.names(id) : undefined
  return invoke.start({ id, accountId, descriptor, codeHash, input, handle, fileNames }, host)
}

function hostOf(task: Task, wheel: Wheel): Host {
  const { id, attempt } = task
  const { store, host } = wheel
  return {
    ...host,
    secret: async (name) => {
      const opened = await openSecrets(task, wheel).catch(() => null)
      return opened?.get(name) ?? null
    },
    recordHandle: (handle) => store.apply(id, { kind: 'sent', attempt, handle }, host.now()) !== null,
  }
}

/** The verdict with an output that is too large to be held in the task kept as a file. */
async function keepLarge(verdict: Verdict, task: Task, { outputs }: Wheel): Promise<Verdict> {
  if (!('output' in verdict)) return verdict
  const { output, ...rest } = verdict
  const json = JSON.stringify(output)
  return json.length <= LIMITS.outputChars ? verdict : { ...rest, outputFile: await outputs.keep(json, task) }
}
