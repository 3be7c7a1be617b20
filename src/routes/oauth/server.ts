import {
  OAuthAuthorizationServer,
  type AuthRequest,
  type OAuthHelpers,
} from '@cloudflare/workers-oauth-provider'
import type { Context } from 'hono'
import { SCOPES, type Caller } from '../../core/caller.ts'
import { openDb } from '../../db/client.ts'
import { readSettings } from '../../env.ts'
import { Entries } from './entries.ts'
import { noteUse, readAccessToken } from './store.ts'

const DAY_S = 86_400
const HOUR_MS = 3_600_000

/** What the main job needs: apps ask for it first. Publishing is asked for when it comes to that. */
export const BASIC_SCOPES = ['read', 'write'] as const

/** Where this is told to apps (RFC 9728). */
export const RESOURCE_METADATA = '/.well-known/oauth-protected-resource/mcp'

/** What the library passes through to our entries. */
interface Kept {
  OAUTH_KV: Pick<Entries, 'get'>
}

/** How a connected app is called: by itself, and by the domain that vouches for it, if one does. */
export interface ConnectedApp {
  app: string
  domain: string | null
}

/** The one address that tokens are for. */
export const resourceOf = (origin: string): string => `${origin}/mcp`

let made: { origin: string; server: OAuthAuthorizationServer<Kept> } | undefined

/** The authorization server of this deployment: its settings never change while the Worker lives. */
function serverOf(origin: string): OAuthAuthorizationServer<Kept> {
  if (made?.origin === origin) return made.server
  const server = new OAuthAuthorizationServer<Kept>({
    issuer: origin,
    resources: [resourceOf(origin)],
    scopesSupported: [...SCOPES, 'offline_access'],
    authorizeEndpoint: '/authorize',
    tokenEndpoint: '/token',
    clientRegistrationEndpoint: '/register',
    clientIdMetadataDocumentEnabled: true,
    accessTokenTTL: DAY_S,
    refreshTokenTTL: 90 * DAY_S,
    refreshTokenIdleTTL: 90 * DAY_S,
    clientRegistrationTTL: 90 * DAY_S,
    onError: ({ code, internal }) => {
      console.log(JSON.stringify({ event: 'oauth_refused', code, reason: internal.reason }))
    },
  })
  made = { origin, server }
  return server
}

/** Discovery, tokens, revocation and registration: everything but the page where a person decides. */
export function serveOauth({ req, env, executionCtx }: Context<{ Bindings: Env }>): Promise<Response> {
  // Hono's type of the execution context lags behind the platform's.
  const ctx = executionCtx as ExecutionContext
  return serverOf(readSettings(env).origin).fetch(req.raw, keptIn(env), ctx)
}

/** What the consent page and the page of connected apps need. */
export function oauthApi(env: Env): OAuthHelpers {
  return serverOf(readSettings(env).origin).getOAuthApi(keptIn(env))
}

/** Connects an app to an account, as its person allowed. `redirectTo`: where the browser takes the code. */
export async function connectApp(env: Env, accountId: string, request: AuthRequest) {
  const api = oauthApi(env)
  const { clientName, clientDomain } = await api.describeConsent(request)
  const app: ConnectedApp = { app: readableName(clientName), domain: clientDomain ?? null }
  const { scope } = request
  const grant = { request, userId: accountId, scope, metadata: app, props: app }
  const { redirectTo } = await api.completeAuthorization(grant)
  return { redirectTo, app: app.app }
}

const NAME_CHARS = 80

/** An app names itself: nothing invisible, nothing that turns the text around, not a page of it. */
export const readableName = (name: string): string =>
  name
    .replaceAll(/[\p{C}\p{Zl}\p{Zp}]/gu, '')
    .slice(0, NAME_CHARS)
    .toWellFormed()
    .trim() || 'An app'

const keptIn = (env: Env): Kept => ({ OAUTH_KV: new Entries(openDb(env.DB), Date.now) })

/** Who an access token stands for; null when it is malformed, unknown, expired, revoked or for another server. */
export async function identifyApp(env: Env, text: string, now: number): Promise<Caller | null> {
  const [accountId = '', grantId = '', secret] = text.split(':')
  if (!secret) return null
  const { origin } = readSettings(env)
  const db = openDb(env.DB)
  let row: Awaited<ReturnType<typeof readAccessToken>>
  let tokenKey = ''
  const OAUTH_KV = {
    async get(key: string) {
      tokenKey = key
      row = await readAccessToken(db, { key, accountId, now })
      return row ? JSON.parse(row.value) : null
    },
  }
  const found = await serverOf(origin).validateToken<ConnectedApp>(resourceOf(origin), text, { OAUTH_KV })
  if (!found || !row) return null
  const staleAt = now - HOUR_MS
  if (row.usedAt === null || row.usedAt < staleAt) {
    await noteUse(db, [tokenKey, `grant:${accountId}:${grantId}`], { now, staleAt })
  }
  const scopes = new Set(SCOPES.filter((scope) => found.scope.includes(scope)))
  const via = { kind: 'app', id: grantId, name: found.props.app } as const
  return { accountId, handle: row.handle, scopes, via }
}
