import { isRecord } from './path.ts'

/** Words for refusals: what a value is, a value in short, a list of choices, the name that was meant. */

/** Longest value, in characters of JSON, that a refusal repeats. */
const SHOWN_VALUE = 40
const SHOWN_CHOICES = 12

const KINDS: Record<string, string> = {
  null: 'null',
  array: 'an array',
  object: 'an object',
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
}

/** "a string" for the value "x". */
export function kindOf(value: unknown): string {
  const type = value === null ? 'null' : Array.isArray(value) ? 'array' : typeof value
  return type === 'boolean' ? String(value) : (KINDS[type] ?? 'not JSON')
}

/** "a whole number" for the type name "integer". */
export function kindNamed(type: string): string {
  return Object.hasOwn(KINDS, type) ? (KINDS[type] ?? type) : type
}

/** A value as JSON, or only its kind when that would be long. */
export function brief(value: unknown): string {
  if (typeof value === 'string' && value.length > SHOWN_VALUE) return `a string of ${value.length} characters`
  const text = roomAfter(value, SHOWN_VALUE) < 0 ? undefined : JSON.stringify(value)
  return text === undefined || text.length > SHOWN_VALUE ? kindOf(value) : text
}

/** What is left of some room when a value is written into it; stops looking once there is none. */
function roomAfter(value: unknown, room: number): number {
  if (typeof value === 'string') return room - value.length
  if (!isRecord(value) && !Array.isArray(value)) return room - 1
  let left = room - 2
  for (const [name, part] of Object.entries(value)) {
    left = roomAfter(part, left - (Array.isArray(value) ? 0 : name.length))
    if (left < 0) break
  }
  return left
}

/** "a, b or c", cut after a dozen. */
export function choices(words: readonly string[]): string {
  const last = words.at(-1) ?? ''
  return words.length > 1 && words.length <= SHOWN_CHOICES
    ? `${listed(words.slice(0, -1))} or ${last}`
    : listed(words)
}

/** "a, b, c", cut after a dozen. */
export function listed(words: readonly string[]): string {
  if (words.length === 0) return 'none'
  if (words.length <= SHOWN_CHOICES) return words.map((word) => cut(word)).join(', ')
  return `${words
    .slice(0, SHOWN_CHOICES)
    .map((word) => cut(word))
    .join(', ')}, … (${words.length} in all)`
}

/** "1 item", "2 items". */
export function count(amount: number, noun: string): string {
  return `${amount} ${noun}${amount === 1 ? '' : 's'}`
}

/** A name from a submitted value, quoted and cut. */
export function quoteName(name: string): string {
  return JSON.stringify(cut(name))
}

/** A text, cut when it is longer. */
export function cut(text: string, most = SHOWN_VALUE): string {
  return text.length > most ? `${text.slice(0, most).toWellFormed()}…` : text
}

/** A hint that names the choice which was probably meant. */
export function didYouMean(value: unknown, known: readonly unknown[]): string | undefined {
  if (typeof value !== 'string') return undefined
  const near = nearest(
    value,
    known.filter((one) => typeof one === 'string'),
  )
  return near === undefined ? undefined : `did you mean ${quoteName(near)}?`
}

/**
 * The known name that was probably meant: the same but for case and punctuation, or at most one edit away for
 * each three characters. Looks at no more than 500 names of at most 64 characters.
 */
export function nearest(name: string, known: readonly string[]): string | undefined {
  if (name.length > 64) return undefined
  const wanted = fold(name)
  let best: string | undefined
  let least = Math.floor(wanted.length / 3) + 1
  for (const candidate of known.slice(0, 500)) {
    if (candidate.length > 64) continue
    const distance = edits(wanted, fold(candidate))
    if (distance < least) [best, least] = [candidate, distance]
  }
  return best
}

function fold(name: string): string {
  return name.toLowerCase().replaceAll(/[\s_-]/g, '')
}

/** Insertions, deletions, replacements and swaps of neighbours that turn one text into the other. */
function edits(from: string, to: string): number {
  let older: number[] = []
  let row = Array.from({ length: to.length + 1 }, (_, index) => index)
  for (let i = 1; i <= from.length; i += 1) {
    const next = [i]
    for (let j = 1; j <= to.length; j += 1) {
      const replaced = at(row, j - 1) + (from[i - 1] === to[j - 1] ? 0 : 1)
      const swapped = i > 1 && j > 1 && from[i - 1] === to[j - 2] && from[i - 2] === to[j - 1]
      const least = Math.min(at(row, j) + 1, at(next, j - 1) + 1, replaced)
      next.push(swapped ? Math.min(least, at(older, j - 2) + 1) : least)
    }
    older = row
    row = next
  }
  return at(row, to.length)
}

function at(row: number[], index: number): number {
  return row[index] ?? Number.POSITIVE_INFINITY
}
