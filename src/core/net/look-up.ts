/** The IP addresses of a name. Rejects when they cannot be told; empty when the name does not exist. */
export type LookUp = (name: string, signal: AbortSignal) => Promise<string[]>

/** A resolver that anybody may ask over https (RFC 8484, in its JSON form). */
export const RESOLVER_HOST = 'cloudflare-dns.com'
/** How long one question may take, and how often it is asked. */
const ASK_MS = 3_000
const TRIES = 2
const A = 1
const AAAA = 28
const NO_ERROR = 0
const NO_SUCH_NAME = 3

/** What the resolver answers. */
interface Answer {
  Status: number
  Answer?: { type: number; data: string }[]
}

/** Asks for both kinds of addresses; both must be answered, or a hidden one would not be looked at. */
export function lookUpBy(fetcher: typeof fetch): LookUp {
  const ask = async (name: string, type: number, signal: AbortSignal): Promise<string[]> => {
    const response = await fetcher(
      `https://${RESOLVER_HOST}/dns-query?name=${encodeURIComponent(name)}&type=${type}`,
      {
        headers: { accept: 'application/dns-json' },
        signal: AbortSignal.any([signal, AbortSignal.timeout(ASK_MS)]),
      },
    )
    if (!response.ok) throw new Error(`the resolver answered with status ${response.status}`)
    const { Status, Answer = [] } = await response.json<Answer>()
    if (Status !== NO_ERROR && Status !== NO_SUCH_NAME) throw new Error(`the resolver answered ${Status}`)
    return Answer.filter((record) => record.type === type).map(({ data }) => data)
  }
  const insist = async (name: string, type: number, signal: AbortSignal): Promise<string[]> => {
    for (let tries = 1; ; tries += 1) {
      try {
        return await ask(name, type, signal)
      } catch (error) {
        if (tries === TRIES || signal.aborted) throw error
      }
    }
  }
  return async (name, signal) => {
    const found = await Promise.all([insist(name, A, signal), insist(name, AAAA, signal)])
    return found.flat()
  }
}
