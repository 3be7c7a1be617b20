/**
 * Readers: each looks at one untrusted value, reports every fault that it finds with its path, and gives the
 * value with its type, or undefined when it is not fit for use. Messages complete the sentence that the path
 * begins: `descriptor.job` "must be a text".
 */
import { childPath, isRecord } from '../../json-schema/path.ts'
import { choices, nearest, quoteName } from '../../json-schema/wording.ts'
import type { Fault } from '../../problem.ts'

export type Read<T> = (value: unknown, path: string, report: Report) => T | undefined
type Readers = Record<string, Read<unknown>>
type Values<R extends Readers> = { [K in keyof R]: R[K] extends Read<infer T> ? T : never }

/** A hint that costs something to find is a function: it is asked only for a fault that is told. */
type Hint = string | undefined | (() => string | undefined)

/** Gathers faults and warnings, each only once. Past 50 faults the others are only counted. */
export class Report {
  readonly faults: Fault[] = []
  readonly warnings: Fault[] = []
  /** All faults, the untold ones too. */
  count = 0
  private readonly seen = new Set<string>()

  /** Notes a fault and gives undefined, so that a reader can end with it. */
  refuse(path: string, message: string, hint?: Hint): undefined {
    const key = `${path} ${message}`
    if (this.seen.has(key)) return undefined
    this.count += 1
    if (this.count > MAX_TOLD) return undefined
    this.seen.add(key)
    const words = typeof hint === 'function' ? hint() : hint
    this.faults.push(words === undefined ? { path, message } : { path, message, hint: words })
    return undefined
  }

  add(faults: readonly Fault[]): void {
    for (const { path, message, hint } of faults) this.refuse(path, message, hint)
  }
}

const MAX_TOLD = 50
/** Known names that one hint is compared with. */
const MAX_COMPARED = 100

/** A hint that names the known name that was probably meant or, when none is close, what is known. */
export function nameHint(name: string, known: readonly string[]): string | undefined {
  const close = nearest(name, known.slice(0, MAX_COMPARED))
  if (close !== undefined) return `did you mean ${quoteName(close)}?`
  return known.length === 0 ? undefined : `known here: ${choices(known.map(quoteName))}`
}

interface TextRule {
  /** In characters (code points), without blanks at the ends. */
  min?: number
  max?: number
  pattern?: RegExp
  /** Says what `pattern` asks for: "must be …". */
  says?: string
}

export function text({ min = 0, max = Infinity, pattern, says }: TextRule = {}): Read<string> {
  return (value, path, report) => {
    if (typeof value !== 'string') return report.refuse(path, 'must be a text')
    if (pattern && !pattern.test(value)) return report.refuse(path, `must be ${says ?? String(pattern)}`)
    if (Array.from(value.trim()).length < min) {
      return report.refuse(path, min === 1 ? 'is empty' : `must be at least ${min} characters long`)
    }
    const length = value.length > max ? Array.from(value).length : value.length
    return length > max ? report.refuse(path, `has ${length} characters; at most ${max} are allowed`) : value
  }
}

export function number({ min = -Infinity, max = Infinity, isInteger = false } = {}): Read<number> {
  return (value, path, report) => {
    const sort = isInteger ? 'a whole number' : 'a number'
    if (typeof value !== 'number' || !Number.isFinite(value) || (isInteger && !Number.isInteger(value))) {
      return report.refuse(path, `must be ${sort}`)
    }
    if (value >= min && value <= max) return value
    const range = max === Infinity ? `${min} or more` : `from ${min} to ${max}`
    return report.refuse(path, `must be ${sort}, ${range}`)
  }
}

export const boolean: Read<boolean> = (value, path, report) =>
  typeof value === 'boolean' ? value : report.refuse(path, 'must be true or false')

export function oneOf<const V extends string>(values: readonly V[]): Read<V> {
  return (value, path, report) => {
    const found = values.find((candidate) => candidate === value)
    if (found !== undefined) return found
    return report.refuse(path, `must be ${choices(values.map(quoteName))}`, () => {
      const close = typeof value === 'string' ? nearest(value, values) : undefined
      return close === undefined ? undefined : `did you mean ${quoteName(close)}?`
    })
  }
}

/** A list of so many items that all pass. */
export function list<T>(read: Read<T>, { min = 0, max }: { min?: number; max: number }): Read<T[]> {
  return (value, path, report) => {
    if (!Array.isArray(value)) return report.refuse(path, 'must be a list')
    if (value.length < min)
      return report.refuse(path, min === 1 ? 'is empty' : `must have at least ${min} items`)
    if (value.length > max)
      return report.refuse(path, `has ${value.length} items; at most ${max} are allowed`)
    const items = value.map((item, index) => read(item, childPath(path, index), report))
    return items.every((item) => item !== undefined) ? items : undefined
  }
}

/** An object whose names are the maker's; `name` reads each of them at the path of its value. */
export function named<T>(read: Read<T>, name: Read<string>): Read<Record<string, T>> {
  return (value, path, report) => {
    if (!isRecord(value)) return report.refuse(path, 'must be an object')
    const parts: [string, T][] = []
    for (const [key, part] of Object.entries(value)) {
      const at = childPath(path, key)
      name(key, at, report)
      const known = read(part, at, report)
      if (known !== undefined) parts.push([key, known])
    }
    return parts.length === Object.keys(value).length ? Object.fromEntries(parts) : undefined
  }
}

/** An object with these fields and no other. `null` in an optional field means that it is absent. */
export function object<N extends Readers, M extends Readers>(
  need: N,
  may: M,
): Read<Values<N> & Partial<Values<M>>> {
  const readers = { ...need, ...may }
  const known = Object.keys(readers)
  return (value, path, report) => {
    if (!isRecord(value)) return report.refuse(path, 'must be an object', objectHint(value))
    for (const name of Object.keys(value).filter((name) => !known.includes(name))) {
      report.refuse(childPath(path, name), 'is not a known field', () => nameHint(name, known))
    }
    const parts: Record<string, unknown> = {}
    for (const [name, read] of Object.entries(readers)) {
      const given = Object.hasOwn(value, name) ? value[name] : undefined
      const at = childPath(path, name)
      const part = given === undefined || given === null ? undefined : read(given, at, report)
      if (part !== undefined) parts[name] = part
      else if ((given === undefined || given === null) && Object.hasOwn(need, name))
        report.refuse(at, 'is missing')
    }
    const isWhole = Object.keys(need).every((name) => Object.hasOwn(parts, name))
    // Each part came from the reader of its name, and every needed one is there.
    return isWhole ? (parts as Values<N> & Partial<Values<M>>) : undefined
  }
}

/** What to say to someone who sent JSON inside a text. */
export function objectHint(value: unknown): string | undefined {
  const isJsonText = typeof value === 'string' && value.trimStart().startsWith('{')
  return isJsonText ? 'send the object itself, not its JSON as a text' : undefined
}
