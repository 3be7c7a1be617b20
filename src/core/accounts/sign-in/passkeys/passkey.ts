import {
  generateAuthenticationOptions,
  generateRegistrationOptions,
  verifyAuthenticationResponse,
  verifyRegistrationResponse,
  type AuthenticationResponseJSON,
  type RegistrationResponseJSON,
} from '@simplewebauthn/server'
import { isoBase64URL } from '@simplewebauthn/server/helpers'
import { Problem } from '../../../problem.ts'
import type { Books, Site } from '../../books.ts'
import { begin, finish } from '../ceremony/ceremony.ts'
import type { NewPasskey } from '../store.ts'
import { findPasskey, listPasskeys, usePasskey } from './store.ts'

/** What a browser is asked to make a passkey with. `browser`: who asks, and alone may bring the answer. */
export async function askForNew(
  books: Books,
  site: Site,
  { accountId, handle, browser }: { accountId: string; handle: string; browser: string },
) {
  const known = await listPasskeys(books.db, accountId)
  const options = await generateRegistrationOptions({
    rpName: 'Workshop',
    rpID: hostOf(site),
    userName: handle,
    userID: Uint8Array.from(new TextEncoder().encode(accountId)),
    attestationType: 'none',
    excludeCredentials: known.map(({ id, transports }) => ({ id, transports })),
    authenticatorSelection: { residentKey: 'required', userVerification: 'required' },
  })
  await begin(books, options.challenge, { kind: 'new passkey', data: { browser, accountId } })
  return options
}

/** A passkey that a browser made, and the account that it was made for. Throws when it is not one. */
export async function readNew(
  books: Books,
  site: Site,
  { credential, browser }: Answer,
): Promise<{ accountId: string; passkey: NewPasskey }> {
  const response = parse(credential) as RegistrationResponseJSON
  const { accountId } = await finish(books, challengeIn(response), { kind: 'new passkey', browser })
  const { registrationInfo } = await verifyRegistrationResponse({
    response,
    expectedChallenge: () => true,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
  }).catch(() => ({ registrationInfo: undefined }))
  if (!registrationInfo || !accountId) throw noPasskey()
  const { id, publicKey, counter, transports = [] } = registrationInfo.credential
  return { accountId, passkey: { id, publicKey: isoBase64URL.fromBuffer(publicKey), counter, transports } }
}

/** What a browser is asked to show a passkey with, whichever account it is of. */
export async function askForOne(books: Books, site: Site, browser: string) {
  const options = await generateAuthenticationOptions({ rpID: hostOf(site), userVerification: 'required' })
  await begin(books, options.challenge, { kind: 'passkey', data: { browser } })
  return options
}

/** The account that a shown passkey opens. */
export async function signInByPasskey(
  books: Books,
  site: Site,
  { credential, browser }: Answer,
): Promise<string> {
  const response = parse(credential) as AuthenticationResponseJSON
  await finish(books, challengeIn(response), { kind: 'passkey', browser })
  const row = await findPasskey(books.db, response.id)
  // In the same words as a wrong signature: whether somebody has a passkey is told to nobody else.
  if (!row) throw noPasskey()
  const { verified, authenticationInfo } = await verifyAuthenticationResponse({
    response,
    expectedChallenge: () => true,
    expectedOrigin: site.origin,
    expectedRPID: hostOf(site),
    credential: { id: row.id, publicKey: isoBase64URL.toBuffer(row.publicKey), counter: row.counter },
  }).catch(() => ({ verified: false, authenticationInfo: null }))
  if (!verified || !authenticationInfo) throw noPasskey()
  const use = { counter: row.counter, newCounter: authenticationInfo.newCounter, now: books.now() }
  // Two uses at once of one count: one of them is a copy.
  if (!(await usePasskey(books.db, row.id, use))) throw noPasskey()
  return row.accountId
}

/** What a browser answered, as JSON. */
interface Answer {
  credential: string
  browser: string
}

const noPasskey = (): Problem =>
  new Problem('unauthorized', 'Your browser gave no passkey that opens an account here.', {
    hint: 'Try it again, or sign in another way.',
  })

/** Everything in it is checked by the library, which throws at what is not there. */
function parse(credential: string): object {
  if (credential === '') {
    throw new Problem('invalid_request', 'Your browser gave no passkey.', {
      hint: 'Passkeys need a browser with script switched on. Without it, use a password.',
    })
  }
  try {
    const value: unknown = JSON.parse(credential)
    if (typeof value === 'object' && value !== null && 'id' in value && typeof value.id === 'string')
      return value
  } catch {
    // Told below.
  }
  throw noPasskey()
}

/** The challenge that an answer names: whether it was ours is what `finish` knows. The library checks the rest. */
function challengeIn(response: RegistrationResponseJSON | AuthenticationResponseJSON): string {
  try {
    const data: unknown = JSON.parse(isoBase64URL.toUTF8String(response.response.clientDataJSON))
    return String((data as { challenge: unknown }).challenge)
  } catch {
    throw noPasskey()
  }
}

const hostOf = ({ origin }: Site): string => new URL(origin).hostname
