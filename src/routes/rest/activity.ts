import { Hono } from 'hono'
import { listActs } from '../../core/accounts/audit/list.ts'
import type { Context } from '../../core/context.ts'
import { needScope } from '../../core/operation.ts'
import { Problem } from '../../core/problem.ts'

/** What was done in the caller's account, newest first. */
export const activity = new Hono<{ Bindings: Env; Variables: { ctx: Context } }>()

activity.get('/', async (c) => {
  const ctx = c.get('ctx')
  needScope(ctx.caller, 'read', 'The activity')
  const { acts, nextCursor } = await listActs(ctx, {
    cursor: c.req.query('cursor'),
    limit: limitOf(c.req.query('limit')),
  })
  return c.json({
    acts: acts.map(({ at, ...act }) => ({ ...act, at: new Date(at).toISOString() })),
    ...(nextCursor !== undefined && { next_cursor: nextCursor }),
  })
})

function limitOf(text = '50'): number {
  const limit = Number(text)
  if (Number.isInteger(limit) && limit >= 1 && limit <= 100) return limit
  throw new Problem('invalid_request', 'limit must be a whole number from 1 to 100.', { field: 'limit' })
}
