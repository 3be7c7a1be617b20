import { isFileIdentity } from '../json-schema/index.ts'
import { Problem } from '../problem.ts'

/** `1f:` and the SHA-256 of the bytes, as callers name a file. */
export const identityOf = (hash: string): string => `1f:${hash}`

/** The hash of an identity, or null when the text is none. */
export const hashOf = (identity: string): string | null =>
  isFileIdentity(identity) ? identity.slice(3) : null

/** Where the bytes of a hash are kept. */
export const bytesKey = (hash: string): string => `files/${hash}`

/** What must not be, told in words all the same. */
export const goneFile = (hash: string): Problem =>
  new Problem('unknown_file', `The bytes of ${identityOf(hash)} are gone.`, { hint: 'Write the file again.' })

/** Unknown and another account's read the same. */
export const unknownFile = (field: string): Problem =>
  new Problem('unknown_file', 'This account has no such file.', {
    field,
    hint: 'Use an identity or a path that write_file, list_files or a task returned.',
  })
