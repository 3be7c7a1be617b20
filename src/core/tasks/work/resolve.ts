import { isRecord } from '../../json-schema/path.ts'
import { fileIdentities, mapFiles } from '../../tools/descriptor/descriptor.ts'
import { selectResult } from '../files/select.ts'
import { isEnded, type Task, type Verdict } from '../task.ts'
import { inputFaults } from './inputs.ts'
import { referencesOf, replaceReferences, type Reference } from './references.ts'
import { unrun } from './verdict.ts'
import type { Wheel } from './wheel.ts'

export type Resolved =
  | { kind: 'ready'; input: Record<string, unknown> }
  | { kind: 'waits' }
  | { kind: 'unavailable'; verdict: Verdict }

/** Puts the outputs that an input names in their places, once all of them are there, and checks the whole. */
export async function resolveInput(task: Task, wheel: Wheel): Promise<Resolved> {
  const references = referencesOf(task.input)
  const sources = references.map(({ taskId }) => wheel.store.find(taskId))
  const missing = references.find((_, i) => sources[i]?.state !== 'completed' && isOver(sources[i]))
  if (missing) {
    return unavailable(`${missing.path} needs the output of ${missing.taskId}, which did not complete`)
  }
  if (sources.some((source) => source === null || source === undefined || !isEnded(source))) {
    return { kind: 'waits' }
  }
  const values = new Map<string, unknown>()
  for (const [i, reference] of references.entries()) {
    const verdict = sources[i]?.verdict
    const kept = verdict?.outputFile
      ? await wheel.outputs.load(verdict.outputFile)
      : { output: verdict?.output }
    if (!kept) return unavailable(`the output of ${reference.taskId} is gone`)
    const taken = take(reference, kept.output, verdict?.files)
    if (!taken.found) return unavailable(taken.message)
    values.set(reference.path, taken.value)
  }
  const { descriptor } = wheel.store.spec(task.specHash)
  const replaced = replaceReferences(task.input, ({ path }) => values.get(path)) as Record<string, unknown>
  const input = mapFiles(descriptor, replaced, asIdentity)
  const faults = inputFaults(descriptor, input, wheel.invokes)
  const [fault] = faults
  return fault ? unavailable(`${fault.path} ${fault.message}`) : { kind: 'ready', input }
}

/** A file of an earlier task, where a file is wanted, is its identity. */
const asIdentity = (value: unknown): unknown =>
  isRecord(value) && typeof value.identity === 'string' ? value.identity : value

/** Has the task hold the files that its input names, before any machine hears of it. */
export async function holdInputs(
  task: Task,
  input: Record<string, unknown>,
  { store, files }: Wheel,
): Promise<Resolved> {
  const wanted = fileIdentities(store.spec(task.specHash).descriptor, input)
  if (wanted.length === 0) return { kind: 'ready', input }
  const unknown = await files.hold(
    task,
    wanted.map(({ identity }) => identity),
  )
  const first = wanted.find(({ identity }) => unknown.includes(identity))
  if (!first) return { kind: 'ready', input }
  return unavailable(`${first.path} names ${first.identity}, which is no file of this account`)
}

/** Gone counts as over: what is kept no longer cannot be waited for. */
const isOver = (source: Task | null | undefined): boolean => !source || isEnded(source)

const unavailable = (what: string): Resolved => ({
  kind: 'unavailable',
  verdict: unrun('input_unavailable', {
    message: `The run never started, because its input could not be made: ${what}.`,
    hint: 'Read the earlier task, then run the tool again with a new request_key.',
  }),
})

function take({ path, taskId, selector }: Reference, output: unknown, files: Verdict['files']) {
  if (selector === undefined) return { found: true as const, value: output }
  const selected = selectResult(selector, output, files)
  if (selected.found) return selected
  return {
    found: false as const,
    message: `${path} takes ${selector} of the output of ${taskId}: ${selected.message}`,
  }
}
