import { env, exports } from 'cloudflare:workers'
import { source } from '../../src/compose.ts'
import { createAccount } from '../../src/core/accounts/create.ts'
import { openDb } from '../../src/db/client.ts'
import { connectApp, oauthApi } from '../../src/routes/oauth/server.ts'

export const ORIGIN = 'http://localhost:8787'
const REDIRECT = 'https://app.example/callback'
const VERIFIER = 'v'.repeat(43)

export const send = (path: string, init: RequestInit = {}): Promise<Response> =>
  exports.default.fetch(new Request(new URL(path, ORIGIN), { redirect: 'manual', ...init }))

/** Registers from an address of its own, unless one is given: registrations are counted by address. */
export function register(metadata: Record<string, unknown>, address: string = crypto.randomUUID()) {
  return send('/register', {
    method: 'POST',
    headers: { 'content-type': 'application/json', 'cf-connecting-ip': address },
    body: JSON.stringify({
      client_name: 'Test app',
      redirect_uris: [REDIRECT],
      token_endpoint_auth_method: 'none',
      ...metadata,
    }),
  })
}

export async function registeredId(metadata: Record<string, unknown> = {}): Promise<string> {
  return (await (await register(metadata)).json<{ client_id: string }>()).client_id
}

export async function challengeOf(verifier: string): Promise<string> {
  const hash = await crypto.subtle.digest('SHA-256', new TextEncoder().encode(verifier))
  return btoa(String.fromCharCode(...new Uint8Array(hash)))
    .replaceAll('+', '-')
    .replaceAll('/', '_')
    .replaceAll('=', '')
}

export interface Asked {
  client_id: string
  [parameter: string]: string
}

/** The address that an app sends its person to. */
export async function authorizeUrl(asked: Asked): Promise<string> {
  const query = new URLSearchParams({
    response_type: 'code',
    redirect_uri: REDIRECT,
    scope: 'read write offline_access',
    state: 'state-1',
    code_challenge: await challengeOf(VERIFIER),
    code_challenge_method: 'S256',
    resource: `${ORIGIN}/mcp`,
    ...asked,
  })
  return `${ORIGIN}/authorize?${query.toString()}`
}

/** A code for an app, as the consent page gives it out. */
export async function codeFor(accountId: string, asked: Asked): Promise<string> {
  const request = await oauthApi(env).parseAuthRequest(new Request(await authorizeUrl(asked)))
  const { redirectTo } = await connectApp(env, accountId, request)
  return new URL(redirectTo).searchParams.get('code') ?? ''
}

export const askToken = (form: Record<string, string>): Promise<Response> =>
  send('/token', { method: 'POST', body: new URLSearchParams(form) })

export const redeem = (client_id: string, code: string, more: Record<string, string> = {}) =>
  askToken({
    grant_type: 'authorization_code',
    client_id,
    code,
    redirect_uri: REDIRECT,
    code_verifier: VERIFIER,
    ...more,
  })

export const refresh = (client_id: string, refresh_token: string) =>
  askToken({ grant_type: 'refresh_token', client_id, refresh_token })

export interface Tokens {
  access_token: string
  refresh_token: string
  scope: string
  resource: string
  expires_in: number
}

/** An account, an app of it and its tokens. */
export async function connect({ scope, ...metadata }: { scope?: string; client_name?: string } = {}) {
  const accountId = await newAccount()
  const clientId = await registeredId(metadata)
  const code = await codeFor(accountId, { client_id: clientId, ...(scope !== undefined && { scope }) })
  const tokens = await (await redeem(clientId, code)).json<Tokens>()
  return { accountId, clientId, code, tokens }
}

let made = 0

export async function newAccount(): Promise<string> {
  made += 1
  const handle = `oauth-${made}`
  await createAccount(openDb(env.DB), source, handle)
  const id = await env.DB.prepare('select id from account where handle = ?').bind(handle).first<string>('id')
  return id ?? ''
}

/** A call of the MCP address, in the words of the protocol before the current one. */
export function callMcp(token: string | null, body: unknown, path = '/mcp'): Promise<Response> {
  const text = JSON.stringify(body)
  return send(path, {
    method: 'POST',
    headers: {
      ...(token !== null && { authorization: `Bearer ${token}` }),
      'content-type': 'application/json',
      'content-length': String(text.length),
      accept: 'application/json, text/event-stream',
      host: 'localhost:8787',
    },
    body: text,
  })
}

export const LIST = { jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} }

export const callTool = (name: string, args: unknown = {}) => ({
  jsonrpc: '2.0',
  id: 1,
  method: 'tools/call',
  params: { name, arguments: args },
})

/** Whether a token opens the MCP address now: the status of a call with it. */
export const statusWith = async (token: string): Promise<number> => (await callMcp(token, LIST)).status
