import { Problem } from '../problem.ts'
import { selectOutput } from '../tools/tool.ts'
import type { Task } from './task.ts'

/** Longest output and input, in characters of JSON, that an answer holds whole. */
const OUTPUT_CHARS = 24_000
const INPUT_CHARS = 2_000
const PREVIEW_CHARS = 2_000

const iso = (at: number | null): string | undefined => (at === null ? undefined : new Date(at).toISOString())

/**
 * A task as callers see it. Absent parts are left out. With `selector` the output is only that part of it; an output
 * that is too long for one answer comes as a preview that says how to read a part.
 */
export function taskAnswer(task: Task, selector?: string): Record<string, unknown> {
  const { verdict } = task
  const input = JSON.stringify(task.input).length <= INPUT_CHARS ? task.input : undefined
  return withoutUndefined({
    task_id: task.id,
    state: task.state,
    phase: task.phase ?? undefined,
    tool_id: task.toolId,
    version: task.version,
    job: task.job ?? undefined,
    input,
    ...(verdict && 'output' in verdict ? outputParts(verdict.output, selector) : {}),
    contract: verdict?.state === 'completed' ? verdict.contract : undefined,
    error: verdict?.error ?? undefined,
    end_reason: verdict?.endReason,
    exit_code: verdict?.exitCode ?? undefined,
    stdout: verdict?.stdout ?? undefined,
    stderr: verdict?.stderr ?? undefined,
    ran_on: 'placement:deployed-container',
    reports: [],
    created_at: iso(task.createdAt),
    started_at: iso(task.startedAt),
    ended_at: iso(task.endedAt),
    next_call: nextCall(task),
  })
}

function outputParts(output: unknown, selector: string | undefined): Record<string, unknown> {
  const shown = selector === undefined ? output : selectPart(selector, output)
  const text = JSON.stringify(shown)
  if (text.length <= OUTPUT_CHARS) return { output: shown }
  return {
    output_preview: text.slice(0, PREVIEW_CHARS).toWellFormed(),
    output_chars: text.length,
    hint: `The output has ${text.length} characters of JSON; read a part with read_task and output_selector, like "$.items[0]".`,
    ...(selector !== undefined && { output_selector: selector }),
  }
}

function selectPart(selector: string, output: unknown): unknown {
  const selected = selectOutput(selector, output)
  if (selected.found) return selected.value
  throw new Problem('invalid_request', `output_selector ${selector}: ${selected.message}.`, {
    field: 'output_selector',
    hint: 'Read the task without output_selector to see its output.',
  })
}

/** A working task is read again; an ended one asks for nothing. */
function nextCall({ id, state }: Task): Record<string, unknown> | undefined {
  if (state !== 'working') return undefined
  return { tool: 'read_task', arguments: { task_id: id, wait_seconds: 25 } }
}

const withoutUndefined = (parts: Record<string, unknown>): Record<string, unknown> =>
  Object.fromEntries(Object.entries(parts).filter(([, value]) => value !== undefined))
