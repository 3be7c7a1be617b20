import type { Context } from 'hono'
import { identify } from '../core/accounts/identify.ts'
import type { Caller } from '../core/caller.ts'
import { openDb } from '../db/client.ts'

/** What a request without a good token is told, and why. */
export type Identified = { ok: true; caller: Caller } | { ok: false; response: Response }

/** From a request to who makes it: the only sign-in check. Tokens count in the `Authorization` header alone. */
export async function identifyCaller<E extends { Bindings: Env }>(c: Context<E>): Promise<Identified> {
  const header = c.req.header('authorization')
  if (header === undefined) return refuse(c, 'Send a token: Authorization: Bearer wks_pat_…', null)
  const [, token] = /^Bearer ([^\s]+)$/i.exec(header) ?? []
  if (token === undefined)
    return refuse(c, 'The Authorization header must be "Bearer <token>".', 'invalid_request')
  const caller = await identify(openDb(c.env.DB), token, Date.now())
  return caller
    ? { ok: true, caller }
    : refuse(c, 'The token is unknown, malformed or expired. Use a current one.', 'invalid_token')
}

function refuse(c: Context, message: string, error: string | null): Identified {
  const challenge = error ? `, error="${error}", error_description="${message.replaceAll('"', "'")}"` : ''
  c.header('WWW-Authenticate', `Bearer realm="workshop"${challenge}`)
  return { ok: false, response: c.json({ error: { code: 'unauthorized', message } }, 401) }
}
