/** The whole check of a descriptor: every fault at once, before anything is stored. */
import { tooDeep } from '../../json-schema/evaluate.ts'
import { childPath, isRecord } from '../../json-schema/path.ts'
import { quoteName } from '../../json-schema/wording.ts'
import { LIMITS } from '../../limits.ts'
import { containerInvoke } from './container.ts'
import { httpInvoke } from './http.ts'
import { modelInvoke } from './model.ts'
import { checkPairing, KINDS, licenceClass, placements } from './pairing.ts'
import { readInputs, schema } from './schemas.ts'
import { findSecret, maskSecrets } from './secrets.ts'
import { limits, requirements } from './settings.ts'
import { nameHint, object, objectHint, Report, text } from './shape.ts'
import { selector, verify } from './verify.ts'
import type { Fault } from '../../problem.ts'
import type { Code } from './container.ts'
import type { Descriptor, Invoke } from './descriptor.ts'
import type { Inputs } from './schemas.ts'
import type { Read } from './shape.ts'

export interface CheckedDescriptor {
  /** Null when there is any fault. Defaults are filled in, and the fields that we define have one order. */
  descriptor: Descriptor | null
  faults: Fault[]
  warnings: Fault[]
}

const ROOT = 'descriptor'

/**
 * Checks an untrusted descriptor. `code: null` means that the files are not known: then none is looked for.
 * With the `handle` of the maker's account, `tool:<handle>/<slug>` is taken for `tool:<slug>`.
 * Never throws; never repeats a secret that it holds.
 */
export function checkDescriptor(raw: unknown, code: Code | null, handle?: string): CheckedDescriptor {
  const report = new Report()
  const descriptor = isReadable(raw, report) ? readDescriptor(raw, report, { code, handle }) : undefined
  const { count, faults, warnings } = report
  if (count > faults.length) faults.push({ path: ROOT, message: `has ${count - faults.length} more faults` })
  return { descriptor: count === 0 ? (descriptor ?? null) : null, faults, warnings }
}

function readDescriptor(
  raw: Record<string, unknown>,
  report: Report,
  { code, handle }: { code: Code | null; handle: string | undefined },
): Descriptor | undefined {
  const { value: masked, faults } = maskSecrets(raw, ROOT)
  report.add(faults)
  if (!isRecord(masked)) return undefined
  checkCharacters(masked, ROOT, report)
  const inputs = readInputs(masked.input_schema, childPath(ROOT, 'input_schema'), report)
  const known = object(
    {
      id: toolId(handle),
      job: line({ min: LIMITS.jobChars.min, max: LIMITS.jobChars.max }),
      output_schema: schema,
      invoke: invoke(inputs, code),
      placements,
      licence_class: licenceClass,
      verify: verify(inputs),
    },
    {
      label: line({ min: 1, max: LIMITS.labelChars }),
      input_schema: (value) => value,
      result_selector: selector,
      requirements,
      limits,
    },
  )(masked, ROOT, report)
  checkPairing(masked, ROOT, report)
  if (!known || !inputs.schema) return undefined
  const { requirements: _, input_schema: __, ...parts } = known
  return { ...parts, input_schema: inputs.schema }
}

/** Refuses what is too big or too deep to be looked at. */
function isReadable(raw: unknown, report: Report): raw is Record<string, unknown> {
  if (!isRecord(raw)) {
    report.refuse(ROOT, 'must be an object', objectHint(raw))
    return false
  }
  for (const [path, value] of nestedParts(raw)) {
    const fault = tooDeep(value, path, 0)
    if (fault) report.refuse(findSecret(fault.path) ? ROOT : fault.path, fault.message)
  }
  if (report.count > 0) return false
  const size = new TextEncoder().encode(JSON.stringify(raw)).length
  if (size <= LIMITS.descriptor) return true
  report.refuse(
    ROOT,
    `has ${size} bytes of JSON; at most ${LIMITS.descriptor} are allowed`,
    'move data into files',
  )
  return false
}

/** The parts whose depth counts from their own root: each field and, in `verify`, each sample's input. */
function nestedParts(raw: Record<string, unknown>): [string, unknown][] {
  return Object.entries(raw).flatMap(([name, value]): [string, unknown][] => {
    const path = childPath(ROOT, name)
    if (name !== 'verify' || !Array.isArray(value)) return [[path, value]]
    return value.flatMap((check, index): [string, unknown][] => {
      const at = childPath(path, index)
      if (!isRecord(check)) return [[at, check]]
      return Object.entries(check).map(([name, part]) => [childPath(at, name), part])
    })
  })
}

/** Half a character cannot be stored or hashed, wherever it stands. */
function checkCharacters(value: unknown, path: string, report: Report): void {
  if (typeof value === 'string' && !value.isWellFormed()) {
    report.refuse(path, 'holds half of a character (a lone surrogate)')
  }
  if (Array.isArray(value))
    value.forEach((item, index) => checkCharacters(item, childPath(path, index), report))
  if (!isRecord(value)) return
  for (const [name, part] of Object.entries(value)) {
    const at = childPath(path, name.toWellFormed())
    if (!name.isWellFormed()) report.refuse(at, 'has half of a character (a lone surrogate) in its name')
    checkCharacters(part, at, report)
  }
}

const SLUG = /^[A-Za-z][A-Za-z0-9_-]{0,62}$/

function toolId(handle: string | undefined): Read<string> {
  return (value, path, report) => {
    if (typeof value !== 'string') return report.refuse(path, 'must be a text, like "tool:count-words"')
    const own = `tool:${handle}/`
    const slug =
      handle !== undefined && value.startsWith(own) ? value.slice(own.length) : value.replace(/^tool:/, '')
    if (value.startsWith('tool:') && SLUG.test(slug)) return `tool:${slug}`
    const says = 'must be an id: "tool:" and a letter, then up to 62 letters, digits, "_" or "-"'
    return report.refuse(path, says, suggestedId(value))
  }
}

/** The id that a near miss was meant to be. */
function suggestedId(id: string): string | undefined {
  const slug = id
    .trim()
    .replace(/^tool:/i, '')
    .replaceAll(/[\s.]+/g, '-')
  return SLUG.test(slug) ? `did you mean "tool:${slug}"?` : undefined
}

// oxlint-disable-next-line no-control-regex -- refusing them is the point
const NOT_IN_A_LINE = /[\p{Cc}\u2028\u2029\u202a-\u202e\u2066-\u2069]/u

/** A text without line breaks, control characters and marks that turn the direction of writing. */
function line(rule: { min: number; max: number }): Read<string> {
  const read = text(rule)
  return (value, path, report) => {
    const isLine = typeof value !== 'string' || !NOT_IN_A_LINE.test(value)
    return isLine
      ? read(value, path, report)
      : report.refuse(path, 'holds a control character', 'write it in one line')
  }
}

function invoke(inputs: Inputs, code: Code | null): Read<Invoke> {
  const readers: Record<Invoke['kind'], Read<Invoke>> = {
    container: containerInvoke(inputs, code),
    model: modelInvoke(inputs),
    http: httpInvoke(inputs),
  }
  return (value, path, report) => {
    if (!isRecord(value)) return report.refuse(path, 'must be an object with a "kind"')
    const kind = KINDS.find((known) => known === value.kind)
    if (kind) return readers[kind](value, path, report)
    const given = typeof value.kind === 'string' ? value.kind : undefined
    const message = given === undefined ? 'is missing' : `is ${quoteName(given)}, which is no kind of invoke`
    return report.refuse(childPath(path, 'kind'), message, nameHint(given ?? '', KINDS))
  }
}
