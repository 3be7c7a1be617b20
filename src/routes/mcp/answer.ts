import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Log } from '../../core/context.ts'
import { Problem } from '../../core/problem.ts'

/** An answer in both forms that AI apps read: data, and the same data as text. */
export function success(answer: Record<string, unknown>): CallToolResult {
  return { content: [{ type: 'text', text: JSON.stringify(answer) }], structuredContent: answer }
}

/** A refusal in the words of a problem; anything else is a defect, logged under an id that is all the caller sees. */
export function refusal(error: unknown, log: Log): CallToolResult {
  return { ...success(body(error instanceof Problem ? error : defect(error, log))), isError: true }
}

function body({ code, message, details }: Problem): Record<string, unknown> {
  const { field, hint, retryable, problems, nextCall, limit, price, retryAfterSeconds } = details
  const error = {
    code,
    message,
    field,
    hint,
    retryable,
    retry_after_seconds: retryAfterSeconds,
    limit,
    price,
    problems,
  }
  return JSON.parse(JSON.stringify({ error, next_call: nextCall }))
}

function defect(error: unknown, log: Log): Problem {
  const id = crypto.randomUUID()
  log('defect', { id, error: error instanceof Error ? (error.stack ?? error.message) : String(error) })
  return new Problem('internal', `Something went wrong on our side (${id}).`, {
    hint: 'Send the call again; the same request_key never runs twice.',
    retryable: true,
  })
}
