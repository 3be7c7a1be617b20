/** The one function of Node that the Worker uses; its other types would not be true there. */
declare module 'node:crypto' {
  type Done = (error: Error | null, key: Uint8Array) => void
  export function scrypt(
    ...of: [
      password: Uint8Array,
      salt: Uint8Array,
      keyBytes: number,
      cost: { N: number; r: number; p: number },
      done: Done,
    ]
  ): void
}
