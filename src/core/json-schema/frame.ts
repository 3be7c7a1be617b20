import type { Pattern } from './patterns/pattern.ts'

/** A place in the value under test. Its path is only written out when something fails there. */
export interface Place {
  readonly value: unknown
  /** Name or index below `parent`; at the root the whole path. */
  readonly key: string | number
  readonly parent?: Place
  /** Own names of an object, once they were asked for. */
  names?: readonly string[]
  /** Outcomes of the referenced schemas that were applied here; `open` while one is being applied. */
  memo?: Map<unknown, Outcome | 'open'>
}

/** Which parts of an object or array a schema has dealt with, for `unevaluated*`. */
export interface Marks {
  keys?: Set<string>
  items?: Set<number>
}

/**
 * Why a place is refused, worded only when it is told. `expects` is there when the fault is about what the
 * value itself is, and says in words what it should be.
 */
export interface Failure {
  readonly place: Place
  readonly message: () => string
  readonly hint?: () => string | undefined
  readonly expects?: () => readonly string[]
}

/** What applying a schema gave: no marks means that it did not hold. */
export interface Outcome {
  readonly marks: Marks | undefined
  readonly failures: readonly Failure[]
}

/** What a keyword may use while it is applied. */
export interface Run {
  readonly keepsMarks: boolean
  /** Enough was found: the rest of a long list need not be looked at. */
  readonly isFull: boolean
  /** Counts work; ends the whole validation when there is too much. */
  spend(steps: number): void
  /** Applies a schema: its marks, or undefined when it does not hold. Failures are noted. */
  apply(schema: unknown, place: Place): Marks | undefined
  /** Applies a schema and hands its failures over instead of noting them. */
  attempt(schema: unknown, place: Place): Outcome
  target(schema: Record<string, unknown>): unknown
  /** Compiles a pattern; undefined when it cannot be. */
  pattern(source: string): Pattern | undefined
  note(failures: readonly Failure[]): void
}

/** One schema object applied at one place. */
export interface Frame {
  readonly run: Run
  readonly schema: Record<string, unknown>
  readonly place: Place
  readonly marks: Marks
}

/** Whether a keyword holds. A keyword that does not has noted why. */
export type Keyword = (frame: Frame, argument: unknown) => boolean

type Guard<T> = (value: unknown) => value is T

/**
 * A keyword for values of one kind. Values of another kind hold, as the standard says; so does a malformed
 * argument, which `checkSchema` refuses beforehand.
 */
export function keyword<V, A>(
  isFor: Guard<V>,
  takes: Guard<A>,
  holds: (frame: Frame, value: V, argument: A) => boolean,
): Keyword {
  return (frame, argument) => {
    const { value } = frame.place
    return !isFor(value) || !takes(argument) || holds(frame, value, argument)
  }
}

/** Notes why a place is refused; false, to be returned. */
export function fail(frame: Frame, message: () => string, more: Partial<Failure> = {}): false {
  frame.run.note([{ place: frame.place, message, ...more }])
  return false
}

/** The place of one part of an object or array. */
export function childOf(parent: Place, key: string | number, value: unknown): Place {
  return { value, key, parent }
}

export const isNumber: Guard<number> = (value): value is number => typeof value === 'number'
export const isString: Guard<string> = (value): value is string => typeof value === 'string'
export const isList: Guard<unknown[]> = (value): value is unknown[] => Array.isArray(value)
export const isAnything: Guard<unknown> = (_value): _value is unknown => true
