import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { TASK_OUTPUT, taskAnswer, WAIT_SECONDS } from './answer.ts'

interface ReadTask {
  task_id: string
  wait_seconds?: number
  output_selector?: string
}

export const readTask = defineOperation({
  name: 'read_task',
  title: 'Read a tool run',
  description: `Reads a tool run by task_id: its state (working, scheduled, completed, failed or for_you_to_run), its checked output, where it ran, any error and the next call to make. Works from any app of the account.
Example: {"task_id": "task_01j…", "wait_seconds": 25}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      task_id: { type: 'string', minLength: 1, maxLength: 100, description: 'From run_tool' },
      wait_seconds: { ...WAIT_SECONDS, description: 'For its end (0)' },
      output_selector: {
        type: 'string',
        maxLength: 500,
        description: 'A part of the output, like "$.rows[0]"',
      },
    },
    required: ['task_id'],
    additionalProperties: false,
  },
  output: TASK_OUTPUT,
  async run(ctx, { task_id, wait_seconds = 0, output_selector }: ReadTask) {
    const task = await ctx.tasks.read(task_id, wait_seconds * 1_000)
    if (!task) throw unknownTask()
    return taskAnswer(ctx, task, output_selector)
  },
})

/** Unknown and another account's read the same. */
export const unknownTask = (): Problem =>
  new Problem('unknown_task', 'This account has no such task.', {
    field: 'task_id',
    hint: 'Use the task_id that run_tool returned; tasks are kept for 30 days after their end.',
  })
