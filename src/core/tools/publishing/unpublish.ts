import { defineOperation } from '../../operation.ts'
import { setToolPrice } from '../../prices/store.ts'
import { loadWhole } from './whole.ts'
import { withdraw } from './store.ts'

export const unpublishTool = defineOperation({
  name: 'unpublish_tool',
  title: 'Withdraw a published tool',
  description: `Withdraws an own published tool: from then on no other account finds or runs it, and their schedules of it end; runs at work finish. It stays saved for this account and can be published again.
Example: {"tool_id": "tool:count-words"}`,
  scope: 'publish',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
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
    const isChanged = await withdraw(ctx.db, toolRow)
    await setToolPrice(ctx.db, toolRow, null)
    return { tool_id: toolId, state: 'private', ...(!isChanged && { is_unchanged: true }) }
  },
  audit: {
    act: 'tool_unpublished',
    subject: (_, { tool_id, is_unchanged }) => (is_unchanged ? null : tool_id),
  },
})
