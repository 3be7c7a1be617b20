import { LIMITS } from '../limits.ts'
import type { Fault } from '../problem.ts'
import { documentOf, type SchemaDocument } from './document.ts'
import type { Failure, Frame, Keyword, Marks, Outcome, Place, Run } from './frame.ts'
import { arrayKeywords } from './keywords/arrays.ts'
import { combinationKeywords } from './keywords/combinations.ts'
import { objectKeywords } from './keywords/objects.ts'
import { valueKeywords } from './keywords/values.ts'
import { childPath, isRecord } from './path.ts'

/** Steps of one validation: about a schema applied, eight names looked up or 64 characters read each. */
const WORK = 2_000_000
/** Schemas being applied inside each other; keeps the stack far from its end. */
const NESTING = 500
const NOTED = 100
const TOLD = 20

const KEYWORDS = new Map<string, Keyword>(
  Object.entries({ ...valueKeywords, ...objectKeywords, ...arrayKeywords, ...combinationKeywords }),
)
/** These look at what all others have marked. */
const LAST = ['unevaluatedItems', 'unevaluatedProperties']
const NO_MARKS: Marks = Object.freeze({})

class TooMuchWork extends Error {}

/**
 * Checks a value against a schema. The answer names the deepest parts that are wrong, each once, at most 20; it
 * is empty when the value is valid. Never throws: a schema that would take too much work is a fault at `at`.
 */
export function validate(schema: unknown, value: unknown, at: string): Fault[] {
  const deep = tooDeep(value, at, 0)
  if (deep) return [deep]
  const evaluation = new Evaluation(isRecord(schema) ? documentOf(schema) : undefined)
  try {
    const { marks, failures } = evaluation.attempt(schema, { value, key: at })
    return marks === undefined ? told(failures) : []
  } catch (error) {
    if (!(error instanceof TooMuchWork)) throw error
    return [{ path: at, message: 'cannot be checked: the schema takes too much work for this value' }]
  }
}

class Evaluation implements Run {
  readonly keepsMarks: boolean
  private readonly document: SchemaDocument | undefined
  private failures: Failure[] = []
  private work = WORK
  private nesting = 0

  constructor(document: SchemaDocument | undefined) {
    this.document = document
    this.keepsMarks = document?.keepsMarks ?? false
  }

  get isFull(): boolean {
    return this.failures.length >= NOTED
  }

  spend(steps: number): void {
    this.work -= steps
    if (this.work < 0) throw new TooMuchWork()
  }

  note(failures: readonly Failure[]): void {
    if (!this.isFull) this.failures.push(...failures.slice(0, NOTED))
  }

  target(schema: Record<string, unknown>): unknown {
    return this.document?.target(schema)
  }

  attempt(schema: unknown, place: Place): Outcome {
    const outer = this.failures
    this.failures = []
    const marks = this.apply(schema, place)
    const { failures } = this
    this.failures = outer
    return { marks, failures }
  }

  apply(schema: unknown, place: Place): Marks | undefined {
    this.spend(1)
    if (schema === false) this.note([{ place, message: 'is not allowed' }])
    if (!isRecord(schema)) return schema === false ? undefined : NO_MARKS
    this.nesting += 1
    if (this.nesting > NESTING) throw new TooMuchWork()
    const frame: Frame = { run: this, schema, place, marks: this.keepsMarks ? {} : NO_MARKS }
    const holds = applyKeywords(frame)
    this.nesting -= 1
    return holds ? frame.marks : undefined
  }
}

/** A value of the wrong type is told once: what else the schema says about it would be noise. */
function applyKeywords(frame: Frame): boolean {
  const { schema } = frame
  if (!applyKeyword(frame, 'type')) return false
  let holds = true
  for (const name of Object.keys(schema)) {
    if (name !== 'type' && !LAST.includes(name)) holds = applyKeyword(frame, name) && holds
  }
  return holds && LAST.every((name) => applyKeyword(frame, name))
}

function applyKeyword(frame: Frame, name: string): boolean {
  const keyword = Object.hasOwn(frame.schema, name) ? KEYWORDS.get(name) : undefined
  return keyword === undefined || keyword(frame, frame.schema[name])
}

function told(failures: readonly Failure[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const { place, message, hint } of failures) {
    const path = pathOf(place)
    const key = JSON.stringify([path, message])
    if (!faults.has(key)) faults.set(key, hint === undefined ? { path, message } : { path, message, hint })
  }
  return [...faults.values()].slice(0, TOLD)
}

function pathOf(place: Place): string {
  return place.parent ? childPath(pathOf(place.parent), place.key) : String(place.key)
}

/** The first part of a value that lies more than 64 levels deep, as a fault. */
export function tooDeep(value: unknown, at: string, depth: number): Fault | undefined {
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= LIMITS.depth) return { path: at, message: `is more than ${LIMITS.depth} levels deep` }
  for (const [key, part] of Object.entries(value)) {
    if (typeof part !== 'object' || part === null) continue
    const fault = tooDeep(part, childPath(at, Array.isArray(value) ? Number(key) : key), depth + 1)
    if (fault) return fault
  }
  return undefined
}
