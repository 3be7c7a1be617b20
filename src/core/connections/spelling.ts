/**
 * Finds a text in another however its characters are spelled there: as they are, percent-encoded (in either case, also
 * more than once, a blank as `+`), escaped as in JSON (also in JSON inside JSON), or one after the other.
 */

/** The ranges of a text that spell what is wanted, in order, none over another. */
export type Finder = (text: string) => [start: number, end: number][]

/** Steps that one search may take. A text made to take more counts as one whole spelling. */
const MOST_STEPS = 1_000_000

export function spellingsOf(wanted: string): Finder {
  const [first, ...rest] = Array.from(wanted, spellings)
  return (text) => {
    const ranges: [number, number][] = []
    if (!first) return ranges
    let steps = 0
    for (let at = 0; at < text.length;) {
      if (isWithinRun(text, at) && first.literal !== '\\') {
        at += 1
        continue
      }
      let ends = endsOf(text, at, first)
      for (let next = 0; next < rest.length && ends.length > 0; next += 1) {
        steps += ends.length
        ends = allEndsOf(text, ends, rest[next])
      }
      if (steps > MOST_STEPS) return [[0, text.length]]
      if (ends.length > 0) ranges.push([at, Math.max(...ends)])
      at = ends.length > 0 ? Math.max(...ends) : at + 1
    }
    return ranges
  }
}

/** One character and how it may be written. The patterns are sticky. */
interface Spellings {
  literal: string
  coded: RegExp
  /** Of what each further one still spells the same character. */
  more: RegExp | null
}

/** How often a text may have been encoded again. */
const TIMES = 16
/** A `%`, also encoded. */
const PERCENT = `%(?:25){0,${TIMES}}`
/** A `\`, also encoded. */
const BACKSLASH = `(?:\\\\|${PERCENT}5c)`
/** Six levels of JSON in JSON put 63 of them before one quote. */
const ESCAPE = `(?:\\\\{1,64}|(?:${PERCENT}5c){1,${TIMES}})`

/** Letters of the short escapes of JSON. */
const SHORT: Record<string, string> = { '\b': 'b', '\f': 'f', '\n': 'n', '\r': 'r', '\t': 't' }

function spellings(literal: string): Spellings {
  const encoded = Array.from(new TextEncoder().encode(literal), (byte) => PERCENT + hex(byte, 2)).join('')
  const units = literal.split('').map((unit) => `${ESCAPE}u${hex(unit.charCodeAt(0), 4)}`)
  const short = SHORT[literal] ?? (literal === '"' || literal === '/' ? `(?:${literal}|${encoded})` : null)
  const ways = [
    encoded,
    units.join(''),
    ...(short === null ? [] : [ESCAPE + short]),
    ...(literal === ' ' ? ['\\+', `${PERCENT}2b`] : []),
  ]
  const more = literal === '\\' ? BACKSLASH : literal === '%' ? '25' : null
  return {
    literal,
    coded: new RegExp(ways.join('|'), 'iy'),
    more: more === null ? null : new RegExp(more, 'iy'),
  }
}

const hex = (number: number, digits: number): string => number.toString(16).padStart(digits, '0')

/** Within a run of `\` nothing is found that was not found at its beginning, and a run may be long. */
const isWithinRun = (text: string, at: number): boolean =>
  at > 0 && text.charCodeAt(at) === 0x5c && text.charCodeAt(at - 1) === 0x5c

const NONE: number[] = []

function allEndsOf(text: string, starts: number[], character: Spellings | undefined): number[] {
  if (!character) return NONE
  if (starts.length === 1) return endsOf(text, starts[0] ?? 0, character)
  return [...new Set(starts.flatMap((at) => endsOf(text, at, character)))]
}

/** Where a spelling of one character that begins here may end. */
function endsOf(text: string, at: number, { literal, coded, more }: Spellings): number[] {
  const isLiteral = text.startsWith(literal, at)
  if (!isLiteral && !isCode(text.charCodeAt(at))) return NONE
  const ends = isLiteral ? [at + literal.length] : []
  const codedEnd = endOf(text, at, coded)
  if (codedEnd !== null) ends.push(codedEnd)
  return more ? [...ends, ...furtherEnds(text, ends[0], more)] : ends
}

function furtherEnds(text: string, from: number | undefined, more: RegExp): number[] {
  const ends: number[] = []
  let last = from === undefined ? null : endOf(text, from, more)
  while (last !== null && ends.length < TIMES) {
    ends.push(last)
    last = endOf(text, last, more)
  }
  return ends
}

/** `%`, `\` or `+`. */
const isCode = (unit: number): boolean => unit === 0x25 || unit === 0x5c || unit === 0x2b

function endOf(text: string, at: number, pattern: RegExp): number | null {
  pattern.lastIndex = at
  return pattern.test(text) ? pattern.lastIndex : null
}
