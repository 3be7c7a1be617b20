const FILE_IDENTITY = /^1f:[0-9a-f]{64}$/

/** Whether a text has the shape of a file identity: `1f:` and the SHA-256 as 64 lower hex digits. */
export function isFileIdentity(text: string): boolean {
  return FILE_IDENTITY.test(text)
}
