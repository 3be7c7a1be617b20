import { LIMITS } from '../limits.ts'
import type { Fault } from '../problem.ts'
import { documentOf, SchemaDocument } from './document.ts'
import type { Failure, Frame, Keyword, Marks, Outcome, Place, Run } from './frame.ts'
import { arrayKeywords } from './keywords/arrays.ts'
import { combinationKeywords } from './keywords/combinations.ts'
import { objectKeywords } from './keywords/objects.ts'
import { valueKeywords } from './keywords/values.ts'
import { childPath, isRecord } from './path.ts'
import { compilePattern, type Pattern } from './patterns/pattern.ts'

/** Steps of one validation: about a schema applied, eight names looked up or 64 characters read each. */
const WORK = 2_000_000
/** Schemas being applied inside each other. The stack of workerd ends somewhere past 500 of the heaviest ones. */
const NESTING = 300
const NOTED = 100
const TOLD = 20

const KEYWORDS = new Map<string, Keyword>(
  Object.entries({ ...valueKeywords, ...objectKeywords, ...arrayKeywords, ...combinationKeywords }),
)
/** These look at what all others have marked. */
const LAST = ['unevaluatedItems', 'unevaluatedProperties']
const NO_MARKS: Marks = Object.freeze({})

/** One keyword of a schema. `needsAll`: once an earlier one has failed, neither this nor any later one matters. */
interface Step {
  readonly keyword: Keyword
  readonly argument: unknown
  readonly needsAll: boolean
}

const plans = new WeakMap<object, readonly Step[]>()

class TooMuchWork extends Error {}

/**
 * Checks a value against a schema. The answer names the deepest parts that are wrong, each once, at most 20; it
 * is empty when the value is valid. Never throws: a schema that would take too much work is a fault at `at`.
 * What is worked out about a schema object is kept as long as the object lives, so it must not be changed.
 */
export function validate(schema: unknown, value: unknown, at: string): Fault[] {
  const deep = tooDeep(value, at, 0)
  if (deep) return [deep]
  const evaluation = new Evaluation(isRecord(schema) ? documentOf(schema) : new SchemaDocument({}))
  try {
    const { marks, failures } = evaluation.attempt(schema, { value, key: at })
    return marks === undefined ? told(failures) : []
  } catch (error) {
    const isTooMuch = error instanceof TooMuchWork || error instanceof RangeError // the end of the stack
    if (!isTooMuch) throw error
    return [{ path: at, message: 'cannot be checked: the schema takes too much work for this value' }]
  }
}

class Evaluation implements Run {
  readonly keepsMarks: boolean
  private readonly document: SchemaDocument
  private readonly patterns = new Map<string, Pattern | undefined>()
  private failures: Failure[] = []
  private work = WORK
  private nesting = 0

  constructor(document: SchemaDocument) {
    this.document = document
    this.keepsMarks = document.keepsMarks
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
    return this.document.target(schema)
  }

  pattern(source: string): Pattern | undefined {
    if (this.patterns.has(source)) return this.patterns.get(source)
    const compiled = compilePattern(source)
    const pattern = compiled.ok ? compiled.pattern : undefined
    this.spend(1 + (pattern?.size ?? 0))
    this.patterns.set(source, pattern)
    return pattern
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
    if (!isRecord(schema)) return this.applyBoolean(schema, place)
    this.nesting += 1
    if (this.nesting > NESTING) throw new TooMuchWork()
    const frame: Frame = { run: this, schema, place, marks: this.keepsMarks ? {} : NO_MARKS }
    let holds = true
    for (const { keyword, argument, needsAll } of planOf(schema)) {
      if (needsAll && !holds) break
      holds = keyword(frame, argument) && holds
    }
    this.nesting -= 1
    return holds ? frame.marks : undefined
  }

  private applyBoolean(schema: unknown, place: Place): Marks | undefined {
    if (schema !== false) return NO_MARKS
    this.note([{ place, message: () => 'is not allowed' }])
    return undefined
  }
}

function planOf(schema: Record<string, unknown>): readonly Step[] {
  const known = plans.get(schema)
  if (known) return known
  const plan = makePlan(schema)
  plans.set(schema, plan)
  return plan
}

/** `type` comes first: what else a schema says about a value of the wrong type would be noise. */
function makePlan(schema: Record<string, unknown>): Step[] {
  const names = Object.keys(schema)
  const others = names.filter((name) => name !== 'type' && !LAST.includes(name))
  const inOrder = [
    ...names.filter((name) => name === 'type'),
    ...others,
    ...LAST.filter((name) => names.includes(name)),
  ]
  return inOrder.flatMap((name, index) => {
    const keyword = KEYWORDS.get(name)
    const needsAll = LAST.includes(name) || inOrder[index - 1] === 'type'
    return keyword ? [{ keyword, argument: schema[name], needsAll }] : []
  })
}

function told(failures: readonly Failure[]): Fault[] {
  const faults = new Map<string, Fault>()
  for (const failure of failures) {
    const path = pathOf(failure.place)
    const message = failure.message()
    const hint = failure.hint?.()
    faults.set(
      JSON.stringify([path, message]),
      hint === undefined ? { path, message } : { path, message, hint },
    )
    if (faults.size === TOLD) break
  }
  return [...faults.values()]
}

function pathOf(place: Place): string {
  return place.parent ? childPath(pathOf(place.parent), place.key) : String(place.key)
}

/** The first part of a value that lies more than 64 levels deep, as a fault; `depth` levels are used already. */
export function tooDeep(value: unknown, at: string, depth: number): Fault | undefined {
  if (!isDeeper(value, LIMITS.depth - depth)) return undefined
  const keys: (string | number)[] = []
  let node = value
  for (let left = LIMITS.depth - depth; left > 0; left -= 1) {
    const [key, part] = deepPart(node, left - 1)
    keys.push(key)
    node = part
  }
  return { path: keys.reduce(childPath, at), message: `is more than ${LIMITS.depth} levels deep` }
}

/** Whether a value has more than `levels` levels of arrays and objects. */
function isDeeper(value: unknown, levels: number): boolean {
  if (typeof value !== 'object' || value === null) return false
  if (levels === 0) return true
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  return parts.some((part) => isDeeper(part, levels - 1))
}

function deepPart(value: unknown, levels: number): [key: string | number, part: unknown] {
  const isItem = Array.isArray(value)
  const found = Object.entries(value ?? {}).find(([, part]) => isDeeper(part, levels))
  return found ? [isItem ? Number(found[0]) : found[0], found[1]] : ['', undefined]
}
