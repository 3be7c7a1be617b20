import type { Context } from '../../context.ts'
import { Problem } from '../../problem.ts'
import { loadOwn } from '../load.ts'
import type { ToolVersion } from '../tool.ts'

/** An own tool, for what happens to all its versions together: an id that pins one of them is refused. */
export async function loadWhole(ctx: Context, toolId: string): Promise<ToolVersion> {
  const version = await loadOwn(ctx, toolId)
  if (!toolId.includes('@')) return version
  throw new Problem('invalid_request', 'tool_id names one version, but this is done to the whole tool.', {
    field: 'tool_id',
    hint: `Send ${version.toolId}.`,
  })
}
