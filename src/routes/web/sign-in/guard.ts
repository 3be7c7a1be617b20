import { Problem } from '../../../core/problem.ts'
import type { WebContext } from '../session.ts'

/** Holds one address to so many tries a minute, whatever it tries to sign in to. */
export async function guard(c: WebContext): Promise<void> {
  const key = networkOf(c.req.header('cf-connecting-ip') ?? 'local')
  const { success } = await c.env.SIGN_IN_GUARD.limit({ key })
  if (success) return
  throw new Problem('rate_limited', 'There were too many tries from your address. Wait a minute.', {
    retryAfterSeconds: 60,
  })
}

/** Whoever has one IPv6 address has the 2^64 of its network: they count as one. */
export function networkOf(address: string): string {
  const hostname = address.includes(':') ? URL.parse(`http://[${address}]`)?.hostname : undefined
  if (hostname === undefined) return address
  const [head = '', tail = ''] = hostname.slice(1, -1).split('::')
  const [first, last] = [head, tail].map((part) => part.split(':').filter(Boolean))
  const missing = Array.from({ length: 8 - (first?.length ?? 0) - (last?.length ?? 0) }, () => '0')
  return [...(first ?? []), ...missing, ...(last ?? [])].slice(0, 4).join(':')
}
