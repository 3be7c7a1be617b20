/**
 * Fills the templates of an http invoke, by parts: a template is cut where its fields stand, each value is encoded for
 * its place, and what was filled is never read again. So no value reaches beyond its place.
 */
import type { Fault } from '../../core/problem.ts'
import type { HttpInvoke, PrefixedSecretRef } from '../../core/tools/descriptor/descriptor.ts'
import { partsOf, type Part } from '../../core/tools/descriptor/http.ts'
import type { WebRequest } from '../../core/net/web.ts'

/** Values of connections by their names. */
export type Secrets = ReadonlyMap<string, string>

export type Filled = { ok: true; request: WebRequest } | { ok: false; faults: Fault[] }

const MOST_URL_CHARS = 16_000
const HEADER_TEXT = /^[\t\u0020-\u007e\u0080-\u00ff]*$/
const NOT_IN_HEADERS =
  'holds a character that no header can: a line break, a control character or one outside Latin-1'

/** The request that an input makes, or every fault of the input. */
export function fill(invoke: HttpInvoke, input: Record<string, unknown>, secrets: Secrets): Filled {
  const filler = new Filler(input, secrets)
  const url = filler.url(invoke)
  const { headers, credentials } = filler.headers(invoke)
  const body = invoke.body === undefined ? undefined : filler.json(invoke.body)
  const [fault] = filler.faults
  if (fault || url === null) return { ok: false, faults: filler.faults }
  const request: WebRequest = {
    url,
    method: invoke.method,
    headers,
    credentials,
    secrets: [...secrets.values()],
  }
  if (body !== undefined) {
    request.body = JSON.stringify(body)
    headers['content-type'] ??= 'application/json'
  }
  return { ok: true, request }
}

const isSecret = (value: unknown): value is PrefixedSecretRef => typeof value === 'object' && value !== null

/** Left out: an optional input that is the whole value and is not there. */
const ABSENT = Symbol('absent')

class Filler {
  readonly faults: Fault[] = []
  readonly #input: Record<string, unknown>
  readonly #secrets: Secrets

  constructor(input: Record<string, unknown>, secrets: Secrets) {
    this.#input = input
    this.#secrets = secrets
  }

  url({ url, query = {} }: HttpInvoke): string | null {
    const [, origin = '', path = '', search = ''] =
      /^(https:\/\/[^/?#]*)([^?#]*)(?:\?([^#]*))?/.exec(url) ?? []
    const segments = path.split('/').map((segment) => this.#segment(partsOf(segment)))
    const pairs = [...this.#literalPairs(search), ...this.#pairs(query)]
    const filled = `${origin}${segments.join('/') || '/'}${pairs.length > 0 ? `?${pairs.join('&')}` : ''}`
    if (filled.length > MOST_URL_CHARS) {
      const message = `makes an address of ${filled.length} characters; at most ${MOST_URL_CHARS} are sent`
      this.faults.push({ path: 'input', message })
    }
    // Every value was encoded for its place; should one reach the host all the same, nothing is sent.
    if (URL.parse(filled)?.origin === URL.parse(origin)?.origin) return filled
    this.faults.push({ path: 'input', message: 'does not fit into the address' })
    return null
  }

  headers({ headers = {} }: HttpInvoke): { headers: Record<string, string>; credentials: string[] } {
    const filled: Record<string, string> = { accept: 'application/json', 'user-agent': 'workshop' }
    const credentials: string[] = []
    for (const [name, value] of Object.entries(headers)) {
      const text = isSecret(value) ? this.#secretHeader(value) : this.#headerText(value)
      if (isSecret(value)) credentials.push(name.toLowerCase())
      if (text !== ABSENT) filled[name.toLowerCase()] = text
    }
    return { headers: filled, credentials }
  }

  /** A part of the body with every text in it filled; undefined for a whole body that is left out. */
  json(value: unknown): unknown {
    const filled = this.#json(value)
    return filled === ABSENT ? undefined : filled
  }

  #json(value: unknown): unknown {
    if (typeof value === 'string') return this.#value(value)
    if (Array.isArray(value)) return value.map((item) => this.#json(item)).filter((item) => item !== ABSENT)
    if (typeof value !== 'object' || value === null) return value
    const parts = Object.entries(value).map(([key, part]) => [key, this.#json(part)] as const)
    return Object.fromEntries(parts.filter(([, part]) => part !== ABSENT))
  }

  /** A field that is the whole value keeps its type. */
  #value(template: string): unknown {
    const parts = partsOf(template)
    const [first] = parts
    if (parts.length !== 1 || typeof first !== 'object') return this.#text(parts, (text) => text)
    return Object.hasOwn(this.#input, first.field) ? this.#input[first.field] : ABSENT
  }

  #text(parts: Part[], encode: (text: string) => string): string {
    return parts.map((part) => (typeof part === 'string' ? part : encode(this.#field(part)))).join('')
  }

  /** The text of an input: as it is, or as compact JSON; empty when it is not there. */
  #field({ field }: { field: string }): string {
    if (!Object.hasOwn(this.#input, field)) return ''
    const value = this.#input[field]
    return typeof value === 'string' ? value : JSON.stringify(value)
  }

  #isAbsent([first, ...more]: Part[]): boolean {
    return more.length === 0 && typeof first === 'object' && !Object.hasOwn(this.#input, first.field)
  }

  /** A piece of the path between two slashes: it is never empty for want of a value, nor a step up or down. */
  #segment(parts: Part[]): string {
    const text = this.#text(parts, encode)
    const isStep = /^(\.|%2e){1,2}$/i.test(text)
    for (const part of parts) {
      if (typeof part === 'string') continue
      const fault = this.#field(part) === '' ? this.#emptyFault(part) : isStep && 'makes "." or ".." of it'
      if (fault) this.#refuse(part, `stands in the path of the address and ${fault}`)
    }
    return text
  }

  #emptyFault({ field }: { field: string }): string {
    return Object.hasOwn(this.#input, field) ? 'is empty' : 'is missing'
  }

  /** The query that the address itself holds. */
  #literalPairs(search: string): string[] {
    return search.split('&').flatMap((pair) => {
      const at = pair.indexOf('=')
      const [name, value] = at < 0 ? [pair, null] : [pair.slice(0, at), pair.slice(at + 1)]
      const parts = partsOf(value ?? '')
      if (pair === '' || (parts.length > 0 && this.#isAbsent(parts))) return []
      const text = this.#text(partsOf(name), encode)
      return [value === null ? text : `${text}=${this.#text(parts, encode)}`]
    })
  }

  #pairs(query: NonNullable<HttpInvoke['query']>): string[] {
    return Object.entries(query).flatMap(([name, value]) => {
      if (isSecret(value)) return [`${encode(name)}=${encode(this.#secret(value))}`]
      const parts = partsOf(String(value))
      const text = parts.map((part) => encode(typeof part === 'string' ? part : this.#field(part))).join('')
      return this.#isAbsent(parts) ? [] : [`${encode(name)}=${text}`]
    })
  }

  #headerText(template: string): string | typeof ABSENT {
    const parts = partsOf(template)
    if (this.#isAbsent(parts)) return ABSENT
    for (const part of parts) {
      if (typeof part === 'object' && !HEADER_TEXT.test(this.#field(part))) this.#refuse(part, NOT_IN_HEADERS)
    }
    return this.#text(parts, (text) => text)
  }

  #secretHeader(value: PrefixedSecretRef): string {
    const text = this.#secret(value)
    if (!HEADER_TEXT.test(text)) {
      this.faults.push({
        path: 'tool_id',
        message: `has the connection ${value.secret_name}, which ${NOT_IN_HEADERS}`,
      })
    }
    return text
  }

  #secret({ secret_name, prefix = '' }: PrefixedSecretRef): string {
    return prefix + (this.#secrets.get(secret_name) ?? '')
  }

  #refuse({ field }: { field: string }, message: string): void {
    const path = `input.${field}`
    if (!this.faults.some((fault) => fault.path === path)) this.faults.push({ path, message })
  }
}

const encode = (text: string): string => encodeURIComponent(text.toWellFormed())
