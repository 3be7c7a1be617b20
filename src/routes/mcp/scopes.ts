import { SCOPES, type Caller, type Scope } from '../../core/caller.ts'
import { LIMITS } from '../../core/limits.ts'
import { OPERATIONS } from '../../core/operations.ts'

/**
 * The scope that a connected app lacks for what it calls: apps ask their person for more when they hear of it before
 * MCP is spoken. Undefined for a token, whose person hears of it in the answer. Only a first look: operations check.
 */
export async function scopeLacking(request: Request, { via, scopes }: Caller): Promise<Scope | undefined> {
  if (via.kind !== 'app' || SCOPES.every((scope) => scopes.has(scope))) return undefined
  const called = await calledNames(request)
  const needed = OPERATIONS.filter(({ name }) => called.includes(name)).map(({ scope }) => scope)
  return needed.find((scope) => !scopes.has(scope))
}

interface Message {
  method?: unknown
  params?: { name?: unknown } | null
}

/** The current protocol says in headers what is called; the older ones only in the body. */
async function calledNames(request: Request): Promise<unknown[]> {
  const method = request.headers.get('mcp-method')
  if (method !== null) return method === 'tools/call' ? [request.headers.get('mcp-name')] : []
  if (Number(request.headers.get('content-length') ?? Infinity) > LIMITS.call) return []
  try {
    const body = await request.clone().json<Message | Message[]>()
    return [body].flat().flatMap((each) => (each.method === 'tools/call' ? [each.params?.name] : []))
  } catch {
    // Whatever is wrong with the body is told by whoever reads it next.
    return []
  }
}
