import { noteAct, type Act } from './accounts/audit/act.ts'
import type { Caller, Scope } from './caller.ts'
import type { Context } from './context.ts'
import { validate } from './json-schema/index.ts'
import { Problem } from './problem.ts'
import { quotaProblem } from './quotas/quota.ts'

/** A JSON Schema with a plain object at its root. */
export type ObjectSchema = {
  type: 'object'
  properties: Record<string, Record<string, unknown>>
  required?: string[]
  additionalProperties?: boolean
}

/** One thing Workshop can do, told to AI apps, programs and people from this one value. */
export interface Operation<Input = Record<string, unknown>, Output = Record<string, unknown>> {
  name: string
  title: string
  /** What it does, when to use it, what it returns, with a worked example: at most 2,000 characters. */
  description: string
  scope: Scope
  /** Hints for AI apps, as MCP names them. */
  hints: { readOnly: boolean; destructive: boolean; idempotent: boolean; openWorld: boolean }
  input: ObjectSchema
  /** A complete working call, offered with a refusal of the arguments. */
  example?: Record<string, unknown>
  /** An open object with nothing required: refusals are answers too. */
  output: ObjectSchema
  /** It counts its calls itself, because some of them do not count. */
  countsItself?: boolean
  run(ctx: Context, input: Input): Promise<Output>
  /**
   * What the account's activity says once it is done; a null subject says nothing, for a call that changed nothing.
   * Written after `run`, whose types it takes.
   */
  audit?: { act: Act; subject(input: Input, answer: Output): string | null }
}

/** An operation whose input was not yet checked. */
export type AnyOperation = Operation

/** Keeps the name literal and ties `run` to its types; `perform` makes sure that the input has them. */
export const defineOperation = <Input extends object, Output extends object>(
  operation: Operation<Input, Output>,
): AnyOperation => operation as unknown as AnyOperation

/**
 * The one way to do an operation: may the caller, is the input right, run it, is the answer as announced.
 * Throws a `Problem` for every refusal.
 */
export async function perform(
  operation: AnyOperation,
  ctx: Context,
  raw: unknown,
): Promise<Record<string, unknown>> {
  needScope(ctx.caller, operation.scope, operation.name)
  const input = withoutNulls(operation.input, raw)
  const faults = validate(operation.input, input, '').map((fault) => ({
    ...fault,
    path: fault.path.replace(/^\./, '') || 'arguments',
  }))
  if (faults.length > 0) {
    const [first] = faults
    throw new Problem('invalid_request', `${operation.name}: ${first?.path} ${first?.message}.`, {
      field: first?.path,
      hint: first?.hint,
      problems: faults,
      ...(operation.example && { nextCall: { tool: operation.name, arguments: operation.example } }),
    })
  }
  const answer = await runCounted(operation, ctx, input)
  const [wrong] = validate(operation.output, answer, 'answer')
  if (wrong)
    throw new Error(`${operation.name} answered what it does not announce: ${wrong.path} ${wrong.message}`)
  await note(operation, ctx, { input, answer })
  return answer
}

/** Refuses a caller without the scope. `what` it is for begins the sentence. */
export function needScope({ scopes }: Caller, scope: Scope, what: string): void {
  if (scopes.has(scope)) return
  throw new Problem('insufficient_scope', `${what} needs the scope "${scope}".`, {
    hint: 'Connect again and allow it, or use a token that has it.',
  })
}

/** Runs what is asked unless it is a call too many. What only reads goes on while that is found out. */
async function runCounted(
  operation: AnyOperation,
  ctx: Context,
  input: Record<string, unknown>,
): Promise<Record<string, unknown>> {
  if (operation.countsItself) return operation.run(ctx, input)
  const counting = countCall(ctx)
  if (operation.scope !== 'read') await counting
  const [answer] = await Promise.all([operation.run(ctx, input), counting])
  return answer
}

async function countCall({ tasks, now }: Context): Promise<void> {
  const over = await tasks.countCall()
  if (over) throw quotaProblem(over, now())
}

/** What was done stays done: when it cannot be noted, the operator hears of it and the caller gets the answer. */
async function note(
  { name, audit }: AnyOperation,
  ctx: Context,
  { input, answer }: { input: Record<string, unknown>; answer: Record<string, unknown> },
): Promise<void> {
  const subject = audit?.subject(input, answer) ?? null
  if (!audit || subject === null) return
  const { accountId, via } = ctx.caller
  try {
    await noteAct(ctx, { accountId, act: audit.act, subject, via })
  } catch (error) {
    ctx.log('audit_failed', { name, accountId, subject, via, error: String(error) })
  }
}

/** `null` for an optional input means absent. */
function withoutNulls({ required }: ObjectSchema, raw: unknown): Record<string, unknown> {
  if (raw === undefined || raw === null) return {}
  if (typeof raw !== 'object' || Array.isArray(raw)) {
    throw new Problem('invalid_request', 'The arguments must be an object.')
  }
  return Object.fromEntries(
    Object.entries(raw).filter(([name, value]) => value !== null || required?.includes(name)),
  )
}
