import type { End } from '../../invokes/invoke.ts'
import { missingWords } from './needs.ts'
import { scrubberOf, type Scrubber } from './scrub.ts'
import type { TakenSecret } from './secrets.ts'
import { secretNames, type Descriptor } from '../tools/descriptor/descriptor.ts'
import type { Task, Verdict } from '../tasks/task.ts'
import { unrun } from '../tasks/work/verdict.ts'
import type { Wheel } from '../tasks/work/wheel.ts'

type Taken = { kind: 'taken'; secrets: TakenSecret[] } | { kind: 'missing'; verdict: Verdict }

/** The connections that a task needs as they are now. It keeps them, sealed, until it ends, whatever becomes of them. */
export async function takeSecrets(
  { accountId }: Task,
  descriptor: Descriptor,
  { secrets }: Wheel,
): Promise<Taken> {
  const names = secretNames(descriptor)
  if (names.length === 0) return { kind: 'taken', secrets: [] }
  const taken = await secrets.take(accountId, names)
  const missing = names.filter((wanted) => !taken.some(({ name }) => name === wanted))
  if (missing.length === 0) return { kind: 'taken', secrets: taken }
  const { message, hint } = missingWords(missing, secrets.page)
  const error = { code: 'connection_missing' as const, message: `The run never started: ${message}`, hint }
  return { kind: 'missing', verdict: unrun('never_started', error) }
}

/** The values that a task keeps, by the names of their connections. */
export async function openSecrets({ id, accountId }: Task, wheel: Wheel): Promise<Map<string, string>> {
  const opened = new Map<string, string>()
  for (const taken of wheel.store.secrets(id)) {
    opened.set(taken.name, await wheel.secrets.open(accountId, taken))
  }
  return opened
}

/** What takes a task's connections out of what it gave back; null when they cannot be read any more. */
export async function scrubberFor(task: Task, wheel: Wheel): Promise<Scrubber | null> {
  const opened = await openSecrets(task, wheel).catch(() => null)
  return opened && scrubberOf(opened)
}

/** The end of a task whose connections cannot be taken out of what it gave back, so that nothing of it may be kept. */
export const UNREADABLE: Verdict = unrun('result_lost', {
  message:
    'The run ended, but a connection that it used cannot be read any more: its key was taken from this server.',
  hint: 'Set the connection again, then run the tool again with a new request_key.',
  retryable: true,
})

/** An end without the values of connections. What was printed may have been cut in the middle of one. */
export function scrubEnd(end: End, { deep, cut }: Scrubber): End {
  const { stdout, stderr } = end.raw ?? {}
  const printed = {
    ...(stdout !== undefined && { stdout: cut(stdout) }),
    ...(stderr !== undefined && { stderr: cut(stderr) }),
  }
  return deep(end.raw ? { ...end, raw: { ...end.raw, ...printed } } : end)
}
