import { sha256Hex } from '../../../ids.ts'
import { Problem } from '../../../problem.ts'
import { noteAct } from '../../audit/act.ts'
import type { Books, Site } from '../../books.ts'
import { hashPassword, isPassword } from '../../password.ts'
import type { Opener } from '../store.ts'
import { clearWrong, countTry, findPassword, findPasswordOf, updatePassword } from './store.ts'

export interface Typed {
  email: string
  password: string
}

const PASSWORD_CHARS = { min: 10, max: 200 }

/** What a new e-mail address and password open an account with. Throws when one of them will not do. */
export async function passwordOpener(books: Books, { pepper }: Site, typed: Typed): Promise<Opener> {
  const { email, password } = typed
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) {
    throw new Problem('invalid_request', 'This is no e-mail address.', {
      field: 'email',
      hint: 'It looks like name@example.com.',
    })
  }
  checkPassword(typed)
  const hash = await hashPassword(books, pepper(), password)
  return { kind: 'password', email, emailKey: keyOf(email), hash }
}

/** Throws when a text is too easy to be a password, in words for the person. */
function checkPassword({ email, password }: Typed): void {
  const refuse = (message: string) => new Problem('invalid_request', message, { field: 'password' })
  // Code points, not units of UTF-16: what a person counts.
  const { length } = Array.from(password)
  if (length < PASSWORD_CHARS.min) {
    throw refuse(`A password has at least ${PASSWORD_CHARS.min} characters; this one has ${length}.`)
  }
  if (length > PASSWORD_CHARS.max) {
    throw refuse(`A password has at most ${PASSWORD_CHARS.max} characters; this one has ${length}.`)
  }
  const name = email.split('@')[0]?.toLowerCase() || '\0'
  if (new Set(password.toLowerCase().replaceAll(name, '')).size < 5) {
    throw refuse('This password is easily guessed: use more different characters.')
  }
}

/**
 * The account that an e-mail address and password open. An unknown address and a wrong password are told in the same
 * words after the same work: what only a known one has noted is done by `later`, after the answer. From the fifth wrong
 * one on, an address has to wait between tries, up to 15 minutes.
 */
export async function signInByPassword(
  books: Books,
  { pepper }: Site,
  { email, password, later }: Typed & { later: (work: Promise<void>) => void },
): Promise<string> {
  const { db, now } = books
  const key = keyOf(email)
  const name = await sha256Hex(`password ${key}`)
  const waitMs = await countTry(db, name, now())
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    throw new Problem('rate_limited', `There were too many wrong tries. Wait ${seconds} s.`, {
      retryAfterSeconds: seconds,
    })
  }
  const row = await findPassword(db, key)
  const isRight = await isPassword(pepper(), password, row?.hash)
  if (row && isRight) {
    await clearWrong(db, name)
    return row.accountId
  }
  if (row) {
    const failed = {
      accountId: row.accountId,
      act: 'sign_in_failed',
      subject: 'password',
      via: null,
    } as const
    later(noteAct(books, failed))
  }
  throw new Problem('unauthorized', 'This e-mail address and password do not belong together.', {
    hint: 'Check both.',
  })
}

/** Gives an account that has a password another one. */
export async function changePassword(
  { db, now, random }: Books,
  { pepper }: Site,
  { accountId, password }: { accountId: string; password: string },
): Promise<void> {
  const row = await findPasswordOf(db, accountId)
  if (!row) throw new Problem('not_found', 'This account has no password yet.')
  checkPassword({ email: row.email, password })
  const hash = await hashPassword({ now, random }, pepper(), password)
  await updatePassword(db, accountId, { hash, now: now() })
}

const keyOf = (email: string): string => email.normalize('NFKC').toLowerCase()
