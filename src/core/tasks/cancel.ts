import { defineOperation } from '../operation.ts'
import { taskAnswer, TASK_OUTPUT } from './answer.ts'
import { unknownTask } from './read.ts'

export const cancelTask = defineOperation({
  name: 'cancel_task',
  title: 'Cancel a tool run',
  description: `Cancels a tool run: stops a working one with everything it started, or ends a schedule (a slot that already runs goes on). An ended run stays as it is.
Example: {"task_id": "task_01j…"}`,
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: { task_id: { type: 'string', description: 'From run_tool or list_tasks' } },
    required: ['task_id'],
    additionalProperties: false,
  },
  output: TASK_OUTPUT,
  async run(ctx, { task_id }: { task_id: string }) {
    const task = await ctx.tasks.cancel(task_id)
    if (!task) throw unknownTask()
    return taskAnswer(ctx, task)
  },
})
