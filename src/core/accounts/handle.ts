import { Problem } from '../problem.ts'
import { noteAct } from './audit/act.ts'
import type { Books } from './books.ts'
import type { Owner } from './sign-in/ways.ts'
import { isHandleFixed, updateHandle } from './store.ts'

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

/** Gives an account that has published nothing another handle. Throws when it has, or when the handle is taken. */
export async function changeHandle(books: Books, owner: Owner, handle: string): Promise<void> {
  checkHandle(handle)
  if (!(await updateHandle(books.db, owner.accountId, handle))) {
    if (await isHandleFixed(books.db, owner.accountId)) throw handleFixed()
    throw handleTaken(handle)
  }
  await noteAct(books, { ...owner, act: 'handle_changed', subject: handle })
}

const handleFixed = (): Problem =>
  new Problem('invalid_request', 'Tools were published under this handle: it stays.', { field: 'handle' })
