import {
  ProtocolError,
  ProtocolErrorCode,
  Server,
  type CallToolRequest,
  type CallToolResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'

/** What apps find at an MCP address. */
export interface Catalogue {
  instructions: string
  tools: Tool[]
  /** Runs one of the tools; a refusal is a result too. */
  call(params: CallToolRequest['params'], ctx: ServerContext): Promise<CallToolResult>
}

/** Five minutes: the list never changes while a deployment lives. */
const LIST_TTL_MS = 300_000

/** One server for one request: nothing is shared between callers. */
export function createServer(catalogue: Catalogue): Server {
  const { instructions, tools } = catalogue
  const server = new Server(
    { name: 'workshop', version: '1.0.0', title: 'Workshop' },
    { capabilities: { tools: {} }, instructions },
  )
  server.setRequestHandler('tools/list', () => ({
    tools,
    ttlMs: LIST_TTL_MS,
    cacheScope: 'public' as const,
  }))
  server.setRequestHandler('tools/call', async ({ params }, ctx) => {
    const names = tools.map(({ name }) => name)
    if (!names.includes(params.name)) {
      const message = `Unknown tool; there are ${names.join(', ')}.`
      throw new ProtocolError(ProtocolErrorCode.InvalidParams, message)
    }
    return catalogue.call(params, ctx)
  })
  return server
}
