import type { Context } from '../context.ts'
import { isOver, quotaProblem, standingOf, type Standing } from '../quotas/quota.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import { countTools } from './store.ts'

/** How the caller's account stands to the number of tools that it may have. */
export async function toolStanding({ db, caller, quotas }: Context): Promise<Standing> {
  return standingOf(quotas, 'tools', { used: await countTools(db, caller.accountId) })
}

/**
 * Refuses a save or publish at once that would go past a limit: by one tool too many, or by its sample's run. The last word on
 * tools is spoken when the version is stored.
 */
export async function checkRoom(
  ctx: Context,
  { descriptor, isNew }: { descriptor: Descriptor; isNew: boolean },
): Promise<void> {
  const tools = isNew ? await toolStanding(ctx) : null
  const over = tools && isOver(tools) ? tools : await ctx.tasks.over(descriptor.placements[0])
  if (over) throw quotaProblem(over, ctx.now())
}
