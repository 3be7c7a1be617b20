/** Encrypts what is kept of connections, with keys that only the deployment has. */
export interface Keyring {
  /** The name of the key that encrypts. */
  current: string
  /** Names of all keys; what another one encrypted cannot be read. */
  names: string[]
  seal(owner: Owner, text: string): Promise<Sealed>
  /** Rejects when the key is not here, or when this was not sealed for this owner. */
  open(owner: Owner, sealed: Sealed): Promise<string>
}

/** Whose value it is. Both are bound to what is sealed. */
export interface Owner {
  accountId: string
  name: string
}

export interface Sealed {
  keyName: string
  /** Base64 of nonce and ciphertext. */
  sealed: string
}

const NONCE_BYTES = 12

/**
 * The keyring of `CONNECTION_KEYS`: `<name>:<64 hex>`, one or more, apart by commas. The first one encrypts, all
 * decrypt. Throws in words when it cannot be read; never repeats a key.
 */
export function keyringOf(text: string, random: (count: number) => Uint8Array): Keyring {
  const keys = readKeys(text)
  const [current = ''] = keys.keys()
  return {
    current,
    names: [...keys.keys()],
    async seal(owner, plain) {
      const nonce = random(NONCE_BYTES)
      const how = { name: 'AES-GCM', iv: nonce, additionalData: boundTo(owner) }
      const bytes = new TextEncoder().encode(plain)
      const key = await accountKey(keys.get(current), owner)
      const cipher = new Uint8Array(await crypto.subtle.encrypt(how, key, bytes))
      return { keyName: current, sealed: toBase64(Uint8Array.of(...nonce, ...cipher)) }
    },
    async open(owner, { keyName, sealed }) {
      const bytes = Uint8Array.from(atob(sealed), (character) => character.charCodeAt(0))
      const iv = bytes.subarray(0, NONCE_BYTES)
      const how = { name: 'AES-GCM', iv, additionalData: boundTo(owner) }
      const key = await accountKey(keys.get(keyName), owner)
      return new TextDecoder().decode(await crypto.subtle.decrypt(how, key, bytes.subarray(NONCE_BYTES)))
    },
  }
}

function readKeys(text: string): Map<string, Uint8Array> {
  const keys = new Map<string, Uint8Array>()
  for (const [place, part] of text.split(',').entries()) {
    const [, name, hex] = /^\s*([\w.-]{1,64}):([0-9a-f]{64})\s*$/i.exec(part) ?? []
    if (name === undefined || hex === undefined) {
      throw new Error(
        `CONNECTION_KEYS: part ${place + 1} is not "<name>:<64 hex>"; parts are apart by commas`,
      )
    }
    if (keys.has(name)) throw new Error(`CONNECTION_KEYS names "${name}" twice`)
    keys.set(
      name,
      Uint8Array.from(hex.match(/../g) ?? [], (pair) => Number.parseInt(pair, 16)),
    )
  }
  return keys
}

/** A key of the account's own: what one account's key could open says nothing of another's. */
async function accountKey(master: Uint8Array | undefined, { accountId }: Owner): Promise<CryptoKey> {
  if (!master) throw new Error('the key that this connection was encrypted with is not in CONNECTION_KEYS')
  const whole = await crypto.subtle.importKey('raw', master, 'HKDF', false, ['deriveKey'])
  const how = {
    name: 'HKDF',
    hash: 'SHA-256',
    salt: new TextEncoder().encode('workshop connections'),
    info: new TextEncoder().encode(accountId),
  }
  return crypto.subtle.deriveKey(how, whole, { name: 'AES-GCM', length: 256 }, false, ['encrypt', 'decrypt'])
}

const boundTo = ({ accountId, name }: Owner): Uint8Array => new TextEncoder().encode(`${accountId}\0${name}`)

function toBase64(bytes: Uint8Array): string {
  let text = ''
  for (const byte of bytes) text += String.fromCharCode(byte)
  return btoa(text)
}
