import {
  childOf,
  fail,
  isAnything,
  isList,
  isNumber,
  isString,
  keyword,
  type Frame,
  type Keyword,
} from '../frame.ts'
import { isRecord } from '../path.ts'
import { compilePattern } from '../patterns/pattern.ts'
import { choices, count, nearest, quoteName } from '../wording.ts'

type Members = Record<string, unknown>

/** Keywords about objects. Only an object's own names count, `__proto__` and `toString` like any other. */
export const objectKeywords: Record<string, Keyword> = {
  properties: keyword(isRecord, isRecord, (frame, value, properties) => {
    const names = Object.keys(properties)
    frame.run.spend(names.length / 8)
    return every(names, (name) => !Object.hasOwn(value, name) || member(frame, name, properties[name]))
  }),

  patternProperties: keyword(isRecord, isRecord, (frame, value, patterns) => {
    return every(Object.keys(patterns), (source) => {
      const names = Object.keys(value).filter((name) => matches(frame, source, name))
      return every(names, (name) => member(frame, name, patterns[source]))
    })
  }),

  additionalProperties: keyword(isRecord, isAnything, (frame, value, schema) => {
    const declared = isRecord(frame.schema['properties']) ? frame.schema['properties'] : {}
    const patterns = Object.keys(
      isRecord(frame.schema['patternProperties']) ? frame.schema['patternProperties'] : {},
    )
    const others = Object.keys(value).filter(
      (name) => !Object.hasOwn(declared, name) && !patterns.some((source) => matches(frame, source, name)),
    )
    return every(others, (name) => extra(frame, name, schema))
  }),

  unevaluatedProperties: keyword(isRecord, isAnything, (frame, value, schema) => {
    const others = Object.keys(value).filter((name) => frame.marks.keys?.has(name) !== true)
    return every(others, (name) => extra(frame, name, schema))
  }),

  propertyNames: keyword(isRecord, isAnything, (frame, value, schema) => {
    return every(Object.keys(value), (name) => {
      const place = childOf(frame.place, name, name)
      const { marks, failures } = frame.run.attempt(schema, place)
      frame.run.note(failures.map((failure) => ({ ...failure, message: `as a name: ${failure.message}` })))
      return marks !== undefined
    })
  }),

  required: keyword(isRecord, isList, (frame, value, names) => {
    return every(
      names.filter(isString),
      (name) => has(frame, value, name) || missing(frame, name, 'is required'),
    )
  }),

  dependentRequired: keyword(isRecord, isRecord, (frame, value, dependents) => {
    return every(Object.keys(dependents), (given) => {
      const names = dependents[given]
      if (!has(frame, value, given) || !isList(names)) return true
      const why = `is required when ${quoteName(given)} is given`
      return every(names.filter(isString), (name) => has(frame, value, name) || missing(frame, name, why))
    })
  }),

  minProperties: keyword(isRecord, isNumber, (frame, value, least) => {
    const size = Object.keys(value).length
    return size >= least || fail(frame, `must have at least ${count(least, 'field')}, has ${size}`)
  }),
  maxProperties: keyword(isRecord, isNumber, (frame, value, most) => {
    const size = Object.keys(value).length
    return size <= most || fail(frame, `must have at most ${count(most, 'field')}, has ${size}`)
  }),
}

/** Applies a schema to one member and marks it. */
function member(frame: Frame, name: string, schema: unknown): boolean {
  const value = (frame.place.value as Members)[name]
  const holds = frame.run.apply(schema, childOf(frame.place, name, value)) !== undefined
  if (holds && frame.run.keepsMarks) (frame.marks.keys ??= new Set()).add(name)
  return holds
}

/** A member that no `properties` names: allowed when the schema for others holds. */
function extra(frame: Frame, name: string, schema: unknown): boolean {
  if (schema !== false) return member(frame, name, schema)
  const place = childOf(frame.place, name, undefined)
  const known = isRecord(frame.schema['properties']) ? Object.keys(frame.schema['properties']) : []
  const near = nearest(name, known)
  const hint = near === undefined ? undefined : `did you mean ${quoteName(near)}?`
  const list = known.length > 0 ? `; known: ${choices(known)}` : ''
  return fail(frame, `is not a known field${list}`, { place, hint })
}

function missing(frame: Frame, name: string, message: string): false {
  return fail(frame, message, { place: childOf(frame.place, name, undefined) })
}

function has(frame: Frame, value: Members, name: string): boolean {
  frame.run.spend(1 / 8)
  return Object.hasOwn(value, name)
}

function matches(frame: Frame, source: string, name: string): boolean {
  const compiled = compilePattern(source)
  if (!compiled.ok) return false
  frame.run.spend(compiled.pattern.work(name))
  return compiled.pattern.test(name)
}

/** Like `Array.every`, but goes on after a failure: each one is told. */
function every(names: readonly string[], holds: (name: string) => boolean): boolean {
  let all = true
  for (const name of names) all = holds(name) && all
  return all
}
