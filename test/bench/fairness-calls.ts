import { McpAddress } from './mcp.ts'

export type Sort = 'read' | 'run'

/** What an account that has saved `tool:words` calls. */
export function callsOf(mcpUrl: string, token: string) {
  const address = new McpAddress(mcpUrl, token)
  let keys = 0
  return {
    address,
    read: () => address.call('describe_tool', { tool_id: 'tool:words' }),
    run() {
      keys += 1
      const input = { text: 'the quick brown fox' }
      return address.call('run_tool', { tool_id: 'tool:words', input, request_key: `bench-${keys}` })
    },
  }
}

/** What the process of a burst is told, and what it says at its end. */
export interface Burst {
  mcpUrl: string
  token: string
  sort: Sort
  calls: number
  spreadMs: number
}
export interface Ended {
  done: number
  refused: number
}
