import { canonicalJson } from '../canonical-json.ts'
import type { Context } from '../context.ts'
import { newId, sha256Hex } from '../ids.ts'
import { Problem } from '../problem.ts'
import type { ToolVersion } from '../tools/tool.ts'
import type { Submission, Submitted } from './port.ts'
import type { Task } from './task.ts'

/** What makes two calls under one request key the same call. */
export const fingerprintOf = (toolId: string, input: Record<string, unknown>): Promise<string> =>
  sha256Hex(canonicalJson({ toolId, input }))

/** Begins the sample of a version as a task, or finds the one begun. */
export async function submitSample(ctx: Context, version: ToolVersion, input: Record<string, unknown>) {
  const { task } = await ctx.tasks.submit({
    ...submissionOf(ctx, version),
    requestKey: `\u0001sample:${version.id}`,
    fingerprint: '',
    toolId: version.toolId,
    input,
    job: 'sample run of a save',
    isSample: true,
  })
  return task
}

/** The parts of a submission that the version decides. */
export function submissionOf(
  ctx: Context,
  version: ToolVersion,
): Pick<Submission, 'accountId' | 'id' | 'spec'> {
  const { hash, toolId, descriptor, codeHash } = version
  return {
    accountId: ctx.caller.accountId,
    id: newId('task', ctx),
    spec: { hash, versionId: version.id, toolId, version: version.version, descriptor, codeHash },
  }
}

/** The task of a key, or the refusal when the key stands for another call. */
export function taskOfKey({ task, isConflict }: Submitted): Task {
  if (!isConflict) return task
  throw new Problem(
    'request_key_reused',
    `This request_key already started ${task.id}, with another tool or input.`,
    {
      field: 'request_key',
      hint: 'Use a new request_key for a new run, or read the earlier task.',
      nextCall: { tool: 'read_task', arguments: { task_id: task.id } },
    },
  )
}
