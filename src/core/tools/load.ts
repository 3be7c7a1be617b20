import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { findPublished, findVersion } from './store.ts'
import { parseToolRef, type ToolVersion } from './tool.ts'

/** The version that a text names, or the refusal: unknown and another account's private one read the same. */
export async function loadVersion({ db, caller }: Context, toolId: string): Promise<ToolVersion> {
  const ref = parseToolRef(toolId, caller.handle)
  const { maker = null } = ref ?? {}
  const version =
    ref && (await (maker === null ? findVersion(db, caller.accountId, ref) : findPublished(db, maker, ref)))
  if (version) return version
  throw new Problem('unknown_tool', 'This account can reach no tool of that id.', {
    field: 'tool_id',
    hint: 'Take the tool_id from find_tool_for_job, like "tool:count-words".',
  })
}

/** The same of the account's own tools alone: for what only a maker may do. */
export async function loadOwn({ db, caller }: Context, toolId: string): Promise<ToolVersion> {
  const ref = parseToolRef(toolId, caller.handle)
  const version = ref?.maker === null ? await findVersion(db, caller.accountId, ref) : undefined
  if (version) return version
  throw new Problem('unknown_tool', 'This account has no tool of that id.', {
    field: 'tool_id',
    hint: 'Take the tool_id that save_tool returned, like "tool:count-words".',
  })
}
