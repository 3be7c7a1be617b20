import { OAuthError } from '@cloudflare/workers-oauth-provider'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { readSettings } from '../../env.ts'
import { BASIC_SCOPES, resourceOf, serveOauth } from './server.ts'

/** How AI apps get from a 401 to a token. Our origin is both the server that signs in and the one that is called. */
export const oauth = new Hono<{ Bindings: Env }>()

/** A race that the library did not foresee, lost outside its own answers. */
oauth.onError((error) => {
  if (!(error instanceof OAuthError)) throw error
  return Response.json(
    { error: error.code, error_description: error.description },
    { status: error.statusCode },
  )
})

const wellKnown = new Hono<{ Bindings: Env }>()
wellKnown.use(cors())

/** Where tokens for the MCP address come from (RFC 9728); apps look below its path and at the root. */
wellKnown.on('GET', ['/oauth-protected-resource/mcp', '/oauth-protected-resource'], (c) => {
  const { origin } = readSettings(c.env)
  return c.json({
    resource: resourceOf(origin),
    authorization_servers: [origin],
    scopes_supported: BASIC_SCOPES,
    bearer_methods_supported: ['header'],
    resource_name: 'Workshop',
  })
})
wellKnown.all('/oauth-authorization-server', serveOauth)

oauth.route('/.well-known', wellKnown)

oauth.post('/register', async (c, next) => {
  const address = c.req.header('cf-connecting-ip') ?? 'unknown'
  const { success } = await c.env.REGISTER_GUARD.limit({ key: address })
  if (success) return next()
  c.header('Retry-After', '60')
  const error_description = 'Too many apps registered from this address; try again in a minute.'
  return c.json({ error: 'temporarily_unavailable', error_description }, 429)
})
oauth.all('/register', serveOauth)
oauth.all('/token', async (c) => {
  const answer = await serveOauth(c)
  if (answer.status !== 400) return answer
  const told = await answer.clone().json<{ error?: string }>()
  if (told.error !== 'invalid_grant') return answer
  return Response.json({ ...told, error_description: NO_GRANT }, { status: 400, headers: answer.headers })
})

/** One sentence, whatever was wrong: whether somebody else has such a grant is told to nobody. */
const NO_GRANT =
  'The code or token is unknown, expired, used or revoked, or does not belong to what it was sent with'
