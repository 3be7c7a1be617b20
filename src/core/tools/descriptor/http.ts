/** `invoke.kind: "http"`: a call of a web address. The addresses that may be called are judged elsewhere. */
import { childPath, isRecord } from '../../json-schema/path.ts'
import { secretName } from './container.ts'
import { HTTP_METHODS } from './descriptor.ts'
import { inputField } from './schemas.ts'
import { named, object, oneOf, text } from './shape.ts'
import type { HttpInvoke, PrefixedSecretRef } from './descriptor.ts'
import type { Inputs } from './schemas.ts'
import type { Read, Report } from './shape.ts'

const PLACEHOLDER = /\{([\p{L}_][\p{L}\p{N}_-]*)\}/gu

/**
 * The input fields that a template names: `{field}`, a letter or `_`, then letters, digits, `_`, `-`.
 * Other braces, like those of JSON or GraphQL with blanks, are plain text.
 */
export function placeholders(template: string): string[] {
  return partsOf(template).flatMap((part) => (typeof part === 'string' ? [] : [part.field]))
}

/** A template in parts: plain text, and the input fields that fill what lies between. */
export type Part = string | { field: string }

export function partsOf(template: string): Part[] {
  const parts: Part[] = []
  let at = 0
  for (const { 0: whole, 1: field = '', index } of template.matchAll(PLACEHOLDER)) {
    if (index > at) parts.push(template.slice(at, index))
    parts.push({ field })
    at = index + whole.length
  }
  return at < template.length ? [...parts, template.slice(at)] : parts
}

/** Reads an http invoke. The method, when left out, is POST with a body and GET without. */
export function httpInvoke(inputs: Inputs): Read<HttpInvoke> {
  const template = fillable(inputs)
  const read = object(
    { kind: oneOf(['http']), url: url(template) },
    {
      method: oneOf(HTTP_METHODS),
      headers: headers(template),
      query: named(queryValue(template), text({ min: 1 })),
      body: body(template),
    },
  )
  return (value, path, report) => {
    const invoke = read(value, path, report)
    if (isRecord(value) && value.method === 'GET' && (value.body ?? null) !== null) {
      report.refuse(childPath(path, 'body'), 'cannot go with GET', 'use "method": "POST", or query')
    }
    return invoke && { ...invoke, method: invoke.method ?? (invoke.body === undefined ? 'GET' : 'POST') }
  }
}

/** A text whose placeholders all name declared inputs. */
function fillable(inputs: Inputs): Read<string> {
  const field = inputField(inputs)
  return (value, path, report) => {
    if (typeof value !== 'string') return report.refuse(path, 'must be a text')
    const isKnown = placeholders(value).map((name) => field(name, path, report) !== undefined)
    return isKnown.includes(false) ? undefined : value
  }
}

function url(template: Read<string>): Read<string> {
  return (value, path, report) => {
    if (typeof value !== 'string') return report.refuse(path, 'must be a text')
    const host = /^https:\/\/([^/?#]*)/.exec(value)?.[1]
    if (host === undefined) return report.refuse(path, 'must start with "https://"')
    if (host.includes('{'))
      return report.refuse(path, 'must have a literal host', 'an input may fill the path or query')
    if (host.includes('@')) {
      return report.refuse(path, 'must not name a user', 'put {"secret_name": "<connection>"} into a header')
    }
    const isAddress =
      host !== '' && !/[\s\\\p{Cc}]/u.test(value) && URL.canParse(value.replaceAll(PLACEHOLDER, 'x'))
    return isAddress ? template(value, path, report) : report.refuse(path, 'is not a web address')
  }
}

/** Reads `{"secret_name"}` objects with `prefix`, and leaves everything else to `other`. */
function orSecret<T>(other: Read<T>): Read<T | PrefixedSecretRef> {
  const secret = object({ secret_name: secretName }, { prefix: headerText })
  return (value, path, report) => (isRecord(value) ? secret(value, path, report) : other(value, path, report))
}

const headerText = text({
  pattern: /^[\t\u0020-\u007e\u0080-\u00ff]*$/,
  says: 'one line of Latin-1 characters, as headers are',
})

const TRANSPORT_HEADERS = [
  'connection',
  'content-length',
  'expect',
  'host',
  'keep-alive',
  'te',
  'trailer',
  'transfer-encoding',
  'upgrade',
]

const headerName: Read<string> = (name, path, report) => {
  if (typeof name !== 'string' || !/^[\w!#$%&'*+.^`|~-]+$/.test(name)) {
    return report.refuse(path, 'is not the name of a header')
  }
  const isOurs = TRANSPORT_HEADERS.includes(name.toLowerCase())
  return isOurs ? report.refuse(path, 'may not be set: the connection sets it') : name
}

function headers(template: Read<string>): Read<Record<string, string | PrefixedSecretRef>> {
  const read = named(
    orSecret((value, path, report) => {
      const line = template(value, path, report)
      return line === undefined ? undefined : headerText(line, path, report)
    }),
    headerName,
  )
  return (value, path, report) => {
    const seen = new Set<string>()
    for (const name of isRecord(value) ? Object.keys(value) : []) {
      if (seen.has(name.toLowerCase())) {
        report.refuse(childPath(path, name), 'is there twice: case does not count in the names of headers')
      }
      seen.add(name.toLowerCase())
    }
    return read(value, path, report)
  }
}

function queryValue(template: Read<string>): Read<string | number | boolean | PrefixedSecretRef> {
  return orSecret((value, path, report) => {
    if (typeof value === 'number' || typeof value === 'boolean') return value
    return typeof value === 'string'
      ? template(value, path, report)
      : report.refuse(path, 'must be a text, a number, true, false or {"secret_name": "<connection>"}')
  })
}

function body(template: Read<string>): Read<unknown> {
  function check(value: unknown, path: string, report: Report): void {
    if (typeof value === 'string') template(value, path, report)
    if (Array.isArray(value)) value.forEach((item, index) => check(item, childPath(path, index), report))
    if (!isRecord(value)) return
    if (Object.hasOwn(value, 'secret_name')) {
      report.refuse(path, 'may not be a secret', 'a secret may be the value of a header or of a query field')
    }
    for (const [name, part] of Object.entries(value)) check(part, childPath(path, name), report)
  }

  return (value, path, report) => {
    check(value, path, report)
    return value
  }
}
