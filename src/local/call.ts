export interface Address {
  mcpUrl: string
  token: string
}

/** What this program reads of answers; each has some of it. */
export interface Answer {
  error?: { message: string }
  tool_id: string
  version: number
  task_id: string
  state: string
  output: unknown
  versions: { version: number; is_published?: boolean }[]
  stderr?: string
  contract: { passed: boolean }
  sample_check: { passed: boolean; task_id: string }
  candidates: { tool_id: string }[]
}

/** Calls one tool of the MCP address, as an AI app does. Throws when it is refused. */
export async function call(address: Address, name: string, args: Record<string, unknown>): Promise<Answer> {
  const response = await fetch(address.mcpUrl, {
    method: 'POST',
    headers: {
      authorization: `Bearer ${address.token}`,
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
    },
    body: JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } }),
  })
  const body = await response.text()
  if (!response.ok) throw new Error(`${name} was answered with ${response.status}: ${body.slice(0, 200)}`)
  const line = body.split('\n').find((each) => each.startsWith('data: '))
  const { result, error } = JSON.parse(line?.slice('data: '.length) ?? body)
  if (error) throw new Error(`${name} was refused: ${error.message}`)
  const answer: Answer = result.structuredContent
  if (result.isError) throw new Error(`${name} was refused: ${answer.error?.message}`)
  return answer
}
