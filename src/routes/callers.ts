import type { Context } from 'hono'
import { identify } from '../core/accounts/identify.ts'
import type { Caller, Scope } from '../core/caller.ts'
import { GUARDED_CALLS } from '../core/limits.ts'
import { openDb } from '../db/client.ts'
import { readSettings } from '../env.ts'
import { BASIC_SCOPES, identifyApp, RESOURCE_METADATA } from './oauth/server.ts'

/** What a request without a good token is told, and why. */
export type Identified = { ok: true; caller: Caller } | { ok: false; response: Response }

/** From a request to who makes it: the only sign-in check. Tokens count in the `Authorization` header alone. */
export async function identifyCaller<E extends { Bindings: Env }>(c: Context<E>): Promise<Identified> {
  if (c.req.query('access_token') !== undefined) {
    return refuse(c, 'No token in the address: addresses are logged. Send it as a header.', 'invalid_request')
  }
  const header = c.req.header('authorization')
  if (header === undefined)
    return refuse(c, 'Sign in, or send a token: Authorization: Bearer wks_pat_…', null)
  const [, token] = /^Bearer ([^\s]+)$/i.exec(header) ?? []
  if (token === undefined)
    return refuse(c, 'The Authorization header must be "Bearer <token>".', 'invalid_request')
  const caller = await (token.startsWith('wks_pat_')
    ? identify(openDb(c.env.DB), token, Date.now())
    : identifyApp(c.env, token, Date.now()))
  return caller
    ? ((await turnedAway(c, caller)) ?? { ok: true, caller })
    : refuse(c, 'The token is unknown, malformed, expired or revoked. Use a current one.', 'invalid_token')
}

/** Tells a connected app that it may ask its person for more: all that it has and the scope that it lacks. */
export function askForScope<E extends { Bindings: Env }>(
  c: Context<E>,
  { scopes }: Caller,
  lacking: Scope,
): Response {
  const scope = [...scopes, lacking].join(' ')
  c.header('WWW-Authenticate', `${challenge(c, scope)}, error="insufficient_scope"`)
  const message = `This needs the scope "${lacking}", which was not allowed to the app.`
  const hint = 'Connect the app again and allow it.'
  return c.json({ error: { code: 'insufficient_scope', message, hint } }, 403)
}

/**
 * The guard against abuse, before anything is done. It counts in each place of the network on its own, so it is set well
 * above the limit, which the account's own object counts. Where a deployment allows more than the guard, it stays out.
 */
async function turnedAway<E extends { Bindings: Env }>(
  c: Context<E>,
  { accountId }: Caller,
): Promise<Identified | null> {
  if (readSettings(c.env).quotas.callsAMinute >= GUARDED_CALLS) return null
  const { success } = await c.env.CALL_GUARD.limit({ key: accountId })
  if (success) return null
  c.header('Retry-After', '60')
  const message = `This account calls more than ${GUARDED_CALLS} times a minute. Wait a minute.`
  return { ok: false, response: c.json({ error: { code: 'rate_limited', message, retryable: true } }, 429) }
}

function refuse(c: Context, message: string, error: string | null): Identified {
  const ascii = message.replaceAll('"', "'").replaceAll('…', '...')
  const why = error ? `, error="${error}", error_description="${ascii}"` : ''
  c.header('WWW-Authenticate', challenge(c, BASIC_SCOPES.join(' ')) + why)
  return { ok: false, response: c.json({ error: { code: 'unauthorized', message } }, 401) }
}

/** Where an app learns how to sign in, and what to ask for. */
function challenge<E extends { Bindings: Env }>(c: Context<E>, scope: string): string {
  const { origin } = readSettings(c.env)
  return `Bearer realm="workshop", resource_metadata="${origin}${RESOURCE_METADATA}", scope="${scope}"`
}
