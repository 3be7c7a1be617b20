/** Requests to addresses that other people named: each hop is judged before anything is sent to it. */
import { addressFault, isAllowed, isIp, redirectTarget, type AddressRules } from './address.ts'
import { notPublic } from './ip.ts'
import { RESOLVER_HOST, type LookUp } from './look-up.ts'

export interface WebRequest {
  url: string
  method: string
  /** Names in lower case. */
  headers: Record<string, string>
  body?: string
  /** Names of further headers that only the first origin may see. */
  credentials?: readonly string[]
  /** Values that no other origin may see, wherever they stand. */
  secrets?: readonly string[]
}

export interface Web {
  /** Why an address may not be called, as far as its text tells: "its host is a private address". Null: it may. */
  fault(url: string): string | null
  /** Sends, and follows redirects. Throws a `WebRefusal`, or what the signal was aborted with. */
  open(request: WebRequest, signal: AbortSignal): Promise<Response>
}

/**
 * Why there is no answer. `address`: it may not be called. `name`: its name is not known. `resolver`: it cannot be
 * told whether it may be called. `redirect`: it led to where it may not lead. `connection`: it was refused or cut.
 */
export type RefusalKind = 'address' | 'name' | 'resolver' | 'redirect' | 'connection'

export class WebRefusal extends Error {
  override name = 'WebRefusal'
  readonly kind: RefusalKind

  constructor(kind: RefusalKind, message: string) {
    super(message)
    this.kind = kind
  }
}

const MOST_REDIRECTS = 5
const REDIRECTS = [301, 302, 303, 307, 308]
const CREDENTIALS = ['authorization', 'cookie', 'proxy-authorization']
const OF_BODY = ['content-type', 'content-encoding', 'content-language', 'content-location', 'content-length']

interface Means {
  rules: AddressRules
  lookUp: LookUp
  /** The way out. */
  fetch: typeof fetch
}

export function webOf(means: Means): Web {
  return {
    fault: (url) => addressFault(url, means.rules),
    async open(request, signal) {
      const fault = addressFault(request.url, means.rules)
      if (fault) throw new WebRefusal('address', fault)
      let hop = { ...request, url: new URL(request.url) }
      for (let redirects = 0; ; redirects += 1) {
        const response = await send(hop, means, { signal, isFirst: redirects === 0 })
        const location = REDIRECTS.includes(response.status) ? response.headers.get('location') : null
        if (location === null) return response
        await response.body?.cancel()
        if (redirects === MOST_REDIRECTS) {
          throw new WebRefusal('redirect', `it redirected more than ${MOST_REDIRECTS} times`)
        }
        hop = redirected(hop, { status: response.status, location }, means.rules)
      }
    },
  }
}

type Hop = Omit<WebRequest, 'url'> & { url: URL }

async function send(
  hop: Hop,
  means: Means,
  { signal, isFirst }: { signal: AbortSignal; isFirst: boolean },
): Promise<Response> {
  const { url, method, headers, body } = hop
  try {
    await admit(url, means, signal)
  } catch (error) {
    if (isFirst || !(error instanceof WebRefusal)) throw error
    throw new WebRefusal('redirect', `it redirected to an address that may not be called: ${error.message}`)
  }
  // Tests speak plain http to the places they are allowed: the runtime trusts no certificate that they could make.
  const target = isAllowed(url, means.rules) ? url.href.replace(/^https:/, 'http:') : url.href
  try {
    return await means.fetch(target, { method, headers, body, redirect: 'manual', cache: 'no-store', signal })
  } catch (error) {
    signal.throwIfAborted()
    throw new WebRefusal('connection', wordsOf(error))
  }
}

/** Looks at what the name stands for now. Nothing is sent when that cannot be told. */
async function admit(url: URL, { rules, lookUp }: Means, signal: AbortSignal): Promise<void> {
  if (isAllowed(url, rules) || isIp(url.hostname)) return
  let addresses: string[]
  try {
    addresses = await lookUp(url.hostname, signal)
  } catch {
    signal.throwIfAborted()
    throw new WebRefusal('resolver', `the name of its host could not be looked up at ${RESOLVER_HOST}`)
  }
  if (addresses.length === 0) throw new WebRefusal('name', 'the name of its host does not exist')
  const what = addresses.map(notPublic).find((each) => each !== null)
  if (what !== undefined) throw new WebRefusal('address', `the name of its host stands for ${what}`)
}

/** The next request, by the rules of fetch; another origin gets no credentials. */
function redirected(
  hop: Hop,
  { status, location }: { status: number; location: string },
  rules: AddressRules,
): Hop {
  const target = redirectTarget(location, hop.url, rules)
  const fault = target ? target.fault : 'it is not a web address'
  if (!target || fault) {
    throw new WebRefusal('redirect', `it redirected to an address that may not be called: ${fault}`)
  }
  const becomesGet =
    status === 303 ? hop.method !== 'GET' : (status === 301 || status === 302) && hop.method === 'POST'
  const next: Hop = becomesGet
    ? { ...hop, method: 'GET', body: undefined, headers: without(hop.headers, OF_BODY) }
    : hop
  if (target.url.origin === hop.url.origin) return { ...next, url: target.url }
  const { credentials = [], secrets = [] } = hop
  return {
    ...next,
    url: withoutSecrets(target.url, secrets),
    headers: without(next.headers, [...CREDENTIALS, ...credentials]),
  }
}

const without = (headers: Record<string, string>, names: readonly string[]): Record<string, string> =>
  Object.fromEntries(Object.entries(headers).filter(([name]) => !names.includes(name)))

/** An upstream may write the query that it was sent into its redirect: what is secret in it goes no further. */
function withoutSecrets(from: URL, secrets: readonly string[]): URL {
  const url = new URL(from)
  url.hash = ''
  const isSecret = (text: string) => secrets.some((secret) => secret !== '' && text.includes(secret))
  for (const [name, value] of from.searchParams) if (isSecret(value)) url.searchParams.delete(name)
  const [asSent, unescaped] = [url.href, unescape(url.href)]
  if (![asSent, unescaped, unescaped.replaceAll('+', ' ')].some(isSecret)) return url
  throw new WebRefusal('redirect', 'it redirected a secret to another host')
}

/** A text with its percent escapes undone, as far as they are any. */
const unescape = (text: string): string =>
  text.replaceAll(/(?:%[\da-f]{2})+/gi, (escapes) => {
    const bytes = escapes.slice(1).split('%')
    return new TextDecoder().decode(Uint8Array.from(bytes, (hex) => parseInt(hex, 16)))
  })

/** What the runtime says of a connection; its own words may hold an address. */
const wordsOf = (error: unknown): string =>
  error instanceof Error &&
  /connection lost|refused|socket|terminated/i.test(`${error.message} ${String(error.cause)}`)
    ? 'the connection was refused, or closed before an answer came'
    : 'no connection could be made: its certificate is not trusted, or nothing answers there'
