import type { Context } from '../context.ts'
import { fileStanding } from '../files/name.ts'
import { toolStanding } from '../tools/room.ts'
import type { Standing } from './quota.ts'

/** How the caller's account stands to every limit. */
export async function listStandings(ctx: Context): Promise<Standing[]> {
  const [ofTasks, tools, files] = await Promise.all([
    ctx.tasks.standings(),
    toolStanding(ctx),
    fileStanding(ctx, ctx.caller.accountId),
  ])
  return [...ofTasks, tools, files]
}
