import { Problem } from '../problem.ts'

const HANDLE = /^[a-z][a-z0-9-]{1,30}$/

/** Throws when a text cannot be the handle of an account. */
export function checkHandle(handle: string): void {
  if (HANDLE.test(handle)) return
  throw new Problem('invalid_request', `"${handle.slice(0, 40)}" cannot be a handle.`, {
    field: 'handle',
    hint: 'Use 2 to 31 lower-case letters, digits and hyphens, a letter first.',
  })
}

export const handleTaken = (handle: string): Problem =>
  new Problem('invalid_request', `The handle "${handle}" is taken.`, {
    field: 'handle',
    hint: 'Choose another one.',
  })
