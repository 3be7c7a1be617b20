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
import { count, didYouMean, listed, quoteName } from '../wording.ts'

type Members = Record<string, unknown>

/** Keywords about objects. Only an object's own names count, `__proto__` and `toString` like any other. */
export const objectKeywords: Record<string, Keyword> = {
  properties: keyword(isRecord, isRecord, (frame, value, properties) => {
    const names = Object.keys(properties)
    frame.run.spend(names.length / 8)
    return every(frame, names, (name) => !Object.hasOwn(value, name) || member(frame, name, properties[name]))
  }),

  patternProperties: keyword(isRecord, isRecord, (frame, value, patterns) => {
    return every(frame, Object.keys(patterns), (source) => {
      const names = namesOf(frame, value).filter((name) => matches(frame, source, name))
      return every(frame, names, (name) => member(frame, name, patterns[source]))
    })
  }),

  additionalProperties: keyword(isRecord, isAnything, (frame, value, schema) => {
    const { properties, patternProperties } = frame.schema
    const patterns = isRecord(patternProperties) ? Object.keys(patternProperties) : []
    const isDeclared = (name: string): boolean =>
      (isRecord(properties) && Object.hasOwn(properties, name)) ||
      patterns.some((source) => matches(frame, source, name))
    return every(frame, namesOf(frame, value), (name) => isDeclared(name) || extra(frame, name, schema))
  }),

  unevaluatedProperties: keyword(isRecord, isAnything, (frame, value, schema) => {
    const isMarked = (name: string): boolean => frame.marks.keys?.has(name) === true
    return every(frame, namesOf(frame, value), (name) => isMarked(name) || extra(frame, name, schema))
  }),

  propertyNames: keyword(isRecord, isAnything, (frame, value, schema) => {
    return every(frame, namesOf(frame, value), (name) => {
      const { marks, failures } = frame.run.attempt(schema, childOf(frame.place, name, name))
      frame.run.note(failures.map((one) => ({ ...one, message: () => `as a name: ${one.message()}` })))
      return marks !== undefined
    })
  }),

  required: keyword(isRecord, isList, (frame, value, names) => {
    return every(frame, names.filter(isString), (name) => has(frame, value, name) || missing(frame, name))
  }),

  dependentRequired: keyword(isRecord, isRecord, (frame, value, dependents) => {
    return every(frame, Object.keys(dependents), (given) => {
      const names = dependents[given]
      if (!has(frame, value, given) || !isList(names)) return true
      const why = ` when ${quoteName(given)} is given`
      return every(
        frame,
        names.filter(isString),
        (name) => has(frame, value, name) || missing(frame, name, why),
      )
    })
  }),

  minProperties: keyword(isRecord, isNumber, (frame, value, least) => {
    const size = namesOf(frame, value).length
    return size >= least || fail(frame, () => `must have at least ${count(least, 'field')}, has ${size}`)
  }),
  maxProperties: keyword(isRecord, isNumber, (frame, value, most) => {
    const size = namesOf(frame, value).length
    return size <= most || fail(frame, () => `must have at most ${count(most, 'field')}, has ${size}`)
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
  const { properties } = frame.schema
  const known = (): string[] => (isRecord(properties) ? Object.keys(properties) : [])
  const message = (): string =>
    `is not a known field${isRecord(properties) ? `; known: ${listed(known())}` : ''}`
  return fail(frame, message, {
    place: childOf(frame.place, name, undefined),
    hint: () => didYouMean(name, known()),
  })
}

function missing(frame: Frame, name: string, when = ''): false {
  return fail(frame, () => `is required${when}`, { place: childOf(frame.place, name, undefined) })
}

/** The own names of the object at this place; listing them costs more the first time. */
function namesOf({ place, run }: Frame, value: Members): readonly string[] {
  const isFirst = place.names === undefined
  const names = (place.names ??= Object.keys(value))
  run.spend(isFirst ? names.length : names.length / 8)
  return names
}

function has(frame: Frame, value: Members, name: string): boolean {
  frame.run.spend(1 / 8)
  return Object.hasOwn(value, name)
}

function matches(frame: Frame, source: string, name: string): boolean {
  const pattern = frame.run.pattern(source)
  if (!pattern) return false
  frame.run.spend(pattern.work(name))
  return pattern.test(name)
}

/** Whether all names hold. Each one that does not is told, until enough are. */
function every(frame: Frame, names: readonly string[], holds: (name: string) => boolean): boolean {
  let all = true
  for (const name of names) {
    if (!all && frame.run.isFull) break
    all = holds(name) && all
  }
  return all
}
