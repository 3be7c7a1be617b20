import { defineOperation } from '../../operation.ts'
import { Problem } from '../../problem.ts'
import { deleteUnpublished } from './store.ts'
import { loadWhole } from './whole.ts'

export const deleteTool = defineOperation({
  name: 'delete_tool',
  title: 'Delete a tool',
  description: `Deletes an own tool with all its versions; a published one must be withdrawn with unpublish_tool first. Its tasks stay readable, its schedules end. The id can be saved again; version numbers go on.
Example: {"tool_id": "tool:count-words"}`,
  scope: 'write',
  hints: { readOnly: false, destructive: true, idempotent: false, openWorld: false },
  input: {
    type: 'object',
    properties: { tool_id: { type: 'string', maxLength: 200, description: 'An own tool' } },
    required: ['tool_id'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { tool_id: { type: 'string' }, state: { type: 'string' }, error: { type: 'object' } },
  },
  async run(ctx, { tool_id }: { tool_id: string }) {
    const { toolId, toolRow } = await loadWhole(ctx, tool_id)
    if (await deleteUnpublished(ctx.db, toolRow, ctx.now())) return { tool_id: toolId, state: 'deleted' }
    throw new Problem('conflict', `${toolId} is published, so it was not deleted.`, {
      field: 'tool_id',
      hint: 'Withdraw it first; accounts that use it lose it then.',
      nextCall: { tool: 'unpublish_tool', arguments: { tool_id: toolId } },
    })
  },
  audit: { act: 'tool_deleted', subject: (_, { tool_id }) => tool_id },
})
