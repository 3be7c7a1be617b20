import { childPath, isRecord } from '../../json-schema/path.ts'

/** A value of an input that stands for the output of an earlier task. */
export interface Reference {
  /** Where it stands: `input.text`. */
  path: string
  taskId: string
  selector?: string
}

const NAMES = new Set(['from_task', 'output_selector'])

/** The reference that a value is, if it is one: an object with `from_task` and at most `output_selector`. */
function asReference(value: unknown, path: string): Reference | null {
  if (!isRecord(value) || typeof value.from_task !== 'string') return null
  if (!Object.keys(value).every((name) => NAMES.has(name))) return null
  const { from_task, output_selector } = value
  if (output_selector === undefined || output_selector === null) return { path, taskId: from_task }
  return typeof output_selector === 'string' ? { path, taskId: from_task, selector: output_selector } : null
}

/** Every reference of an input, at any depth. */
export function referencesOf(value: unknown, path = 'input'): Reference[] {
  const reference = asReference(value, path)
  if (reference) return [reference]
  if (Array.isArray(value)) return value.flatMap((part, i) => referencesOf(part, childPath(path, i)))
  if (!isRecord(value)) return []
  return Object.entries(value).flatMap(([key, part]) => referencesOf(part, childPath(path, key)))
}

/** The input with each reference replaced by what `valueOf` gives for it. */
export function replaceReferences(
  value: unknown,
  valueOf: (reference: Reference) => unknown,
  path = 'input',
): unknown {
  const reference = asReference(value, path)
  if (reference) return valueOf(reference)
  if (Array.isArray(value))
    return value.map((part, i) => replaceReferences(part, valueOf, childPath(path, i)))
  if (!isRecord(value)) return value
  return Object.fromEntries(
    Object.entries(value).map(([key, part]) => [key, replaceReferences(part, valueOf, childPath(path, key))]),
  )
}
