import { scrubberOf } from '../connections/scrub.ts'
import { valuesOf } from '../connections/secrets.ts'
import type { Context } from '../context.ts'
import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { unknownTask } from './read.ts'
import { reportsOf } from './answer.ts'

interface ReportResult {
  task_id: string
  met: boolean
  note?: string
}

export const reportResult = defineOperation({
  name: 'report_result',
  title: 'Report how a run turned out',
  description: `Says whether a finished run did its job, as the person who asked for it says: ask them, do not guess. Others then find tools that worked first. Report again to correct it: the last report holds. Reports of own tools are kept but do not count.
Example: {"task_id": "task_01j…", "met": true}`,
  scope: 'write',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      task_id: { type: 'string', maxLength: 100, description: 'An ended run of this account' },
      met: { type: 'boolean', description: 'Whether the job was done' },
      note: {
        type: 'string',
        maxLength: 1_000,
        description: 'What the person said; seen by this account alone',
      },
    },
    required: ['task_id', 'met'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { task_id: { type: 'string' }, reports: { type: 'array' }, error: { type: 'object' } },
  },
  async run(ctx, { task_id, met, note = '' }: ReportResult) {
    const said = note.trim() === '' ? null : await scrubbed(ctx, note.toWellFormed())
    const task = await ctx.tasks.report(task_id, { met, note: said })
    if (!task) throw unknownTask()
    if (task.verdict)
      return { task_id: task.id, tool_id: task.toolId, version: task.version, reports: reportsOf(task) }
    throw new Problem('conflict', `This task is ${task.state}; only an ended one can be reported.`, {
      field: 'task_id',
      hint: 'Read it until it has ended.',
      nextCall: { tool: 'read_task', arguments: { task_id: task.id, wait_seconds: 25 } },
    })
  },
})

/** A note without the values of the account's connections. */
async function scrubbed(ctx: Context, note: string): Promise<string> {
  return scrubberOf(await valuesOf(ctx, ctx.caller.accountId)).text(note)
}
