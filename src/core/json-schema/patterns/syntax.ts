import { unicodeClass } from './unicode-class.ts'

/**
 * Regular expressions of JSON Schema (ECMA-262 with the `u` flag) written in the syntax of RE2.
 *
 * The same but for: `.` and `\s` as ECMA-262 means them, `\cX`, `\uXXXX`, `\u{…}`, long names in `\p{…}`,
 * `[^]`, and any punctuation may be escaped. Groups become plain ones, as nothing asks what they caught.
 * Refused are look-around and back-references (no linear-time engine has them), inline flags, repeats above
 * 1,000, and whatever ECMA-262 refuses.
 */
export type Translation = { ok: true; text: string; size: number } | { ok: false; message: string }

/** A piece of a pattern in RE2's syntax, and how many steps of a machine it is about. */
interface Piece {
  text: string
  size: number
}

/** One member of a class; `point` when it is one character and so may begin or end a range. */
interface Member {
  text: string
  point?: number
}

const MAX_CHARS = 4_000
const MAX_SIZE = 5_000
const MAX_REPEAT = 1_000
const MAX_GROUPS = 50

const ANY = String.raw`[^\n\r\x{2028}\x{2029}]`
const SPACE = String.raw`\x{9}-\x{d}\x{20}\x{a0}\x{1680}\x{2000}-\x{200a}\x{2028}\x{2029}\x{202f}\x{205f}\x{3000}\x{feff}`
const NO_SPACE = String.raw`\x{0}-\x{8}\x{e}-\x{1f}\x{21}-\x{9f}\x{a1}-\x{167f}\x{1681}-\x{1fff}\x{200b}-\x{2027}\x{202a}-\x{202e}\x{2030}-\x{205e}\x{2060}-\x{2fff}\x{3001}-\x{fefe}\x{ff00}-\x{10ffff}`
const EVERYTHING = String.raw`\x{0}-\x{10ffff}`
const CONTROL: Record<string, number> = { t: 9, n: 10, v: 11, f: 12, r: 13 }
const QUANTIFIER = /[*+?]|\{(\d+)(,?)(\d*)\}/uy

class Refused extends Error {}

/** Translates a pattern. A refusal says what is not supported and at which character. */
export function translate(source: string): Translation {
  if (source.length > MAX_CHARS) return { ok: false, message: `is longer than ${MAX_CHARS} characters` }
  try {
    const { text, size } = new Translator(source).whole()
    return size > MAX_SIZE
      ? { ok: false, message: 'is too large with its repeats written out' }
      : { ok: true, text, size }
  } catch (error) {
    if (error instanceof Refused) return { ok: false, message: error.message }
    throw error
  }
}

class Translator {
  private readonly source: string
  private at = 0
  /** Where the piece that is being read begins; told in refusals. */
  private start = 0
  private groups = 0

  constructor(source: string) {
    this.source = source
  }

  whole(): Piece {
    const piece = this.alternatives()
    this.start = this.at
    if (this.at < this.source.length) this.refuse('closes a group that is not open')
    return piece
  }

  private alternatives(): Piece {
    const whole: Piece = { text: '', size: 0 }
    while (this.at < this.source.length && this.source[this.at] !== ')') {
      const piece = this.take('|') ? { text: '|', size: 1 } : this.repeated(this.term())
      whole.text += piece.text
      whole.size += piece.size
    }
    return whole
  }

  private term(): Piece {
    this.start = this.at
    if (this.take('(')) return this.group()
    if (this.take('[')) return this.charClass()
    if (this.take('\\')) return { text: this.escape().text, size: 1 }
    if (this.take('.')) return { text: ANY, size: 1 }
    if (this.peek('^') || this.peek('$')) return { text: this.char(), size: 1 }
    if (this.quantifier()) this.refuse('repeats nothing')
    return { text: literal(this.point()), size: 1 }
  }

  private group(): Piece {
    this.groups += 1
    if (this.groups > MAX_GROUPS) this.refuse(`has more than ${MAX_GROUPS} groups inside each other`)
    if (this.peek('?')) this.groupHead()
    const { text, size } = this.alternatives()
    if (!this.take(')')) this.refuse('ends inside a group')
    this.groups -= 1
    return { text: `(?:${text})`, size: size + 1 }
  }

  private groupHead(): void {
    if (this.source.startsWith('?=', this.at) || this.source.startsWith('?!', this.at))
      this.refuse('uses look-ahead')
    if (this.source.startsWith('?<=', this.at) || this.source.startsWith('?<!', this.at))
      this.refuse('uses look-behind')
    const head = this.match(/\?(?::|<[\p{ID_Start}$_][\p{ID_Continue}$\u200c\u200d]*>)/uy)
    if (!head) this.refuse('uses a kind of group that JSON Schema does not have')
  }

  private repeated(piece: Piece): Piece {
    const found = this.quantifier()
    if (!found) return piece
    const [text, least, comma, most] = found
    this.start = this.at
    this.at += text.length
    const lazy = this.take('?') ? '?' : ''
    if (this.quantifier()) this.refuse('repeats a repeat')
    if (least === undefined) return { text: piece.text + text + lazy, size: piece.size + 1 }
    const times = Math.max(Number(least), Number(most), 1)
    if (times > MAX_REPEAT)
      this.refuse(`repeats more than ${MAX_REPEAT} times (use maxLength or maxItems for that)`)
    if (most && Number(most) < Number(least)) this.refuse('has a repeat whose numbers are out of order')
    return { text: piece.text + text + lazy, size: piece.size * (times + (comma && !most ? 1 : 0)) + 1 }
  }

  private charClass(): Piece {
    const isNegated = this.take('^')
    const start = this.at
    let text = ''
    while (!this.take(']')) {
      const first = this.member()
      text += this.rangeFrom(first) ?? first.text
    }
    if (text === '') return { text: isNegated ? `[${EVERYTHING}]` : `[^${EVERYTHING}]`, size: 1 }
    return { text: `[${isNegated ? '^' : ''}${text}]`, size: 1 + (this.at - start) / 16 }
  }

  /** `a-z` when that is what follows; a `-` at the end of a class, or beside `\w`, stands for itself. */
  private rangeFrom(first: Member): string | undefined {
    if (first.point === undefined || !this.peek('-') || this.source[this.at + 1] === ']') return undefined
    this.at += 1
    const last = this.member()
    if (last.point === undefined) return first.text + literal(0x2d) + last.text
    if (last.point < first.point) this.refuse('has a range that is out of order')
    return `${first.text}-${last.text}`
  }

  private member(): Member {
    this.start = this.at
    if (this.at >= this.source.length) this.refuse('ends inside a class')
    if (this.take('\\')) return this.take('b') ? single(8) : this.escape(true)
    return single(this.point())
  }

  /** What follows a backslash. */
  private escape(isInClass = false): Member {
    if (this.at >= this.source.length) this.refuse('ends with a backslash')
    const char = this.char()
    if (/[1-9k]/.test(char)) this.refuse('uses a back-reference')
    if (/[dDwW]/.test(char) || (!isInClass && /[bB]/.test(char))) return { text: `\\${char}` }
    if (char === 's') return { text: isInClass ? SPACE : `[${SPACE}]` }
    if (char === 'S') return { text: isInClass ? NO_SPACE : `[^${SPACE}]` }
    if (char === 'p' || char === 'P') return { text: this.unicodeClass(char) }
    const point = this.escapedPoint(char)
    return point === undefined ? this.refuse(`has \\${char}, which has no meaning`) : single(point)
  }

  private escapedPoint(char: string): number | undefined {
    if (Object.hasOwn(CONTROL, char)) return CONTROL[char]
    if (char === '0' && !this.match(/\d/y)) return 0
    if (char === 'c') return this.hex(/([A-Za-z])/y, 36, (letter) => letter - 9)
    if (char === 'x') return this.hex(/([\dA-Fa-f]{2})/y)
    if (char === 'u') return this.unicodePoint()
    return /[\p{L}\p{N}]/u.test(char) ? undefined : char.codePointAt(0)
  }

  private unicodePoint(): number | undefined {
    const pair = this.match(/([Dd][89ABab][\dA-Fa-f]{2})\\u([Dd][C-Fc-f][\dA-Fa-f]{2})/y)
    if (pair) return pairOf(Number.parseInt(pair[1] ?? '', 16), Number.parseInt(pair[2] ?? '', 16))
    const point = this.hex(/([\dA-Fa-f]{4})/y) ?? this.hex(/\{([\dA-Fa-f]+)\}/y)
    return point !== undefined && point <= 0x10ffff ? point : undefined
  }

  private hex(shape: RegExp, radix = 16, map = (value: number) => value): number | undefined {
    const found = this.match(shape)
    return found ? map(Number.parseInt(found[1] ?? '', radix)) : undefined
  }

  private unicodeClass(letter: string): string {
    const name = this.match(/\{([\w=]+)\}/y)?.[1]
    const known = name === undefined ? undefined : unicodeClass(name)
    return known === undefined ? this.refuse(`has \\${letter} without a known {…}`) : `\\${letter}{${known}}`
  }

  private quantifier(): RegExpExecArray | null {
    QUANTIFIER.lastIndex = this.at
    return QUANTIFIER.exec(this.source)
  }

  private match(shape: RegExp): RegExpExecArray | null {
    shape.lastIndex = this.at
    const found = shape.exec(this.source)
    if (found) this.at += found[0].length
    return found
  }

  private peek(char: string): boolean {
    return this.source[this.at] === char
  }

  private take(char: string): boolean {
    if (!this.peek(char)) return false
    this.at += 1
    return true
  }

  private point(): number {
    return this.char().codePointAt(0) ?? 0
  }

  /** The next whole character, of one or two code units. */
  private char(): string {
    const char = String.fromCodePoint(this.source.codePointAt(this.at) ?? 0)
    this.at += char.length
    return char
  }

  private refuse(what: string): never {
    throw new Refused(`${what}, at character ${this.start + 1}`)
  }
}

function single(point: number): Member {
  return { text: literal(point), point }
}

function literal(point: number): string {
  const char = String.fromCodePoint(point)
  return /^[A-Za-z0-9]$/.test(char) ? char : `\\x{${point.toString(16)}}`
}

function pairOf(high: number, low: number): number {
  return 0x10000 + ((high - 0xd800) << 10) + (low - 0xdc00)
}
