import { isRecord } from '../json-schema/path.ts'
import { LEAST_CHARS, leavesOf, parsed } from './connection.ts'
import { spellingsOf, type Finder } from './spelling.ts'

/**
 * Takes the values of connections out of what a tool gives back: `[connection <name>]` stands in their place. Found are
 * a value as a whole, its lines and, of JSON, its texts, each of 8 characters or more: as they are, percent-encoded,
 * escaped as in JSON, in hex, and in base64 in whatever place of it. A value that comes back in parts cannot be found.
 */
export interface Scrubber {
  /** The same value with every text, number and key of it scrubbed. */
  deep: <T>(value: T) => T
  text: (text: string) => string
  /** A text that may have been cut: what is left of a value at its ends is taken too. */
  cut: (text: string) => string
  /** Whether a text holds anything to be scrubbed. */
  finds: (text: string) => boolean
  /** Most characters that one thing to be scrubbed takes up in a text, however it is spelled. */
  longest: number
}

/** A character as `\\u0041` in JSON inside JSON. */
const LONGEST_SPELLING = 8

interface Needle {
  text: string
  mark: string
  spelled: Finder
}

export function scrubberOf(secrets: ReadonlyMap<string, string>): Scrubber {
  const needles = [...secrets].flatMap(([name, value]) => needlesOf(value, `[connection ${name}]`))
  // A longer one first: what it holds is not cut out of it.
  needles.sort((one, other) => other.text.length - one.text.length)
  const text = (given: string) => needles.reduce(replace, given)
  const deep = (value: unknown): unknown => {
    if (typeof value === 'string') return text(value)
    if (typeof value === 'number') return text(String(value)) === String(value) ? value : text(String(value))
    if (Array.isArray(value)) return value.map(deep)
    if (!isRecord(value)) return value
    return Object.fromEntries(Object.entries(value).map(([key, part]) => [text(key), deep(part)]))
  }
  return {
    // A walk that changes texts alone keeps the type.
    deep: <T>(value: T) => (needles.length === 0 ? value : (deep(value) as T)),
    text,
    cut: (given) => needles.reduce(replaceAtEnds, text(given)),
    finds: (given) => text(given) !== given,
    longest: (needles[0]?.text.length ?? 0) * LONGEST_SPELLING,
  }
}

function needlesOf(value: string, mark: string): Needle[] {
  const lines = value.split(/\r?\n/).map((line) => line.trim())
  const whole = [value, value.trim(), ...leavesOf(parsed(value))].filter(isLong)
  const encoded = [...new Set(whole)].flatMap((part) => encodings(new TextEncoder().encode(part)))
  const texts = new Set([...whole, ...lines.filter(isLong), ...encoded])
  return [...texts].map((text) => ({ text, mark, spelled: spellingsOf(text) }))
}

const isLong = ({ length }: string): boolean => length >= LEAST_CHARS

function encodings(bytes: Uint8Array): string[] {
  const hex = Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')
  const base64 = [0, 1, 2].map((before) => base64Within(bytes, before))
  return [
    hex,
    hex.toUpperCase(),
    ...base64,
    ...base64.map((text) => text.replaceAll('+', '-').replaceAll('/', '_')),
  ]
}

/** The characters of base64 that these bytes alone decide, where so many bytes stand before them in a group of three. */
function base64Within(bytes: Uint8Array, before: number): string {
  const padded = String.fromCharCode(...new Uint8Array(before), ...bytes)
  const decided = Math.floor(((before + bytes.length) * 8) / 6)
  return btoa(padded).slice(Math.ceil((before * 8) / 6), decided)
}

function replace(text: string, { text: wanted, mark, spelled }: Needle): string {
  if (text.length < LEAST_CHARS) return text
  if (!/[%\\+]/.test(text)) return text.replaceAll(wanted, mark)
  let scrubbed = ''
  let kept = 0
  for (const [start, end] of spelled(text)) {
    scrubbed += text.slice(kept, start) + mark
    kept = end
  }
  return scrubbed + text.slice(kept)
}

/** A text that begins with the end of a value, or ends with its beginning. */
function replaceAtEnds(text: string, { text: wanted, mark }: Needle): string {
  let left = text
  for (let length = wanted.length - 1; length >= LEAST_CHARS; length -= 1) {
    if (left.startsWith(wanted.slice(-length))) left = mark + left.slice(length)
    if (left.endsWith(wanted.slice(0, length))) left = left.slice(0, -length) + mark
  }
  return left
}
