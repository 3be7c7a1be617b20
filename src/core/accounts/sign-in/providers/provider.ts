import { toHex } from '../../../ids.ts'
import { Problem } from '../../../problem.ts'
import type { Books } from '../../books.ts'
import { begin, finish } from '../ceremony/ceremony.ts'

export type Provider = 'github' | 'google'

/** Where a provider is, and who it says that somebody is. */
interface ProviderFacts {
  label: string
  authorizeUrl: string
  tokenUrl: string
  /** Answers with who a token is of. */
  whoUrl: string
  scope: string
  read: (who: Record<string, unknown>) => { subject: unknown; name: unknown }
}

/** docs.github.com "Authorizing OAuth apps"; developers.google.com/identity "OpenID Connect". */
export const PROVIDERS: Record<Provider, ProviderFacts> = {
  github: {
    label: 'GitHub',
    authorizeUrl: 'https://github.com/login/oauth/authorize',
    tokenUrl: 'https://github.com/login/oauth/access_token',
    whoUrl: 'https://api.github.com/user',
    scope: '',
    read: ({ id, login }) => ({ subject: id, name: login }),
  },
  google: {
    label: 'Google',
    authorizeUrl: 'https://accounts.google.com/o/oauth2/v2/auth',
    tokenUrl: 'https://oauth2.googleapis.com/token',
    whoUrl: 'https://openidconnect.googleapis.com/v1/userinfo',
    scope: 'openid email',
    read: ({ sub, email }) => ({ subject: sub, name: email }),
  },
}

/** How this deployment is known to a provider. */
export interface ProviderClient {
  provider: Provider
  id: string
  secret: string
  /** Where the provider sends people back to. */
  redirectUri: string
  fetch: (url: string, init: RequestInit) => Promise<Response>
}

/** Somebody, as a provider knows them: `subject` never changes, `name` is for reading. */
export interface Identity {
  provider: Provider
  subject: string
  name: string
}

/** What a person wants at a provider: to link it to their account, or without one to sign in. */
interface Visit {
  browser: string
  next: string
  accountId: string | null
}

/** The address at the provider where a visit begins. */
export async function leaveFor(books: Books, client: ProviderClient, visit: Visit): Promise<string> {
  const state = toHex(books.random(32))
  const verifier = toHex(books.random(32))
  await begin(books, state, { kind: client.provider, data: { ...visit, verifier } })
  const url = new URL(PROVIDERS[client.provider].authorizeUrl)
  const query = {
    response_type: 'code',
    client_id: client.id,
    redirect_uri: client.redirectUri,
    scope: PROVIDERS[client.provider].scope,
    state,
    code_challenge: await challengeOf(verifier),
    code_challenge_method: 'S256',
  }
  for (const [name, value] of Object.entries(query)) if (value) url.searchParams.set(name, value)
  return url.href
}

/** Who came back from a provider, and what they wanted there. Throws when nobody began it, or the provider said no. */
export async function arriveFrom(
  books: Books,
  client: ProviderClient,
  { code, state, browser }: { code: string; state: string; browser: string },
): Promise<{ identity: Identity; next: string; accountId: string | null }> {
  const { verifier, next, accountId } = await finish(books, state, { kind: client.provider, browser })
  if (!code) throw refused(client)
  const { access_token: token } = await ask(client, PROVIDERS[client.provider].tokenUrl, {
    method: 'POST',
    body: new URLSearchParams({
      grant_type: 'authorization_code',
      client_id: client.id,
      client_secret: client.secret,
      redirect_uri: client.redirectUri,
      code,
      code_verifier: verifier ?? '',
    }),
  })
  if (typeof token !== 'string') throw refused(client)
  const { whoUrl, read } = PROVIDERS[client.provider]
  const { subject, name } = read(await ask(client, whoUrl, { headers: { authorization: `Bearer ${token}` } }))
  if (typeof subject !== 'string' && typeof subject !== 'number') throw refused(client)
  const identity = { provider: client.provider, subject: String(subject), name: String(name).slice(0, 200) }
  return { identity, next: next ?? '/', accountId: accountId ?? null }
}

async function ask(client: ProviderClient, url: string, init: RequestInit): Promise<Record<string, unknown>> {
  const headers = new Headers(init.headers)
  headers.set('accept', 'application/json')
  headers.set('user-agent', 'Workshop')
  const signal = AbortSignal.timeout(10_000)
  const answer: unknown = await client
    .fetch(url, { ...init, headers, signal, redirect: 'manual' })
    .then((response) => (response.ok ? response.json() : null))
    .catch(() => null)
  if (typeof answer !== 'object' || answer === null) throw refused(client)
  return answer as Record<string, unknown>
}

const refused = ({ provider }: ProviderClient): Problem =>
  new Problem('unauthorized', `${PROVIDERS[provider].label} did not say who you are.`, {
    hint: 'Try it again, or sign in another way.',
  })

async function challengeOf(verifier: string): Promise<string> {
  const hash = new Uint8Array(await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier)))
  return btoa(String.fromCharCode(...hash))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}
