import type { Problem } from '../../problem.ts'
import { quotaProblem, type Standing } from '../../quotas/quota.ts'
import type { EndReason, TaskError, Verdict } from '../task.ts'

/** The end of a task whose work never began, or of one that was called off. */
export const unrun = (
  endReason: EndReason,
  error: Omit<TaskError, 'code'> & Partial<TaskError>,
): Verdict => ({
  state: 'failed',
  endReason,
  contract: { passed: false, checks: [] },
  error: { code: endReason, ...error },
  exitCode: null,
  stdout: null,
  stderr: null,
  tookMs: null,
})

/** What the account itself ends. */
export const CANCELLED = unrun('cancelled', { message: 'The task was cancelled.' })

/** The end of a task for which its account had no room when it should have begun. */
export const overLimit = (standing: Standing, now: number): Verdict =>
  notStarted('quota_exceeded', quotaProblem(standing, now))

/** The end of a task that was refused when it should have begun. */
export const notStarted = (code: TaskError['code'], { message, details }: Problem): Verdict =>
  unrun('never_started', {
    code,
    message: `The run never started: ${message}`,
    hint: details.hint,
    retryable: details.retryable,
  })
