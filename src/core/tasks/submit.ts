import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { Problem } from '../problem.ts'
import { quotaProblem } from '../quotas/quota.ts'
import type { ToolVersion } from '../tools/tool.ts'
import type { Refused, Submission, Submitted, Unusable } from './port.ts'
import { DEEPEST_CHAIN } from './store.ts'
import type { SampleFor, Task, TaskSpec } from './task.ts'
import { sampleOf } from './work/settle.ts'

/** One run of a version's sample. */
export interface SampleOf {
  /** The id that the task gets if it is a new one. */
  id: string
  /** The account's, unique for what it is run for: one key runs one sample. */
  key: string
  job: string
  sampleFor?: SampleFor
}

/** The submission of a version's sample, which is its maker's own run. */
export function sampleSubmission(version: ToolVersion, accountId: string, sample: SampleOf): Submission {
  const input = sampleOf(version.descriptor)?.input
  if (!input) throw new Error(`${version.toolId} was stored without a sample`)
  const { id, key, job, sampleFor } = sample
  return {
    accountId,
    id,
    spec: specOf(version),
    scheduleId: null,
    requestKey: `\u0001${key}`,
    fingerprint: '',
    toolId: version.toolId,
    input,
    job,
    isSample: true,
    sampleFor,
    plan: null,
  }
}

/** The parts of a submission that the version decides. */
export function submissionOf(ctx: Context, version: ToolVersion) {
  return {
    accountId: ctx.caller.accountId,
    id: newId('task', ctx),
    spec: specOf(version),
    scheduleId: null,
  } satisfies Partial<Submission>
}

/** Two tools with the same bytes are still two. */
const specOf = ({ hash, id, toolId, version, descriptor, codeHash }: ToolVersion): TaskSpec => ({
  hash: `${id}:${hash}`,
  versionId: id,
  toolId,
  version,
  descriptor,
  codeHash,
})

/** The task of a submission, or the refusal: its key stands for another call, its input cannot be made, a limit. */
export function taskOf(submitted: Submitted | Refused, now: number): Task {
  if ('over' in submitted) throw quotaProblem(submitted.over, now)
  if ('unusable' in submitted) throw unusableProblem(submitted.unusable)
  const { task, isConflict } = submitted
  if (!isConflict) return task
  throw new Problem(
    'request_key_reused',
    `This request_key already started ${task.id}, with another tool, input or time.`,
    {
      field: 'request_key',
      hint: 'Use a new request_key for a new run, or read the earlier task.',
      nextCall: { tool: 'read_task', arguments: { task_id: task.id } },
    },
  )
}

function unusableProblem({ taskId, why, lastTaskId }: Unusable): Problem {
  const named = taskId.slice(0, 100)
  const read = { tool: 'read_task', arguments: { task_id: named } }
  const refuse = (message: string, details: { hint: string; nextCall?: typeof read }) =>
    new Problem('invalid_input', message, { field: 'input', ...details })
  switch (why) {
    case 'unknown':
      return refuse('from_task names a task that this account does not have.', {
        hint: 'Use the task_id that run_tool returned.',
      })
    case 'failed':
      return refuse(`from_task names ${named}, which failed and has no output.`, {
        hint: 'Read it to see why, and run it again.',
        nextCall: read,
      })
    case 'repeats':
      return refuse(
        `from_task names ${named}, which repeats; its newest task is ${lastTaskId ?? 'still to come'}.`,
        { hint: lastTaskId ? `Use from_task: "${lastTaskId}".` : 'Wait for its first run.', nextCall: read },
      )
    case 'too_deep':
      return refuse(`The chain of tasks that wait for each other is longer than ${DEEPEST_CHAIN}.`, {
        hint: `Wait until ${named} has ended, then run this one.`,
        nextCall: { tool: 'read_task', arguments: { task_id: named } },
      })
  }
}
