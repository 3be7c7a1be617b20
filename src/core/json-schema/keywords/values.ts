import { isMultiple, isSame } from '../equality.ts'
import { fail, isAnything, isList, isNumber, isString, keyword, type Frame, type Keyword } from '../frame.ts'
import { isFileIdentity } from '../file-identity.ts'
import { isRecord } from '../path.ts'
import { brief, choices, count, cut, didYouMean, kindNamed, kindOf } from '../wording.ts'

/** Longest part of a pattern that a refusal repeats. */
const SHOWN_PATTERN = 100

/** Keywords about a single value: its type, its choices, numbers and strings. */
export const valueKeywords: Record<string, Keyword> = {
  type: keyword(isAnything, isTypes, (frame, value, types) => {
    const names = typeof types === 'string' ? [types] : types
    if (names.some((name) => isOfType(value, name))) return true
    const expects = () => names.map(kindNamed)
    const got = () => (typeof value === 'number' ? brief(value) : kindOf(value))
    return fail(frame, () => `must be ${choices(expects())}, got ${got()}`, { expects })
  }),

  const: keyword(isAnything, isAnything, (frame, value, wanted) => {
    if (isSame(value, wanted, frame.run)) return true
    return fail(frame, () => `must be ${brief(wanted)}, got ${brief(value)}`, {
      expects: () => [brief(wanted)],
    })
  }),

  enum: keyword(isAnything, isList, (frame, value, wanted) => {
    frame.run.spend(wanted.length / 8)
    if (wanted.some((choice) => isSame(value, choice, frame.run))) return true
    const expects = () => wanted.map(brief)
    const hint = () => didYouMean(value, wanted)
    return fail(frame, () => `must be ${choices(expects())}, got ${brief(value)}`, { expects, hint })
  }),

  minimum: keyword(isNumber, isNumber, (frame, value, limit) => {
    return value >= limit || fail(frame, () => `must be at least ${limit}, got ${value}`)
  }),
  maximum: keyword(isNumber, isNumber, (frame, value, limit) => {
    return value <= limit || fail(frame, () => `must be at most ${limit}, got ${value}`)
  }),
  exclusiveMinimum: keyword(isNumber, isNumber, (frame, value, limit) => {
    return value > limit || fail(frame, () => `must be more than ${limit}, got ${value}`)
  }),
  exclusiveMaximum: keyword(isNumber, isNumber, (frame, value, limit) => {
    return value < limit || fail(frame, () => `must be less than ${limit}, got ${value}`)
  }),
  multipleOf: keyword(isNumber, isNumber, (frame, value, step) => {
    return isMultiple(value, step) || fail(frame, () => `must be a multiple of ${step}, got ${value}`)
  }),

  minLength: keyword(isString, isNumber, (frame, value, least) => {
    const length = value.length < least ? value.length : characters(frame, value)
    return (
      length >= least || fail(frame, () => `must have at least ${count(least, 'character')}, has ${length}`)
    )
  }),
  maxLength: keyword(isString, isNumber, (frame, value, most) => {
    const length = value.length <= most ? value.length : characters(frame, value)
    return length <= most || fail(frame, () => `must have at most ${count(most, 'character')}, has ${length}`)
  }),

  pattern: keyword(isString, isString, (frame, value, source) => {
    const pattern = frame.run.pattern(source)
    if (!pattern) return fail(frame, () => `cannot be checked: the pattern ${cut(source)} is not supported`)
    frame.run.spend(pattern.work(value))
    return (
      pattern.test(value) ||
      fail(frame, () => `must match the pattern ${cut(source, SHOWN_PATTERN)}, got ${brief(value)}`)
    )
  }),

  /** An annotation, but for our own `namespace-file`. */
  format: keyword(isAnything, isString, (frame, value, format) => {
    if (format !== 'namespace-file') return true
    const holds = isString(value) ? isFileIdentity(value) : frame.schema['type'] !== undefined
    return (
      holds || fail(frame, () => `must be a file identity (1f: and 64 lower hex digits), got ${brief(value)}`)
    )
  }),
}

function isTypes(value: unknown): value is string | string[] {
  return isString(value) || (isList(value) && value.every(isString))
}

function isOfType(value: unknown, type: string): boolean {
  switch (type) {
    case 'null':
      return value === null
    case 'array':
      return Array.isArray(value)
    case 'object':
      return isRecord(value)
    case 'integer':
      return Number.isInteger(value)
    default:
      return typeof value === type
  }
}

/** Length in characters (code points): a pair of surrogates is one. */
function characters(frame: Frame, text: string): number {
  frame.run.spend(text.length / 64)
  let length = text.length
  for (let at = 0; at < text.length - 1; at += 1) {
    const isPair = (text.charCodeAt(at) & 0xfc00) === 0xd800 && (text.charCodeAt(at + 1) & 0xfc00) === 0xdc00
    if (isPair) length -= 1
  }
  return length
}
