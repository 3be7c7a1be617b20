import { ALPHABET, sha256Hex } from '../../../ids.ts'
import { Problem } from '../../../problem.ts'
import { noteAct } from '../../audit/act.ts'
import type { Books } from '../../books.ts'
import { takeCode } from './store.ts'

const COUNT = 10
/** Of five random bits each. */
const CHARS = 20

/** Ten new codes as they are shown once, `xxxxx-xxxxx-xxxxx-xxxxx`, and what is kept of them. */
export async function newCodes({ random }: Books): Promise<{ codes: string[]; hashes: string[] }> {
  const codes = Array.from({ length: COUNT }, () =>
    Array.from(random(CHARS), (byte) => ALPHABET.charAt(byte & 31))
      .join('')
      .replaceAll(/.{5}(?=.)/g, '$&-'),
  )
  return { codes, hashes: await Promise.all(codes.map(hashOf)) }
}

/** The account that a recovery code opens; it opens it once. */
export async function signInByCode(books: Books, code: string): Promise<string> {
  const accountId = await takeCode(books.db, await hashOf(code))
  if (!accountId) {
    throw new Problem('unauthorized', 'This recovery code is unknown, or was used.', {
      field: 'code',
      hint: 'Each opens its account once: try another one.',
    })
  }
  await noteAct(books, { accountId, act: 'recovery_code_used', subject: null, via: null })
  return accountId
}

/** However a person wrote it down: blanks, hyphens and capitals do not count, and letters that look like digits are those. */
function hashOf(code: string): Promise<string> {
  const plain = code.toLowerCase().replaceAll(/[^0-9a-z]/g, '')
  return sha256Hex(plain.replaceAll('o', '0').replaceAll(/[il]/g, '1'))
}
