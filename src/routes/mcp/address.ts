import {
  createMcpHandler,
  hostHeaderValidationResponse,
  originValidationResponse,
  type Server,
} from '@modelcontextprotocol/server'
import { Hono, type Context } from 'hono'
import { cors } from 'hono/cors'
import { LIMITS } from '../../core/limits.ts'
import { readSettings } from '../../env.ts'
import { takeTurns, type TakingTurns } from '../turns/take.ts'

type Ctx = Context<TakingTurns>

/** What a request may come to: a server of its own, or a refusal. */
export type Open = (c: Ctx) => Promise<(() => Server) | Response>

/** An MCP address: stateless, both protocol generations. */
export function mcpAddress(open: Open): Hono<TakingTurns> {
  const address = new Hono<TakingTurns>()
  address.use(allowBrowsers)
  address.use(takeTurns)
  address.all('/', async (c) => {
    const names = hostNames(readSettings(c.env).origin)
    const foreign =
      hostHeaderValidationResponse(c.req.raw, names) ?? originValidationResponse(c.req.raw, names)
    if (foreign) return foreign
    const opened = await open(c)
    if (opened instanceof Response) return opened
    if (c.req.method !== 'POST') {
      c.header('Allow', 'POST')
      return c.json({ error: { code: 'method_not_allowed', message: 'Send POST requests here.' } }, 405)
    }
    const handler = createMcpHandler(opened, {
      legacy: 'stateless',
      maxRequestBodySize: LIMITS.call,
      onerror: (error) => console.log(JSON.stringify({ event: 'mcp_error', error: String(error) })),
    })
    return handler.fetch(c.req.raw)
  })
  return address
}

const allowBrowsers = cors({
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
})

const LOOPBACK = ['localhost', '127.0.0.1', '[::1]']

/** The names that this deployment answers to; all names of loopback where it is on loopback. */
function hostNames(origin: string): string[] {
  const { hostname } = new URL(origin)
  return LOOPBACK.includes(hostname) ? LOOPBACK : [hostname]
}
