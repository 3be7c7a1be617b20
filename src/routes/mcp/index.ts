import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
} from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { cors } from 'hono/cors'
import { composeContext } from '../../compose.ts'
import { LIMITS } from '../../core/limits.ts'
import { readSettings } from '../../env.ts'
import { identifyCaller } from '../callers.ts'
import { createServer } from './server.ts'

/** The one MCP address: stateless, both protocol generations. */
export const mcp = new Hono<{ Bindings: Env }>()

mcp.use(
  cors({
    origin: '*',
    allowMethods: ['POST'],
    allowHeaders: [
      'authorization',
      'content-type',
      'mcp-protocol-version',
      'mcp-method',
      'mcp-name',
      'mcp-session-id',
    ],
    exposeHeaders: ['WWW-Authenticate'],
    maxAge: 86_400,
  }),
)

mcp.all('/', async (c) => {
  const names = hostNames(readSettings(c.env).origin)
  const foreign = hostHeaderValidationResponse(c.req.raw, names) ?? originValidationResponse(c.req.raw, names)
  if (foreign) return foreign
  const identified = await identifyCaller(c)
  if (!identified.ok) return identified.response
  if (c.req.method !== 'POST') {
    c.header('Allow', 'POST')
    return c.json({ error: { code: 'method_not_allowed', message: 'Send POST requests here.' } }, 405)
  }
  const ctx = composeContext(c.env, identified.caller)
  const handler = createMcpHandler(() => createServer(ctx), {
    legacy: 'stateless',
    maxRequestBodySize: LIMITS.call,
    onerror: (error) => ctx.log('mcp_error', { error: String(error) }),
  })
  return handler.fetch(c.req.raw)
})

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The names that this deployment answers to; all names of loopback where it is on loopback. */
function hostNames(origin: string): string[] {
  const { hostname } = new URL(origin)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}
