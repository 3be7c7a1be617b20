/** `verify`: the checks that say that a job was done. */
import { validate } from '../../json-schema/index.ts'
import { childPath, isRecord } from '../../json-schema/path.ts'
import { parseSelector } from '../../selector.ts'
import { inputField } from './schemas.ts'
import { list, nameHint, number, object, oneOf, text } from './shape.ts'
import type { SampleRun, VerifyCheck } from './descriptor.ts'
import type { Inputs } from './schemas.ts'
import type { Read } from './shape.ts'

/** A selector that `parseSelector` accepts. */
export const selector: Read<string> = (value, path, report) => {
  if (typeof value !== 'string') return report.refuse(path, 'must be a text, like "$.words"')
  const parsed = parseSelector(value)
  return parsed.ok ? value : report.refuse(path, `is not a selector: ${parsed.message}`)
}

export function verify(inputs: Inputs): Read<VerifyCheck[]> {
  const readers = checkReaders(inputs)
  const kinds = Object.keys(readers)
  const checks = list<VerifyCheck>(
    (value, path, report) => {
      if (!isRecord(value)) return report.refuse(path, 'must be an object with a "kind"')
      const { kind } = value
      const read = typeof kind === 'string' && Object.hasOwn(readers, kind) ? readers[kind] : undefined
      if (read) return read(value, path, report)
      const given = typeof kind === 'string' ? kind : ''
      return report.refuse(childPath(path, 'kind'), 'is not a kind of check', () => nameHint(given, kinds))
    },
    { max: 50 },
  )
  return (value, path, report) => {
    const hasSample =
      Array.isArray(value) && value.some((check) => isRecord(check) && check.kind === 'sample-run')
    if (Array.isArray(value) && !hasSample) report.refuse(path, 'must include a sample-run', SAMPLE_HINT)
    return checks(value, path, report)
  }
}

const SAMPLE_HINT =
  'like {"kind": "sample-run", "input": {"text": "one two"}, "output_selector": "$.words", "contains": "2"}'

function checkReaders(inputs: Inputs): Record<string, Read<VerifyCheck>> {
  const sought = text({ min: 1 })
  const withSelector = { output_selector: selector }
  return {
    'sample-run': object(
      { kind: oneOf(['sample-run']), input: sampleInput(inputs), ...withSelector, contains: sought },
      {},
    ),
    'output-contains': object({ kind: oneOf(['output-contains']), ...withSelector, text: sought }, {}),
    'output-contains-input': object(
      { kind: oneOf(['output-contains-input']), ...withSelector, field: inputField(inputs) },
      {},
    ),
    'output-number-within': numberWithin,
    'output-numbers-close': numbersClose(inputs),
  }
}

/** The input of a sample must be one that a run would accept. */
function sampleInput({ schema }: Inputs): Read<SampleRun['input']> {
  return (value, path, report) => {
    if (!isRecord(value)) return report.refuse(path, 'must be an object')
    const faults = schema === undefined ? [] : validate(schema, value, path)
    report.add(faults)
    return faults.length === 0 ? value : undefined
  }
}

const bounds = object(
  { kind: oneOf(['output-number-within']), output_selector: selector, min: number(), max: number() },
  {},
)

const numberWithin: Read<VerifyCheck> = (value, path, report) => {
  const { min, max } = isRecord(value) ? value : {}
  if (typeof min === 'number' && typeof max === 'number' && min > max) {
    report.refuse(childPath(path, 'min'), 'must not be more than max')
  }
  return bounds(value, path, report)
}

function numbersClose(inputs: Inputs): Read<VerifyCheck> {
  const shared = {
    kind: oneOf(['output-numbers-close']),
    output_selector: selector,
    within: number({ min: 0 }),
  }
  const numbers = list(number(), { min: 1, max: 1_000 })
  const to: Read<number | number[]> = (value, path, report) =>
    Array.isArray(value) ? numbers(value, path, report) : number()(value, path, report)
  const read = object(shared, { to, to_field: inputField(inputs) })
  return (value, path, report) => {
    const check = read(value, path, report)
    const given = isRecord(value) ? ['to', 'to_field'].filter((name) => (value[name] ?? null) !== null) : []
    if (given.length !== 1) {
      return report.refuse(
        path,
        'must have exactly one of "to" (a number) and "to_field" (the name of an input)',
      )
    }
    if (!check) return undefined
    const { kind, output_selector, within } = check
    if (check.to !== undefined) return { kind, output_selector, to: check.to, within }
    return check.to_field === undefined
      ? undefined
      : { kind, output_selector, to_field: check.to_field, within }
  }
}
