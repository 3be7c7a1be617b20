/** Time and randomness, lent by whoever calls: pure code asks for both. */
export interface Source {
  /** Milliseconds since 1970. */
  now: () => number
  /** So many random bytes. */
  random: (count: number) => Uint8Array
}

/** Crockford's base 32: no letter in it is taken for another one. */
export const ALPHABET = '0123456789abcdefghjkmnpqrstvwxyz'

/** `<prefix>_` and 26 characters of Crockford's base 32: 48 bits of time, 80 random ones. Sorts by time. */
export function newId(prefix: string, source: Source): string {
  const bytes = new Uint8Array(16)
  new DataView(bytes.buffer).setBigUint64(0, BigInt(source.now()) << 16n)
  bytes.set(source.random(10), 6)
  let bits = bytes.reduce((sum, byte) => (sum << 8n) | BigInt(byte), 0n)
  let text = ''
  for (let i = 0; i < 26; i += 1) {
    text = ALPHABET.charAt(Number(bits & 31n)) + text
    bits >>= 5n
  }
  return `${prefix}_${text}`
}

/** Lower hex of bytes. */
export const toHex = (bytes: Uint8Array): string =>
  Array.from(bytes, (byte) => byte.toString(16).padStart(2, '0')).join('')

/** SHA-256 of a text's UTF-8 bytes, as 64 lower hex. */
export async function sha256Hex(text: string): Promise<string> {
  return toHex(new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(text))))
}

/** Compares two hashes in a time that does not tell where they differ. */
export function isSameHash(a: string, b: string): boolean {
  let difference = a.length ^ b.length
  for (let i = 0; i < a.length; i += 1) difference |= a.charCodeAt(i) ^ b.charCodeAt(i)
  return difference === 0
}
