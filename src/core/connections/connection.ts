import { isRecord } from '../json-schema/path.ts'
import { Problem } from '../problem.ts'

/** A named secret of one account, as it is shown: never with its value. */
export interface Connection {
  name: string
  kind: ConnectionKind
  updatedAt: number
}

export type ConnectionKind = 'text' | 'json'

export const NAME = /^[A-Za-z][A-Za-z0-9_.-]{0,63}$/
export const NAME_SAYS = 'a letter, then up to 63 letters, digits, ".", "_" or "-"'

/** A shorter one stands in many a text by chance and could not be kept out of outputs. */
export const LEAST_CHARS = 8
export const MOST_BYTES = 8 * 1024
/** Texts of a JSON value, each of which is looked for in every output. */
const MOST_TEXTS = 64

export function readName(name: string): string {
  if (NAME.test(name)) return name
  throw new Problem('invalid_request', `This is not the name of a connection: it has ${NAME_SAYS}.`, {
    field: 'name',
    hint: 'Use the secret_name that the tool names, like "openai".',
  })
}

/** What is kept of a value, and how it was read. No message repeats any of it. */
export function readValue(value: unknown): { text: string; kind: ConnectionKind } {
  const text = typeof value === 'string' ? value : isJson(value) ? JSON.stringify(value) : refuse(NOT_A_VALUE)
  if (!text.isWellFormed()) refuse('holds half of a character (a lone surrogate)')
  if (text.includes('\0')) refuse('holds a NUL, which no variable and no header can')
  if (text.length < LEAST_CHARS) refuse(`has fewer than ${LEAST_CHARS} characters`)
  const texts = leavesOf(parsed(text)).filter(({ length }) => length >= LEAST_CHARS).length
  if (texts > MOST_TEXTS) refuse(`holds ${texts} texts; at most ${MOST_TEXTS} can be kept out of outputs`)
  const bytes = new TextEncoder().encode(text).length
  if (bytes > MOST_BYTES) refuse(`has ${bytes} bytes; at most ${MOST_BYTES} are kept`)
  return { text, kind: isJson(parsed(text)) ? 'json' : 'text' }
}

const NOT_A_VALUE = 'must be a text, or a JSON object or list'

function refuse(why: string): never {
  throw new Problem('invalid_request', `The value ${why}.`, {
    field: 'value',
    hint: `Send {"value": "<the key>"}: ${LEAST_CHARS} characters to ${MOST_BYTES} bytes.`,
  })
}

const isJson = (value: unknown): boolean => isRecord(value) || Array.isArray(value)

/** What a text is as JSON; undefined when it is none. */
export function parsed(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return undefined
  }
}

/** Every text of a JSON value. */
export function leavesOf(value: unknown): string[] {
  if (typeof value === 'string') return [value]
  if (Array.isArray(value)) return value.flatMap(leavesOf)
  return isRecord(value) ? Object.values(value).flatMap(leavesOf) : []
}
