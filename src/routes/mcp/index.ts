import { composeContext } from '../../compose.ts'
import { askForScope, identifyCaller } from '../callers.ts'
import { mcpAddress } from './address.ts'
import { operationsFor } from './catalogue.ts'
import { scopeLacking } from './scopes.ts'
import { createServer } from './server.ts'

/** The one MCP address: the operations, for whoever signs in. */
export const mcp = mcpAddress(async (c) => {
  const identified = await identifyCaller(c)
  if (!identified.ok) return identified.response
  const { caller } = identified
  const lacking = await scopeLacking(c.req.raw, caller)
  if (lacking) return askForScope(c, caller, lacking)
  return () => createServer(operationsFor(composeContext(c.env, caller)))
})
