import { hasPassed, type Task } from '../tasks/task.ts'
import type { CheckResult } from './checks/index.ts'

/** How long a save and a publish wait for their sample. */
export const SAMPLE_WAIT_MS = 40_000

/** What is said of the run of a sample. */
export interface SampleCheck {
  passed: boolean
  state: string
  task_id: string | null
  output?: unknown
  checks: CheckResult[]
  took_ms: number | null
}

export function sampleAnswer(task: Task): SampleCheck & Record<string, unknown> {
  const { id, state, verdict } = task
  if (!verdict) return { passed: false, state, task_id: id, checks: [], took_ms: null }
  return {
    passed: hasPassed(task),
    state,
    task_id: id,
    ...('output' in verdict && { output: verdict.output }),
    checks: verdict.contract.checks,
    ...(verdict.error && { error: verdict.error }),
    ...(verdict.stdout !== null && { stdout: verdict.stdout }),
    ...(verdict.stderr !== null && { stderr: verdict.stderr }),
    took_ms: verdict.tookMs === null ? null : Math.round(verdict.tookMs),
  }
}
