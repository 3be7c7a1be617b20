import { Hono } from 'hono'
import { composeContext } from '../../compose.ts'
import type { Context } from '../../core/context.ts'
import { identifyCaller } from '../callers.ts'
import { activity } from './activity.ts'
import { refusal } from './answer.ts'
import { limits } from './limits.ts'
import { connections } from './connections.ts'
import { prices } from './prices.ts'

/** What a program may do without MCP, with the same tokens. */
export const v1 = new Hono<{ Bindings: Env; Variables: { ctx: Context } }>()

v1.onError(refusal)

v1.use(async (c, next) => {
  const identified = await identifyCaller(c)
  if (!identified.ok) return identified.response
  c.set('ctx', composeContext(c.env, identified.caller))
  return next()
})

v1.route('/activity', activity)
v1.route('/limits', limits)
v1.route('/connections', connections)
v1.route('/prices', prices)
