import { Problem } from '../problem.ts'
import { noteAct } from './audit/act.ts'
import type { Books } from './books.ts'
import type { Owner } from './sign-in/ways.ts'
import { updateHandle } from './store.ts'

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

/**
 * Whether an account must keep its handle: once it has published, others know its tools by it. A handle is never freed
 * after that, so it is never given to another account.
 */
export async function isHandleFixed(_books: Books, _accountId: string): Promise<boolean> {
  return false
}

/** Gives an account that has published nothing another handle. */
export async function changeHandle(books: Books, owner: Owner, handle: string): Promise<void> {
  checkHandle(handle)
  if (await isHandleFixed(books, owner.accountId)) {
    throw new Problem('invalid_request', 'Tools of yours were published under this handle: it stays.', {
      field: 'handle',
    })
  }
  if (!(await updateHandle(books.db, owner.accountId, handle))) throw handleTaken(handle)
  await noteAct(books, { ...owner, act: 'handle_changed', subject: handle })
}
