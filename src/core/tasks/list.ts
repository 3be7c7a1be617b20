import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { taskSummary } from './answer.ts'
import { TASK_STATES, type TaskState } from './task.ts'

interface ListTasks {
  state?: TaskState
  tool_id?: string
  since?: string
  cursor?: string
  limit?: number
}

export const listTasks = defineOperation({
  name: 'list_tasks',
  title: 'List tool runs',
  description: `Lists this account's tool runs and schedules, newest first, without their outputs (read_task has them). next_cursor, when there is one, gives the next page.
Example: {"state": "scheduled"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      state: { type: 'string', enum: [...TASK_STATES], description: 'Only these' },
      tool_id: { type: 'string', description: 'As it was written for run_tool' },
      since: { type: 'string', description: 'Made at this time or later, like 2026-12-01T00:00:00Z' },
      cursor: { type: 'string', description: 'next_cursor of the page before' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most tasks (20)' },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { tasks: { type: 'array' }, next_cursor: { type: 'string' }, error: { type: 'object' } },
  },
  async run(ctx, { state, tool_id, since, cursor, limit = 20 }: ListTasks) {
    const tasks = await ctx.tasks.list({
      state,
      toolId: tool_id,
      since: since === undefined ? undefined : readTime(since),
      before: cursor,
      limit: limit + 1,
    })
    const shown = tasks.slice(0, limit)
    const last = tasks.length > limit ? shown.at(-1)?.id : undefined
    return { tasks: shown.map(taskSummary), ...(last !== undefined && { next_cursor: last }) }
  },
})

function readTime(text: string): number {
  const at = Date.parse(text)
  if (/^\d{4}-\d\d-\d\d/.test(text) && !Number.isNaN(at)) return at
  throw new Problem('invalid_request', 'since is not a time.', {
    field: 'since',
    hint: 'Write it like 2026-12-01T00:00:00Z.',
  })
}
