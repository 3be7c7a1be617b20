/**
 * Strict JSON (RFC 8259) that never changes a value in silence: what JavaScript would round, drop or
 * replace is refused with its place and what to write instead.
 *
 * `JSON.parse` does the reading and one walk over its result finds what is wrong. Only then is the text read
 * a second time, by a scanner that knows where it stands.
 */
import { childPath } from './json-schema/path.ts'
import { LIMITS } from './limits.ts'

type Key = string | number

/** What is wrong, and where: `$.mean`, `$.list[0]`. */
interface Finding {
  path: string
  message: string
  hint: string
}

export type StrictJson = { ok: true; value: unknown } | ({ ok: false } & Finding)

const SHOWN_CHARS = 40
const WRITE_NULL = 'JSON has no such number: write null or a string instead'
const WRITE_TEXT = 'write it as a string'
const TOO_DEEP = `is more than ${LIMITS.depth} levels deep`
const FLATTER = 'write a flatter value'
/** Words of other languages that stand where JSON wants a value, and what to write instead. */
const FOREIGN: Record<string, string> = {
  nan: WRITE_NULL,
  inf: WRITE_NULL,
  infinity: WRITE_NULL,
  none: 'write null',
  nil: 'write null',
  undefined: 'write null',
  null: 'write null',
  true: 'write true',
  false: 'write false',
}

/**
 * Reads one JSON value. Refused, with a path that begins at `root`: text that is not JSON, `NaN` and
 * `Infinity`, integer literals past ±(2^53−1), literals too large for a double, lone surrogates, more than 64
 * levels. Of a repeated key the last one holds. Never throws.
 */
export function readStrictJson(text: string, root = '$'): StrictJson {
  let value: unknown
  try {
    value = JSON.parse(text)
  } catch {
    return { ok: false, ...(new Scanner(text, root).find() ?? notJson(root)) }
  }
  const walk = { sawLarge: false }
  const loss = findLoss(value, 0, walk)
  const found = loss
    ? { path: loss.keys.reduce(childPath, root), message: loss.message, hint: loss.hint }
    : walk.sawLarge && new Scanner(text, root).find()
  return found ? { ok: false, ...found } : { ok: true, value }
}

/** The last line that is not blank, without its line end; undefined when there is none. */
export function lastLine(text: string): string | undefined {
  const end = text.trimEnd()
  if (end === '') return undefined
  return end.slice(Math.max(end.lastIndexOf('\n'), end.lastIndexOf('\r')) + 1)
}

interface Loss {
  /** From the root to the place. */
  keys: Key[]
  message: string
  hint: string
}

/**
 * The first part of a parsed value that cannot be kept. A number past 2^53 is only noted: it may come from an
 * integer literal (refused) or from one like 1e20 (kept), which the text alone can tell.
 */
function findLoss(value: unknown, depth: number, walk: { sawLarge: boolean }): Loss | undefined {
  if (typeof value === 'number') walk.sawLarge ||= Math.abs(value) > Number.MAX_SAFE_INTEGER
  if (typeof value === 'string' && !value.isWellFormed()) return loneSurrogate([])
  if (typeof value !== 'object' || value === null) return undefined
  if (depth >= LIMITS.depth) return { keys: [], message: TOO_DEEP, hint: FLATTER }
  const names = Array.isArray(value) ? undefined : Object.keys(value)
  const parts: unknown[] = Array.isArray(value) ? value : Object.values(value)
  for (const [index, part] of parts.entries()) {
    const key = names?.[index] ?? index
    if (typeof key === 'string' && !key.isWellFormed()) return loneSurrogate([key.toWellFormed()])
    const loss = findLoss(part, depth + 1, walk)
    if (loss) {
      loss.keys.unshift(key)
      return loss
    }
  }
  return undefined
}

function loneSurrogate(keys: Key[]): Loss {
  return {
    keys,
    message: 'holds half of a character (a lone surrogate)',
    hint: 'write whole characters: pairs of surrogates, or the character itself',
  }
}

function notJson(path: string): Finding {
  return { path, message: 'is not JSON', hint: 'write one JSON value' }
}

const WORD = /[^\s,:[\]{}"]+/y
const NUMBER = /^-?(?:0|[1-9]\d*)(\.\d+)?([eE][+-]?\d+)?$/
const BAD_IN_STRING = /["\\\u0000-\u001f]/g // oxlint-disable-line no-control-regex -- they end a string
const ESCAPE = /\\(?:["\\/bfnrt]|u[\dA-Fa-f]{4})/y

/** Reads JSON text for the sake of places: finds the first literal or character that has no place in it. */
class Scanner {
  private readonly text: string
  private readonly root: string
  private readonly keys: Key[] = []
  private at = 0

  constructor(text: string, root: string) {
    this.text = text
    this.root = root
  }

  find(): Finding | undefined {
    const found = this.value()
    if (found) return found
    return this.next() === undefined ? undefined : this.unexpected()
  }

  private value(): Finding | undefined {
    const char = this.next()
    if (char === '{' || char === '[') {
      if (this.keys.length >= LIMITS.depth) return this.finding(TOO_DEEP, FLATTER)
      this.at += 1
      return char === '{' ? this.members() : this.items()
    }
    return char === '"' ? this.string() : this.word()
  }

  private items(): Finding | undefined {
    if (this.take(']')) return undefined
    for (let index = 0; ; index += 1) {
      const found = this.under(index)
      if (found) return found
      if (this.take(']')) return undefined
      if (!this.take(',')) return this.unexpected()
    }
  }

  private members(): Finding | undefined {
    if (this.take('}')) return undefined
    for (;;) {
      const start = this.next() === '"' ? this.at : -1
      const found = start < 0 ? this.unexpected() : this.string()
      if (found) return found
      const name = String(JSON.parse(this.text.slice(start, this.at)))
      const inside = this.take(':') ? this.under(name) : this.unexpected()
      if (inside) return inside
      if (this.take('}')) return undefined
      if (!this.take(',')) return this.unexpected()
    }
  }

  private under(key: Key): Finding | undefined {
    this.keys.push(key)
    const found = this.value()
    this.keys.pop()
    return found
  }

  private string(): Finding | undefined {
    this.at += 1
    for (;;) {
      BAD_IN_STRING.lastIndex = this.at
      const end = BAD_IN_STRING.exec(this.text)
      this.at = end ? end.index : this.text.length
      if (end?.[0] === '"') {
        this.at += 1
        return undefined
      }
      const escape = this.match(ESCAPE)
      if (escape === undefined) return this.unexpected()
      this.at += escape.length
    }
  }

  private word(): Finding | undefined {
    const word = this.match(WORD)
    if (word === undefined) return this.unexpected()
    const number = NUMBER.exec(word)
    const found = number ? this.number(word, number) : this.constant(word)
    if (!found) this.at += word.length
    return found
  }

  private number(word: string, [, fraction, exponent]: RegExpExecArray): Finding | undefined {
    const value = Number(word)
    if (!Number.isFinite(value)) return this.finding(`is ${brief(word)}, too large for a number`, WRITE_TEXT)
    if (fraction !== undefined || exponent !== undefined || Number.isSafeInteger(value)) return undefined
    const limit = Number.MAX_SAFE_INTEGER
    return this.finding(`is ${brief(word)}, past ±${limit}, where whole numbers lose digits`, WRITE_TEXT)
  }

  private constant(word: string): Finding | undefined {
    if (word === 'true' || word === 'false' || word === 'null') return undefined
    const hint = FOREIGN[word.replace(/^[+-]/, '').toLowerCase()]
    return hint === undefined ? this.unexpected() : this.finding(`is ${word}, which JSON does not have`, hint)
  }

  private unexpected(): Finding {
    const rest = this.text.slice(this.at)
    const where =
      rest === '' ? 'it ends too early' : `${JSON.stringify(brief(rest))} at character ${this.at + 1}`
    return this.finding(
      `is not JSON: ${where}${rest === '' ? '' : ' does not belong there'}`,
      'write one JSON value',
    )
  }

  private finding(message: string, hint: string): Finding {
    return { path: this.keys.reduce(childPath, this.root), message, hint }
  }

  private next(): string | undefined {
    while (' \t\n\r'.includes(this.text[this.at] ?? '|')) this.at += 1
    return this.text[this.at]
  }

  private take(char: string): boolean {
    if (this.next() !== char) return false
    this.at += 1
    return true
  }

  private match(pattern: RegExp): string | undefined {
    pattern.lastIndex = this.at
    return pattern.exec(this.text)?.[0]
  }
}

function brief(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text.toWellFormed()
}
