/** A link to download some bytes under a name, or to upload for an account. */
export type Link =
  | { kind: 'get'; hash: string; name: string; mediaType: string; expiresAt: number }
  | { kind: 'put'; uploadId: string }

/** Makes addresses that open one thing to whoever holds them, and reads them again. */
export interface Links {
  /** The whole address of a link. */
  url(link: Link): Promise<string>
  /** The link of a token; null when it was not made here or was changed. */
  read(token: string): Promise<Link | null>
}

/** How long a link is good for. */
export const LINK_MS = 15 * 60_000

/** Links of one deployment, signed with a key that is derived from its secret for this alone. */
export function linksOf({ origin, secret }: { origin: string; secret: () => string }): Links {
  let made: Promise<CryptoKey> | undefined
  const key = () => (made ??= deriveKey(secret()))
  return {
    async url(link) {
      const body = toText(new TextEncoder().encode(JSON.stringify(link)))
      const mac = await crypto.subtle.sign('HMAC', await key(), new TextEncoder().encode(body))
      const token = `${body}.${toText(new Uint8Array(mac))}`
      return `${origin}/files/${link.kind === 'put' ? `upload/${token}` : token}`
    },
    async read(token) {
      const [, body = '', mac = ''] = /^([\w-]+)\.([\w-]{43})$/.exec(token) ?? []
      const bytes = fromText(mac)
      const isOurs =
        bytes !== null &&
        (await crypto.subtle.verify('HMAC', await key(), bytes, new TextEncoder().encode(body)))
      const json = isOurs ? fromText(body) : null
      // What carries our signature was written by `url` alone.
      return json && (JSON.parse(new TextDecoder().decode(json)) as Link)
    },
  }
}

async function deriveKey(secret: string): Promise<CryptoKey> {
  const encode = (text: string) => new TextEncoder().encode(text)
  const root = await crypto.subtle.importKey('raw', encode(secret), 'HKDF', false, ['deriveKey'])
  return crypto.subtle.deriveKey(
    { name: 'HKDF', hash: 'SHA-256', salt: new Uint8Array(), info: encode('workshop file links') },
    root,
    { name: 'HMAC', hash: 'SHA-256', length: 256 },
    false,
    ['sign', 'verify'],
  )
}

/** Base 64 in the letters of addresses, without padding. */
function toText(bytes: Uint8Array): string {
  const binary = Array.from(bytes, (byte) => String.fromCharCode(byte)).join('')
  return btoa(binary).replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '')
}

function fromText(text: string): Uint8Array<ArrayBuffer> | null {
  try {
    const binary = atob(text.replaceAll('-', '+').replaceAll('_', '/'))
    return Uint8Array.from(binary, (letter) => letter.charCodeAt(0))
  } catch {
    return null
  }
}
