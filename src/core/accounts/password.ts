import { scrypt } from 'node:crypto'
import { isSameHash, toHex, type Source } from '../ids.ts'

/** Cost of new hashes; what a hash was made with is kept in it. About 0.2 s and 17 MB. */
const COST = { N: 16_384, r: 8, p: 5 }
const SALT_BYTES = 16
const KEY_BYTES = 32

/** `scrypt$<N>$<r>$<p>$<salt hex>$<key hex>` of a password under the deployment's pepper. */
export async function hashPassword(source: Source, pepper: string, password: string): Promise<string> {
  const salt = source.random(SALT_BYTES)
  const key = await derive(pepper, password, { salt, cost: COST })
  return `scrypt$${COST.N}$${COST.r}$${COST.p}$${toHex(salt)}$${key}`
}

/** Whether a password made a hash. Without one (an unknown name) the same work is done, and the answer is no. */
export async function isPassword(
  pepper: string,
  password: string,
  hash: string | undefined,
): Promise<boolean> {
  const [, N, r, p, salt = '', key = ''] = (hash ?? NOBODYS).split('$')
  const cost = { N: Number(N), r: Number(r), p: Number(p) }
  const derived = await derive(pepper, password, { salt: fromHex(salt), cost })
  return isSameHash(derived, key) && hash !== undefined
}

const NOBODYS = `scrypt$${COST.N}$${COST.r}$${COST.p}$${'00'.repeat(SALT_BYTES)}$${'00'.repeat(KEY_BYTES)}`

const fromHex = (hex: string): Uint8Array =>
  Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16))

interface How {
  salt: Uint8Array
  cost: typeof COST
}

/** The key as hex. The same text typed on two keyboards is the same password: normal form NFKC (NIST SP 800-63B). */
async function derive(pepper: string, password: string, { salt, cost }: How): Promise<string> {
  const text = new TextEncoder()
  const hmac = { name: 'HMAC', hash: 'SHA-256' }
  const secret = await crypto.subtle.importKey('raw', text.encode(pepper), hmac, false, ['sign'])
  const peppered = await crypto.subtle.sign('HMAC', secret, text.encode(password.normalize('NFKC')))
  return new Promise((done, fail) =>
    scrypt(new Uint8Array(peppered), salt, KEY_BYTES, cost, (error, key) =>
      error ? fail(error) : done(toHex(new Uint8Array(key))),
    ),
  )
}
