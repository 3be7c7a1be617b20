import type { Db } from '../../../db/client.ts'
import { sha256Hex, type Source } from '../../ids.ts'
import { Problem } from '../../problem.ts'
import { hashPassword, isPassword } from '../password.ts'
import { clearWrong, countTry, findPassword, type Opener } from './store.ts'

export interface Typed {
  email: string
  password: string
}

const PASSWORD_CHARS = { min: 10, max: 200 }

/** What a new e-mail address and password open an account with. Throws when one of them will not do. */
export async function passwordOpener(
  source: Source,
  pepper: string,
  { email, password }: Typed,
): Promise<Opener> {
  if (!/^[^\s@]{1,64}@[^\s@]{1,190}$/.test(email)) {
    throw new Problem('invalid_request', 'This is no e-mail address.', {
      field: 'email',
      hint: 'It looks like name@example.com.',
    })
  }
  checkPassword(password, email)
  return {
    kind: 'password',
    email,
    emailKey: keyOf(email),
    hash: await hashPassword(source, pepper, password),
  }
}

/** Throws when a text is too easy to be a password, in words for the person. */
export function checkPassword(password: string, email: string): void {
  const refuse = (message: string) => new Problem('invalid_request', message, { field: 'password' })
  // Code points, not units of UTF-16: what a person counts.
  const { length } = Array.from(password)
  if (length < PASSWORD_CHARS.min) {
    throw refuse(`A password has at least ${PASSWORD_CHARS.min} characters; this one has ${length}.`)
  }
  if (length > PASSWORD_CHARS.max) {
    throw refuse(`A password has at most ${PASSWORD_CHARS.max} characters; this one has ${length}.`)
  }
  const name = email.split('@')[0]?.toLowerCase() ?? ''
  const rest = password.toLowerCase().replaceAll(name || '\0', '')
  if (new Set(rest).size < 5) throw refuse('This password is easily guessed: use more different characters.')
}

/**
 * The account that an e-mail address and password open. An unknown address and a wrong password are told in the same
 * words after the same work. From the fifth wrong one on, an address has to wait between tries, up to 15 minutes.
 */
export async function signInByPassword(
  db: Db,
  source: Source,
  { email, password, pepper }: Typed & { pepper: string },
): Promise<string> {
  const key = keyOf(email)
  const name = await sha256Hex(`password ${key}`)
  const waitMs = await countTry(db, name, source.now())
  if (waitMs > 0) {
    const seconds = Math.ceil(waitMs / 1000)
    throw new Problem('rate_limited', `There were too many wrong tries. Wait ${seconds} s.`, {
      retryable: true,
    })
  }
  const row = await findPassword(db, key)
  if (!(await isPassword(pepper, password, row?.hash)) || !row) {
    throw new Problem('unauthorized', 'This e-mail address and password do not belong together.', {
      hint: 'Check both.',
    })
  }
  await clearWrong(db, name)
  return row.accountId
}

const keyOf = (email: string): string => email.toLowerCase()
