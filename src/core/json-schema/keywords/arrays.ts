import { repeated } from '../equality.ts'
import { childOf, fail, isAnything, isList, isNumber, keyword, type Frame, type Keyword } from '../frame.ts'
import { count } from '../wording.ts'

/** Keywords about arrays. */
export const arrayKeywords: Record<string, Keyword> = {
  prefixItems: keyword(isList, isList, (frame, value, schemas) => {
    const length = Math.min(schemas.length, value.length)
    return everyItem(frame, length, (index) => item(frame, index, schemas[index]))
  }),

  items: keyword(isList, isAnything, (frame, value, schema) => {
    const { prefixItems } = frame.schema
    const start = isList(prefixItems) ? prefixItems.length : 0
    if (schema === false && value.length > start) {
      return fail(frame, () => `must have at most ${count(start, 'item')}, has ${value.length}`)
    }
    return everyItem(frame, value.length, (index) => index < start || item(frame, index, schema))
  }),

  unevaluatedItems: keyword(isList, isAnything, (frame, value, schema) => {
    const { items } = frame.marks
    return everyItem(frame, value.length, (index) => items?.has(index) === true || item(frame, index, schema))
  }),

  contains: keyword(isList, isAnything, (frame, value, schema) => {
    const least = isNumber(frame.schema['minContains']) ? frame.schema['minContains'] : 1
    const most = isNumber(frame.schema['maxContains'])
      ? frame.schema['maxContains']
      : Number.POSITIVE_INFINITY
    let found = 0
    for (const [index, part] of value.entries()) {
      if (frame.run.attempt(schema, childOf(frame.place, index, part)).marks === undefined) continue
      found += 1
      mark(frame, index)
    }
    if (found < least)
      return fail(frame, () => `must have at least ${count(least, 'item')} that fit "contains", has ${found}`)
    return (
      found <= most ||
      fail(frame, () => `must have at most ${count(most, 'item')} that fit "contains", has ${found}`)
    )
  }),

  uniqueItems: keyword(isList, isAnything, (frame, value, argument) => {
    if (argument !== true) return true
    const [first, second] = repeated(value, frame.run) ?? []
    return (
      second === undefined ||
      fail(frame, () => `must not hold the same item twice: [${first}] and [${second}]`)
    )
  }),

  minItems: keyword(isList, isNumber, (frame, value, least) => {
    return (
      value.length >= least ||
      fail(frame, () => `must have at least ${count(least, 'item')}, has ${value.length}`)
    )
  }),
  maxItems: keyword(isList, isNumber, (frame, value, most) => {
    return (
      value.length <= most ||
      fail(frame, () => `must have at most ${count(most, 'item')}, has ${value.length}`)
    )
  }),
}

/** Applies a schema to one item and marks it. */
function item(frame: Frame, index: number, schema: unknown): boolean {
  const value = (frame.place.value as unknown[])[index]
  const holds = frame.run.apply(schema, childOf(frame.place, index, value)) !== undefined
  if (holds) mark(frame, index)
  return holds
}

function mark(frame: Frame, index: number): void {
  if (frame.run.keepsMarks) (frame.marks.items ??= new Set()).add(index)
}

/** Whether all items hold. Each one that does not is told, until enough are. */
function everyItem(frame: Frame, length: number, holds: (index: number) => boolean): boolean {
  let all = true
  for (let index = 0; index < length; index += 1) {
    if (!all && frame.run.isFull) break
    all = holds(index) && all
  }
  return all
}
