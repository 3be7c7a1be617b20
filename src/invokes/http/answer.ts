import { LIMITS } from '../../core/limits.ts'
import { readStrictJson } from '../../core/strict-json.ts'
import type { End, Failure } from '../invoke.ts'
import { isJsonType } from './check.ts'

/** How far an answer came. */
export interface Heard {
  status: number
  /** Only its media type: parameters are left out, and what is no type at all. */
  type: string
  /** Unpacked. */
  bytes: number
}

export const heardOf = (response: Response): Heard => ({
  status: response.status,
  type:
    /^[\w.+-]{1,60}\/[\w.+-]{1,60}/.exec(response.headers.get('content-type') ?? '')?.[0] ?? 'no media type',
  bytes: 0,
})

/** Reads a body into memory, no more than may be answered. Null: it is larger. Counts in `heard` as it goes. */
export async function readBody({ body }: Response, heard: Heard): Promise<Uint8Array | null> {
  const pieces: Uint8Array[] = []
  // Whoever leaves this loop early ends the connection.
  for await (const piece of body ?? []) {
    heard.bytes += piece.length
    if (heard.bytes > LIMITS.httpAnswer) return null
    pieces.push(piece)
  }
  return new Blob(pieces).bytes()
}

const inBrackets = ({ type, bytes }: Heard): string => `${type}, ${bytes} bytes`

/** The end that a whole answer makes. `data` is null for one that was too large. */
export function answerEnd(heard: Heard, data: Uint8Array | null): End {
  const { status } = heard
  if (data === null) {
    return {
      reason: 'http_failed',
      message: `The answer (status ${status}, ${heard.type}) is larger than ${LIMITS.httpAnswer} bytes; the rest was not read.`,
      hint: 'Ask the address for less, by a field or a page of its query.',
    }
  }
  const isJson = isJsonType(heard.type)
  const text = isJson || heard.type.startsWith('text/') ? new TextDecoder().decode(data) : ''
  const raw = { stdout: text }
  if (status < 200 || status > 299) {
    return {
      reason: 'http_failed',
      message: `The address answered with status ${status} (${inBrackets(heard)}).`,
      ...adviceOn(status),
      raw,
    }
  }
  // These say by themselves that there is nothing to come.
  if (status === 204 || status === 205) return { reason: 'done', raw: { result: null } }
  if (!isJson) {
    return {
      reason: 'http_failed',
      message: `The address answered with status ${status}, but not with JSON (${inBrackets(heard)}).`,
      hint: 'Only addresses that answer application/json can be tools.',
      raw,
    }
  }
  return jsonEnd(text, isUtf8(data))
}

function jsonEnd(text: string, isText: boolean): End {
  const raw = { stdout: text }
  if (!isText) return { reason: 'output_invalid', message: 'The answer is not UTF-8 text.', raw }
  const read = readStrictJson(text)
  if (read.ok) return { reason: 'done', raw: { result: read.value } }
  return {
    reason: 'output_invalid',
    message: `The answer is not strict JSON at ${read.path}: ${read.message}.`,
    hint: 'The address must answer with JSON that loses nothing; call another one, or tell its maker.',
    raw,
  }
}

function isUtf8(data: Uint8Array): boolean {
  try {
    new TextDecoder('utf-8', { fatal: true, ignoreBOM: false }).decode(data)
    return true
  } catch {
    return false
  }
}

function adviceOn(status: number): Pick<Failure, 'hint' | 'isRetryable'> {
  if (status === 401 || status === 403) return { hint: 'It wants a connection, or one with more rights.' }
  if (status === 429) {
    return {
      hint: 'It is asked too often; run the tool again later, with a new request_key.',
      isRetryable: true,
    }
  }
  // What Cloudflare says in the place of a server that it cannot reach.
  if (status === 530 || (status >= 520 && status <= 526)) {
    return { hint: 'The server of the address could not be reached.', isRetryable: true }
  }
  if (status >= 500) {
    return {
      hint: 'The address is in trouble; run the tool again later, with a new request_key.',
      isRetryable: true,
    }
  }
  return status < 400 ? {} : { hint: 'It did not accept the request; `stdout` holds what it said.' }
}
