/** Every code that a refusal can carry, with the HTTP status that says the same. */
export const PROBLEM_STATUS = {
  invalid_request: 400,
  invalid_input: 400,
  invalid_descriptor: 422,
  cannot_publish: 422,
  sample_failed: 422,
  unauthorized: 401,
  payment_required: 402,
  insufficient_scope: 403,
  unknown_tool: 404,
  unknown_task: 404,
  unknown_file: 404,
  link_expired: 410,
  request_key_reused: 409,
  conflict: 409,
  connection_missing: 409,
  not_found: 404,
  method_not_allowed: 405,
  too_large: 413,
  rate_limited: 429,
  quota_exceeded: 429,
  http_failed: 502,
  not_available: 501,
  internal: 500,
  unavailable: 503,
} as const

export type ProblemCode = keyof typeof PROBLEM_STATUS

/** One thing that is wrong with a request. `path` names the place: `input.text`, `descriptor.invoke.argv[0]`. */
export interface Fault {
  path: string
  message: string
  hint?: string
}

/** A call that can be sent as it is. */
export interface NextCall {
  tool: string
  arguments: Record<string, unknown>
}

export interface ProblemDetails {
  field?: string
  hint?: string
  retryable?: boolean
  problems?: Fault[]
  nextCall?: NextCall
  /** The limit of the account that was reached. */
  limit?: { name: string; limit: number; used: number; left: number; resets_at?: string }
  /** What the tool costs, and the page where its offer is taken. */
  price?: Record<string, unknown>
  /** When it makes sense to send it again. */
  retryAfterSeconds?: number
}

/** A refusal that we worded: thrown by operations, told once per side. Anything else thrown is a defect. */
export class Problem extends Error {
  override name = 'Problem'
  readonly code: ProblemCode
  readonly details: ProblemDetails

  constructor(code: ProblemCode, message: string, details: ProblemDetails = {}) {
    super(message)
    this.code = code
    this.details = details
  }

  get status(): number {
    return PROBLEM_STATUS[this.code]
  }
}
