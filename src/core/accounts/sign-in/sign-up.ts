import type { Db } from '../../../db/client.ts'
import { newId, type Source } from '../../ids.ts'
import { Problem } from '../../problem.ts'
import { checkHandle, handleTaken } from '../handle.ts'
import { insertOpened, type Opener } from './store.ts'

/**
 * Makes an account together with what opens it, both or neither; gives its id. Throws when the handle or the e-mail
 * address is taken.
 */
export async function openAccount(
  db: Db,
  source: Source,
  { handle, opener }: { handle: string; opener: Opener },
): Promise<string> {
  checkHandle(handle)
  const accountId = newId('acc', source)
  const taken = await insertOpened(db, { accountId, handle, opener, now: source.now() })
  if (taken === 'handle') throw handleTaken(handle)
  if (taken === 'opener') throw openerTaken(opener)
  return accountId
}

/** The refusal of something that opens another account already. */
export function openerTaken({ kind }: Opener): Problem {
  if (kind === 'password') {
    return new Problem('invalid_request', 'This e-mail address signs in to an account already.', {
      field: 'email',
      hint: 'Sign in with it, or use another one.',
    })
  }
  return new Problem('invalid_request', 'This opens another account already.', { hint: 'Sign in with it.' })
}
