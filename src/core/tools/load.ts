import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { findVersion } from './store.ts'
import { parseToolRef, type ToolVersion } from './tool.ts'

/** The version that a text names, or the refusal: unknown and another account's read the same. */
export async function loadVersion({ db, caller }: Context, toolId: string): Promise<ToolVersion> {
  const ref = parseToolRef(toolId, caller.handle)
  const version = ref && (await findVersion(db, caller.accountId, ref))
  if (version) return version
  throw new Problem('unknown_tool', 'This account can reach no tool of that id.', {
    field: 'tool_id',
    hint: 'Take the tool_id from find_tool_for_job, like "tool:count-words".',
  })
}
