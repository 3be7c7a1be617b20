import { Problem } from '../../core/problem.ts'

/** A refusal as programs read it: the status and the words. Anything but a problem is thrown on. */
export function refusal(error: unknown): Response {
  if (!(error instanceof Problem)) throw error
  const { code, message, details } = error
  const { field, hint, retryable, limit, price, retryAfterSeconds } = details
  const headers = retryAfterSeconds === undefined ? undefined : { 'retry-after': String(retryAfterSeconds) }
  return Response.json(
    { error: { code, message, field, hint, retryable, limit, price } },
    { status: error.status, headers },
  )
}
