import {
  fail,
  isAnything,
  isList,
  isString,
  keyword,
  type Failure,
  type Frame,
  type Keyword,
  type Marks,
  type Outcome,
} from '../frame.ts'
import { isRecord } from '../path.ts'
import { brief, choices, count, cut, listed } from '../wording.ts'

/** Keywords that apply other schemas to the same value. */
export const combinationKeywords: Record<string, Keyword> = {
  $ref: keyword(isAnything, isString, (frame, _value, ref) => {
    const target = frame.run.target(frame.schema)
    if (target === undefined) return fail(frame, () => `cannot be checked: the schema has no ${cut(ref)}`)
    const outcome = once(frame, target)
    frame.run.note(outcome.failures)
    return merge(frame, outcome.marks)
  }),

  allOf: keyword(isAnything, isList, (frame, _value, schemas) => {
    let holds = true
    for (const schema of schemas) holds = also(frame, schema) && holds
    return holds
  }),

  anyOf: keyword(isAnything, isList, (frame, _value, schemas) => {
    const outcomes: Outcome[] = []
    for (const schema of schemas) {
      const outcome = frame.run.attempt(schema, frame.place)
      outcomes.push(outcome)
      merge(frame, outcome.marks)
      if (outcome.marks !== undefined && !frame.run.keepsMarks) return true
    }
    return outcomes.some(({ marks }) => marks !== undefined) || noneHolds(frame, outcomes)
  }),

  oneOf: keyword(isAnything, isList, (frame, _value, schemas) => {
    const outcomes = schemas.map((schema) => frame.run.attempt(schema, frame.place))
    const fitting = outcomes.flatMap(({ marks }, index) => (marks === undefined ? [] : [index]))
    if (fitting.length === 0) return noneHolds(frame, outcomes)
    if (fitting.length === 1) return merge(frame, outcomes[fitting[0] ?? 0]?.marks)
    const which = (): string => listed(fitting.map((index) => `oneOf[${index}]`))
    return fail(frame, () => `must fit exactly one of the ${schemas.length} allowed forms, fits ${which()}`)
  }),

  not: keyword(isAnything, isAnything, (frame, _value, schema) => {
    const { marks } = frame.run.attempt(schema, frame.place)
    return marks === undefined || fail(frame, () => 'has a form that the schema rules out ("not")')
  }),

  if: keyword(isAnything, isAnything, (frame, _value, schema) => {
    const { marks } = frame.run.attempt(schema, frame.place)
    merge(frame, marks)
    const next = marks === undefined ? 'else' : 'then'
    return !Object.hasOwn(frame.schema, next) || also(frame, frame.schema[next])
  }),

  dependentSchemas: keyword(isRecord, isRecord, (frame, value, schemas) => {
    let holds = true
    for (const name of Object.keys(schemas)) {
      if (Object.hasOwn(value, name)) holds = also(frame, schemas[name]) && holds
    }
    return holds
  }),

  /** The older name of `dependentSchemas` and `dependentRequired`, which the metaschema still knows. */
  dependencies: keyword(isRecord, isRecord, (frame, value, dependents) => {
    let holds = true
    for (const name of Object.keys(dependents)) {
      const dependent = dependents[name]
      const schema = isList(dependent) ? { dependentRequired: { [name]: dependent } } : dependent
      if (Object.hasOwn(value, name)) holds = also(frame, schema) && holds
    }
    return holds
  }),
}

/** Applies a referenced schema at a place once, however many ways lead to it: work cannot double at each level. */
function once(frame: Frame, target: unknown): Outcome {
  const memo = (frame.place.memo ??= new Map())
  const known = memo.get(target)
  if (known === 'open') frame.run.spend(Number.POSITIVE_INFINITY)
  if (known !== undefined && known !== 'open') return known
  memo.set(target, 'open')
  const outcome = frame.run.attempt(target, frame.place)
  memo.set(target, outcome)
  return outcome
}

/** Applies a schema to the same value, noting its failures and taking over its marks. */
function also(frame: Frame, schema: unknown): boolean {
  return merge(frame, frame.run.apply(schema, frame.place))
}

function merge({ marks, run }: Frame, more: Marks | undefined): boolean {
  if (more === undefined) return false
  run.spend(((more.keys?.size ?? 0) + (more.items?.size ?? 0)) / 8)
  for (const key of more.keys ?? []) (marks.keys ??= new Set()).add(key)
  for (const index of more.items ?? []) (marks.items ??= new Set()).add(index)
  return true
}

/**
 * Tells why none of several forms fits: when each wants another kind of value, all kinds in one sentence;
 * else the failures of the form that comes closest.
 */
function noneHolds(frame: Frame, outcomes: readonly Outcome[]): false {
  const { place, run } = frame
  const wrong = outcomes.map(({ failures }) => failures.find((one) => one.place === place && one.expects))
  if (wrong.every((failure) => failure !== undefined)) {
    const expects = (): string[] => [...new Set(wrong.flatMap((failure) => failure.expects?.() ?? []))]
    const hint = (): string | undefined => wrong.map((failure) => failure.hint?.()).find(Boolean)
    return fail(frame, () => `must be ${choices(expects())}, got ${brief(place.value)}`, { expects, hint })
  }
  const distances = outcomes.map((outcome) => distance(frame, outcome))
  const closest = outcomes[distances.indexOf(Math.min(...distances))]
  const hint = (): string => `or another of the ${count(outcomes.length, 'allowed form')}`
  run.note(
    (closest?.failures ?? []).map((failure) => ({ ...failure, hint: () => failure.hint?.() ?? hint() })),
  )
  return false
}

/** How far a form is from fitting: another kind of value, then another named variant, then the number of failures. */
function distance({ place }: Frame, { failures }: Outcome): number {
  const isWrong = (failure: Failure): boolean => failure.expects !== undefined && failure.place === place
  const isOther = (failure: Failure): boolean =>
    failure.expects !== undefined && failure.place.parent === place
  return (failures.some(isWrong) ? 10_000 : 0) + (failures.some(isOther) ? 1_000 : 0) + failures.length
}
