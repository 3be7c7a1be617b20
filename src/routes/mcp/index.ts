import { composeContext } from '../../compose.ts'
import { askForScope, identifyCaller } from '../callers.ts'
import { passingOn } from '../turns/take.ts'
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
  const turn = c.get('turn')
  // Signing in is half of what most calls need: whoever came meanwhile need not wait for the other half.
  await turn.yield()
  const ctx = composeContext(c.env, caller)
  const catalogue = operationsFor({ ...ctx, tasks: passingOn(ctx.tasks, turn) })
  return () => createServer({ ...catalogue, call: (...asked) => catalogue.call(...asked).finally(turn.pass) })
})
