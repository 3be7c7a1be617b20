import { Hono } from 'hono'
import type { Context } from '../../core/context.ts'
import { needScope } from '../../core/operation.ts'
import { listStandings } from '../../core/quotas/list.ts'
import { standingAnswer } from '../../core/quotas/quota.ts'

/** What the caller's account may have and do, and what is left of it. */
export const limits = new Hono<{ Bindings: Env; Variables: { ctx: Context } }>()

limits.get('/', async (c) => {
  const ctx = c.get('ctx')
  needScope(ctx.caller, 'read', 'The list of limits')
  return c.json({ limits: (await listStandings(ctx)).map(standingAnswer) })
})
