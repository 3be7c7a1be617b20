import { newId, sha256Hex } from '../../ids.ts'
import { Problem } from '../../problem.ts'
import { noteAct } from '../audit/act.ts'
import type { Books } from '../books.ts'
import { checkHandle, handleTaken } from '../handle.ts'
import { findAccount } from '../store.ts'
import { findWays, insertOpened, isSetupCodeUsed, type Opener } from './store.ts'

/** Whose account is opened: a new one with this handle, or by a set-up code the one that stands and nobody owns. */
export interface Newcomer {
  /** Made beforehand where a passkey already carries it. */
  accountId?: string
  handle: string
  opener: Opener
  setUp: SetUp | null
}

/** What a set-up code may do. `takesOver` is the account that it takes over, if there is one. */
export interface SetUp {
  codeSha256: string
  takesOver: { id: string; handle: string } | null
}

/** Makes an account together with what opens it, both or neither; gives its id. Throws when something of it is taken. */
export async function openAccount(books: Books, newcomer: Newcomer): Promise<string> {
  const { handle, opener, setUp } = newcomer
  checkHandle(handle)
  const stands = setUp?.takesOver
  const accountId = stands?.id ?? newcomer.accountId ?? newId('acc', books)
  const taken = await insertOpened(books.db, {
    accountId,
    handle,
    isNew: !stands,
    opener,
    setupCodeSha256: setUp?.codeSha256 ?? null,
    now: books.now(),
  })
  if (taken === 'handle') throw handleTaken(handle)
  if (taken === 'setup code') throw setUpUsed()
  if (taken === 'opener') throw openerTaken(opener)
  await noteAct(books, { accountId, act: 'signed_up', subject: opener.kind, via: null })
  return accountId
}

/** Throws when a handle cannot be had by a newcomer, before they are asked for more. */
export async function checkNewHandle({ db }: Books, handle: string): Promise<void> {
  checkHandle(handle)
  if (await findAccount(db, handle)) throw handleTaken(handle)
}

/** The account that the local start makes. */
const LOCAL_HANDLE = 'local'

/** What a code from a set-up link may do. Throws when it is not the deployment's, or was used. */
export async function readSetUp({ db }: Books, code: string, rightCode: string): Promise<SetUp> {
  const codeSha256 = await sha256Hex(code)
  if (!rightCode || codeSha256 !== (await sha256Hex(rightCode))) {
    throw new Problem('not_found', 'This is not the set-up link of this Workshop.', {
      hint: 'Anybody can make an account: sign up.',
    })
  }
  if (await isSetupCodeUsed(db, codeSha256)) throw setUpUsed()
  const local = await findAccount(db, LOCAL_HANDLE)
  const ways = local && (await findWays(db, local.id))
  const isFree = ways && !ways.password && ways.passkeys === 0 && ways.identities.length === 0
  return { codeSha256, takesOver: local && isFree ? { id: local.id, handle: LOCAL_HANDLE } : null }
}

const setUpUsed = (): Problem =>
  new Problem('link_expired', 'This set-up link was used already.', { hint: 'Sign in, or sign up anew.' })

/** The refusal of something that opens another account already. */
export function openerTaken({ kind }: Opener): Problem {
  if (kind === 'password') {
    return new Problem('invalid_request', 'This e-mail address signs in to an account already.', {
      field: 'email',
      hint: 'Sign in with it, or use another one.',
    })
  }
  return new Problem('invalid_request', 'This opens an account already.', { hint: 'Sign in with it.' })
}
