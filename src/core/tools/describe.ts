import { connectionsOf } from '../connections/needs.ts'
import { shownPrice } from '../prices/price.ts'
import { defineOperation } from '../operation.ts'
import type { Context } from '../context.ts'
import { shownCode } from './described/code.ts'
import { findAround } from './described/store.ts'
import { loadVersion } from './load.ts'
import type { ToolVersion } from './tool.ts'

export const describeTool = defineOperation({
  name: 'describe_tool',
  title: "Read a tool's descriptor",
  description: `Reads one tool's whole descriptor (job, schemas, invoke, placements, licence_class, verify), its version, hash and earlier versions, how earlier runs went, and the text of its files, of a published tool too. Use it to learn how working tools are written before save_tool, or to change one. It does not run the tool.
Example: {"tool_id": "tool:count-words"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      tool_id: {
        type: 'string',
        maxLength: 200,
        description: 'tool:count-words; @3 at its end names version 3',
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
      descriptor: { type: 'object' },
      files: { type: 'array' },
      error: { type: 'object' },
    },
  },
  async run(ctx, { tool_id }: { tool_id: string }) {
    const version = await loadVersion(ctx, tool_id)
    const [around, [needs], files] = await Promise.all([
      findAround(ctx.db, version),
      connectionsOf(ctx, [version.descriptor]),
      version.codeHash === null ? [] : shownCode(ctx.bytes, version.codeHash),
    ])
    const { versions, record, price } = around
    const check = version.isOwn ? await lastCheck(ctx, version, around.check) : null
    return {
      tool_id: version.toolId,
      version: version.version,
      hash: version.hash,
      descriptor: version.descriptor,
      needs_connections: needs,
      files,
      made_by: version.maker,
      ...shownPrice(price, ctx.origin),
      sample: { state: version.sampleState, ...(version.isOwn && { task_id: version.sampleTaskId }) },
      saved_at: timeOf(version.createdAt),
      published_at: timeOf(version.publishedAt),
      ...(version.failingSince !== null && { failing_since: timeOf(version.failingSince) }),
      ...(check && { daily_check: check }),
      ...(version.similarTo && { similar_names: version.similarTo }),
      earlier_runs: record,
      versions: versions.map(({ savedAt, publishedAt, isPublished, ...row }) => ({
        ...row,
        saved_at: timeOf(savedAt),
        published_at: timeOf(publishedAt),
        ...(isPublished && { is_published: true }),
      })),
    }
  },
})

type Around = Awaited<ReturnType<typeof findAround>>

/** How the newest daily run of the sample went that was counted, for the maker to see why it fails. */
async function lastCheck(ctx: Context, { id }: ToolVersion, check: Around['check']) {
  if (!check || check.publishedVersionId !== id) return null
  const { taskId, failures, failedSince, nextAt } = check
  const task = taskId === null || failures === 0 ? null : await ctx.tasks.read(taskId, 0)
  return {
    failed_in_a_row: failures,
    failed_since: timeOf(failedSince),
    next_at: timeOf(nextAt),
    task_id: taskId,
    ...(task?.verdict && { error: task.verdict.error, checks: task.verdict.contract.checks }),
  }
}

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())
