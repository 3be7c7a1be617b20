import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import { defineOperation } from '../../operation.ts'
import { Problem } from '../../problem.ts'
import { sampleSubmission, taskOf } from '../../tasks/submit.ts'
import { priceNamed, withPrice } from '../../prices/put-on.ts'
import { hasPassed, type Task } from '../../tasks/task.ts'
import { loadOwn } from '../load.ts'
import { sampleAnswer, SAMPLE_WAIT_MS } from '../sample.ts'
import type { ToolVersion } from '../tool.ts'
import { mayPublish } from './check.ts'
import { settlePublishing } from './settle.ts'
import { beginPublishing, findPublication } from './store.ts'

interface PublishTool {
  tool_id: string
  version?: number
  price_ref?: string
}

export const publishTool = defineOperation({
  name: 'publish_tool',
  title: 'Publish a tool',
  description: `Shares one version of an own tool with every account: all can then find and run exactly that version, with their own connections, files and quota, and read its code. Runs the tool's sample first, where it will run for others; nothing is published unless it passes. Takes longer than 40 s: state "working" and a task_id; it is published when that run passes. Later saves change nothing for others until the next publish_tool.
Example: {"tool_id": "tool:count-words"}`,
  scope: 'publish',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: true },
  input: {
    type: 'object',
    properties: {
      tool_id: { type: 'string', maxLength: 200, description: 'An own tool' },
      version: { type: 'integer', minimum: 1, description: 'Its number (the newest)' },
      price_ref: {
        type: 'string',
        maxLength: 200,
        description: 'Own price:<handle>/<slug> (as before, else free)',
      },
    },
    required: ['tool_id'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      tool_id: { type: 'string' },
      version: { type: 'integer' },
      hash: { type: 'string' },
      state: { type: 'string' },
      runs_on: { type: 'array' },
      error: { type: 'object' },
    },
  },
  async run(ctx, call: PublishTool) {
    const version = await loadOwn(ctx, pinned(call))
    const price = await priceNamed(ctx, call.price_ref)
    const similar = await mayPublish(ctx, version, price)
    const { task, isPublished } = await withPrice(ctx, { version, price }, async () => {
      const task = await runSample(ctx, version)
      return { task, isPublished: await settle(ctx, version, task) }
    })
    return {
      tool_id: publicId(version),
      version: version.version,
      hash: version.hash,
      state: isPublished ? 'published' : 'working',
      runs_on: version.descriptor.placements,
      ...(similar.length > 0 && { similar_names: similar }),
      sample_check: sampleAnswer(task),
      next_call: isPublished
        ? { tool: 'describe_tool', arguments: { tool_id: publicId(version) } }
        : { tool: 'read_task', arguments: { task_id: task.id, wait_seconds: 25 } },
    }
  },
  audit: {
    act: 'tool_published',
    subject: (_, { tool_id, version }) => `${tool_id}@${version}`,
  },
})

const publicId = ({ maker, toolId }: ToolVersion): string => `tool:${maker}/${toolId.replace(/^tool:/, '')}`

/** The tool's id with the version that was asked for, which must not be asked for twice. */
function pinned({ tool_id, version }: PublishTool): string {
  if (version === undefined) return tool_id
  const [id = tool_id, pin] = tool_id.split('@', 2)
  if (pin === undefined || pin === String(version)) return `${id}@${version}`
  throw new Problem(
    'invalid_request',
    `tool_id names version ${pin.slice(0, 64)}, version says ${version}.`,
    {
      field: 'version',
      hint: 'Name the version once.',
    },
  )
}

/**
 * The run that publishes the version if it passes: the one at work already, or a new one in the place of any earlier.
 * From then on it is the run that publishes, not this call, which may be cut off.
 */
async function runSample(ctx: Context, version: ToolVersion): Promise<Task> {
  for (;;) {
    const { publishingTaskId: seen } = await findPublication(ctx.db, version.toolRow)
    const earlier = seen === null ? null : await ctx.tasks.read(seen, 0)
    const isSame = earlier?.verdict === null && earlier.version === version.version
    const task = isSame ? earlier : await begin(ctx, version, seen)
    if (task) return (await ctx.tasks.read(task.id, SAMPLE_WAIT_MS)) ?? task
  }
}

/** Null when another call was quicker. */
async function begin(ctx: Context, version: ToolVersion, seen: string | null): Promise<Task | null> {
  const id = newId('task', ctx)
  // Named before it runs: its end must find who it publishes for.
  if (!(await beginPublishing(ctx.db, version, { taskId: id, seen }))) return null
  const job = `sample run before publishing version ${version.version}`
  const sample = { id, key: `publish:${id}`, job, sampleFor: 'publish' as const }
  const submission = sampleSubmission(version, ctx.caller.accountId, sample)
  return taskOf(await ctx.tasks.submit(submission, 0), ctx.now())
}

/** True once the version is published, false while its sample runs; throws when nothing will be published. */
async function settle(ctx: Context, version: ToolVersion, task: Task): Promise<boolean> {
  if (!task.verdict) return false
  // The task object does the same, but maybe after this answer, and a search may follow at once.
  await settlePublishing(ctx, task, version)
  if (!hasPassed(task)) {
    throw new Problem(
      'sample_failed',
      `Nothing was published: the sample of ${version.toolId} did not pass.`,
      {
        field: 'tool_id',
        hint: 'Read the task to see why, correct the tool, save it again and publish that version.',
        nextCall: { tool: 'read_task', arguments: { task_id: task.id } },
      },
    )
  }
  const { publishedVersionId } = await findPublication(ctx.db, version.toolRow)
  if (publishedVersionId === version.id) return true
  throw new Problem(
    'conflict',
    'Nothing was published: the tool was withdrawn or published anew meanwhile.',
    {
      hint: 'Send publish_tool again if it should be published.',
    },
  )
}
