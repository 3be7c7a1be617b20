import type { Context } from '../context.ts'
import { LIMITS } from '../limits.ts'
import type { ObjectSchema } from '../operation.ts'
import { Problem } from '../problem.ts'
import { selectResult } from './files/select.ts'
import type { Task, Verdict } from './task.ts'

/** Longest input, in characters of JSON, that an answer repeats. */
const INPUT_CHARS = 2_000

/** The announced shape of a task: open, nothing required. */
export const TASK_OUTPUT: ObjectSchema = {
  type: 'object',
  properties: {
    task_id: { type: 'string' },
    state: { type: 'string' },
    output: {},
    files: { type: 'object' },
    contract: { type: 'object' },
    error: { type: 'object' },
  },
}

export const WAIT_SECONDS = { type: 'integer', minimum: 0, maximum: 50 }

const iso = (at: number | null): string | undefined => (at === null ? undefined : new Date(at).toISOString())

/** A task as lists show it: without what it took and returned. Absent parts are left out. */
export function taskSummary(task: Task): Record<string, unknown> {
  const { verdict, schedule } = task
  return withoutUndefined({
    task_id: task.id,
    state: task.state,
    phase: task.phase ?? undefined,
    tool_id: task.toolId,
    version: task.version,
    job: task.job ?? undefined,
    schedule_id: task.scheduleId ?? undefined,
    next_run_at: task.state === 'scheduled' ? iso(task.wakeAt) : undefined,
    last_task_id: schedule?.lastTaskId ?? undefined,
    missed: schedule?.missed,
    contract: verdict?.state === 'completed' ? verdict.contract : undefined,
    error: verdict?.error ?? undefined,
    end_reason: verdict?.endReason,
    created_at: iso(task.createdAt),
    started_at: iso(task.startedAt),
    ended_at: iso(task.endedAt),
  })
}

/** A task as callers read it. With `selector` the output is only that part of it. */
export async function taskAnswer(
  ctx: Pick<Context, 'outputs'>,
  task: Task,
  selector?: string,
): Promise<Record<string, unknown>> {
  const { verdict } = task
  const input = JSON.stringify(task.input).length <= INPUT_CHARS ? task.input : undefined
  return withoutUndefined({
    ...taskSummary(task),
    input,
    ...(verdict && (await outputParts(ctx, verdict, selector))),
    files: verdict?.files,
    usage: verdict?.usage,
    exit_code: verdict?.exitCode ?? undefined,
    stdout: verdict?.stdout ?? undefined,
    stderr: verdict?.stderr ?? undefined,
    ran_on: task.placement ?? 'placement:deployed-container',
    reports: reportsOf(task),
    next_call: nextCall(task),
  })
}

/** What was said of a task: nothing, or the last report. */
export const reportsOf = ({ report }: Task): Record<string, unknown>[] =>
  report ? [withoutUndefined({ ...report, note: report.note ?? undefined, at: iso(report.at) })] : []

/** The output or the part asked for; one that is too long for an answer as a preview that says how to read on. */
async function outputParts(
  { outputs }: Pick<Context, 'outputs'>,
  verdict: Verdict,
  selector: string | undefined,
): Promise<Record<string, unknown>> {
  const { outputFile } = verdict
  if (selector === undefined) {
    if (!outputFile) return 'output' in verdict ? { output: verdict.output } : {}
    const { identity, size, preview } = outputFile
    return { output_file: { identity, size }, output_preview: preview, hint: readOn(size) }
  }
  if (!outputFile && !('output' in verdict)) return {}
  const kept = outputFile ? await outputs.load(outputFile) : { output: verdict.output }
  if (!kept) {
    throw new Problem('not_found', 'The output of this task is gone.', {
      field: 'task_id',
      hint: 'Run the tool again with a new request_key.',
    })
  }
  const part = selectPart(selector, kept.output, verdict.files)
  const text = JSON.stringify(part)
  if (text.length <= LIMITS.outputChars) return { output: part }
  return { output_preview: text.slice(0, LIMITS.previewChars).toWellFormed(), hint: readOn(text.length) }
}

const readOn = (size: number): string =>
  `This is the beginning of ${size} characters of JSON; read a part with read_task and output_selector, like "$.items[0]".`

function selectPart(selector: string, output: unknown, files: Verdict['files']): unknown {
  const selected = selectResult(selector, output, files)
  if (selected.found) return selected.value
  throw new Problem('invalid_request', `output_selector ${selector}: ${selected.message}.`, {
    field: 'output_selector',
    hint: 'Read the task without output_selector to see its output.',
  })
}

/** A task that has not ended is read again, when waiting helps; an ended one asks for nothing. */
function nextCall({ id, state, schedule }: Task): Record<string, unknown> | undefined {
  if (state === 'working') return { tool: 'read_task', arguments: { task_id: id, wait_seconds: 25 } }
  if (state !== 'scheduled') return undefined
  return { tool: 'read_task', arguments: { task_id: schedule?.lastTaskId ?? id } }
}

const withoutUndefined = (parts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
