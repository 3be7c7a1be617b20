/**
 * Selectors: how a tool, a check or a chained input names one part of a JSON value.
 *
 *     $  .                     the whole value
 *     $.a.b  .result           names: letters, digits, _ and -; a digit or - not first
 *     $['a.b']  $["x\n"]       any name, quoted, with the escapes of JSON
 *     $[0]  $[-1]              items of a list, negative from the end
 *     $[*]                     every item of a list, every value of an object
 *
 * The grammar and the answers are those of RFC 9535 for the part that it shares; the root `.` and names
 * with `-` inside are added. Only an object's own names count, and nothing is ever evaluated.
 */
import { isRecord } from './json-schema/path.ts'

type Step = { name: string } | { index: number } | 'every'

/** A parsed selector. `many`: it has a `[*]`, so that it gives a list. */
export interface Selector {
  readonly text: string
  readonly steps: readonly Step[]
  readonly many: boolean
}

export type ParsedSelector = { ok: true; selector: Selector } | { ok: false; message: string }
export type Selected = { found: true; value: unknown } | { found: false; message: string }

const ALLOWED = `allowed are $ or . at the start, names (.a), quoted names (['a.b']), indexes ([0], [-1]) and [*]`
const BARE_NAME = /[A-Za-z_\u0080-\u{10ffff}][\w\-\u0080-\u{10ffff}]*/uy
const INDEX = /\[(0|-?[1-9]\d*)\]/y
const QUOTED = /\[(?:'((?:[^'\\]|\\.)*)'|"((?:[^"\\]|\\.)*)")\]/suy
const ESCAPE = /\\(?:u([\dA-Fa-f]{4})|(.))/gsu
const ESCAPED: Record<string, string> = { b: '\b', f: '\f', n: '\n', r: '\r', t: '\t', '/': '/', '\\': '\\' }
const MAX_CHARS = 1_000
const SHOWN_NAMES = 8
const SHOWN_CHARS = 40

/** Reads a selector. A refusal says where it broke and what is allowed. Never throws. */
export function parseSelector(text: string): ParsedSelector {
  if (text.length > MAX_CHARS) return refuse(`a selector has at most ${MAX_CHARS} characters`)
  if (text[0] !== '$' && text[0] !== '.') return refuse(`a selector starts with $ or .; ${ALLOWED}`)
  const steps: Step[] = []
  let at = 1
  if (text[0] === '.' && text.length > 1 && text[1] !== '[') at = 0
  while (at < text.length) {
    const read = readStep(text, at)
    if (!read) return refuse(`character ${at + 1} (${quote(text.slice(at))}) is not understood; ${ALLOWED}`)
    steps.push(read.step)
    at = read.end
  }
  return { ok: true, selector: { text, steps, many: steps.includes('every') } }
}

/** Follows a selector. A path with `[*]` gives a list, and an empty one is nothing found; `null` is a value. */
export function select(selector: Selector, value: unknown): Selected {
  let nodes: unknown[] = [value]
  for (const [taken, step] of selector.steps.entries()) {
    const next = nodes.flatMap((node) => follow(step, node))
    if (next.length === 0) return { found: false, message: nothingFound(selector, taken, nodes) }
    nodes = next
  }
  return { found: true, value: selector.many ? nodes : nodes[0] }
}

function follow(step: Step, node: unknown): unknown[] {
  if (Array.isArray(node)) {
    if (step === 'every') return node
    if ('name' in step) return []
    const index = step.index < 0 ? node.length + step.index : step.index
    return index >= 0 && index < node.length ? [node[index]] : []
  }
  if (!isRecord(node)) return []
  if (step === 'every') return Object.values(node)
  return 'name' in step && Object.hasOwn(node, step.name) ? [node[step.name]] : []
}

function readStep(text: string, at: number): { step: Step; end: number } | undefined {
  if (text.startsWith('[*]', at)) return { step: 'every', end: at + 3 }
  if (text[at] === '.') {
    const name = matchAt(BARE_NAME, text, at + 1)?.[0]
    return name?.isWellFormed() ? { step: { name }, end: at + 1 + name.length } : undefined
  }
  const index = matchAt(INDEX, text, at)
  if (index) {
    const number = Number(index[1])
    return Number.isSafeInteger(number) ? { step: { index: number }, end: at + index[0].length } : undefined
  }
  const quoted = matchAt(QUOTED, text, at)
  if (!quoted) return undefined
  const name = quoted[1] === undefined ? unescape(quoted[2] ?? '', '"') : unescape(quoted[1], "'")
  return name === undefined ? undefined : { step: { name }, end: at + quoted[0].length }
}

/** The name inside quotes; undefined for control characters, unknown escapes and lone surrogates. */
function unescape(raw: string, quoteMark: string): string | undefined {
  // oxlint-disable-next-line no-control-regex -- refusing them is the point
  if (/[\u0000-\u001f]/.test(raw)) return undefined
  let known = true
  const name = raw.replaceAll(ESCAPE, (_match, hex: string | undefined, char: string) => {
    if (hex !== undefined) return String.fromCharCode(Number.parseInt(hex, 16))
    const plain = char === quoteMark ? quoteMark : ESCAPED[char]
    known &&= plain !== undefined
    return plain ?? ''
  })
  return known && name.isWellFormed() ? name : undefined
}

function nothingFound(selector: Selector, taken: number, nodes: unknown[]): string {
  const reached = selector.steps.slice(0, taken).map(stepText).join('')
  const step = selector.steps[taken]
  const wanted = step === undefined || step === 'every' ? 'any item' : stepText(step)
  const [node] = nodes
  const there =
    nodes.length > 1 ? `none of its ${nodes.length} parts has ${wanted}` : `${holds(node)}, not ${wanted}`
  return `${quote(selector.text)} selects nothing: ${cut(`$${reached}`)} ${there}`
}

function holds(node: unknown): string {
  if (Array.isArray(node)) return `is a list of ${node.length}`
  if (!isRecord(node)) return node === null ? 'is null' : `is a ${typeof node}`
  const names = Object.keys(node)
  const shown = names.slice(0, SHOWN_NAMES).map(quote).join(', ')
  return names.length === 0 ? 'is an empty object' : `has ${shown}${names.length > SHOWN_NAMES ? ', …' : ''}`
}

function stepText(step: Step): string {
  if (step === 'every') return '[*]'
  if ('index' in step) return `[${step.index}]`
  const bare = matchAt(BARE_NAME, step.name, 0)?.[0] === step.name
  return bare ? `.${step.name}` : `[${JSON.stringify(step.name)}]`
}

function matchAt(pattern: RegExp, text: string, at: number): RegExpExecArray | null {
  pattern.lastIndex = at
  return pattern.exec(text)
}

function quote(text: string): string {
  return JSON.stringify(cut(text))
}

function cut(text: string): string {
  return text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS)}…` : text
}

function refuse(message: string): ParsedSelector {
  return { ok: false, message }
}
