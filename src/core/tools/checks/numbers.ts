import { count } from '../../json-schema/wording.ts'
import { shown, type Failing } from './compact.ts'

/** Whether a number, or every number of a list, lies between two bounds, both included. */
export function within(value: unknown, { min, max }: { min: number; max: number }): Failing {
  const numbers = numbersOf(value)
  if (!numbers) return notNumbers('output', value)
  const outside = numbers.find((number) => number < min || number > max)
  return outside === undefined ? undefined : `The output ${outside} is not from ${min} to ${max}.`
}

/**
 * Whether numbers differ by at most `tolerance`: one from one, each of a list from one, or two lists of the same
 * length item by item.
 */
export function closeTo(value: unknown, wanted: unknown, tolerance: number): Failing {
  const numbers = numbersOf(value)
  const targets = numbersOf(wanted)
  if (!numbers) return notNumbers('output', value)
  if (!targets) return notNumbers('value to compare with', wanted)
  if (Array.isArray(wanted) && targets.length !== numbers.length) {
    return `The output has ${count(numbers.length, 'number')}, where ${targets.length} are expected.`
  }
  const targetOf = (index: number) => (Array.isArray(wanted) ? targets[index] : targets[0]) ?? NaN
  const far = numbers.findIndex((number, index) => !isClose(number, targetOf(index), tolerance))
  if (far === -1) return undefined
  return `The output ${numbers[far]} is not within ${tolerance} of ${targetOf(far)}.`
}

/** Rounding in the last places of a double is no difference: 1.1 is within 0.1 of 1. */
function isClose(number: number, target: number, tolerance: number): boolean {
  const rounding = tolerance === 0 ? 0 : 2 * Number.EPSILON * Math.max(Math.abs(number), Math.abs(target))
  return Math.abs(number - target) <= tolerance + rounding
}

const NUMBER_TEXT = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/

/** A number or a list of at least one as a list; a text that is a decimal number counts as that number. */
function numbersOf(value: unknown): number[] | undefined {
  const items: unknown[] = Array.isArray(value) ? value : [value]
  const numbers = items.map((item) =>
    typeof item === 'string' && NUMBER_TEXT.test(item) ? Number(item) : item,
  )
  const areNumbers = (list: unknown[]): list is number[] => list.every((item) => Number.isFinite(item))
  return numbers.length > 0 && areNumbers(numbers) ? numbers : undefined
}

function notNumbers(what: string, value: unknown): string {
  return `The ${what} is ${shown(value)}, which is not a number or a list of numbers.`
}
