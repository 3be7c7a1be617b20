import { once } from 'node:events'
import { Agent, request } from 'node:http'
import { text } from 'node:stream/consumers'

/** One MCP address, called without an SDK over connections that are kept, so that the caller costs next to nothing. */
export class McpAddress {
  readonly #url: string
  readonly #headers: Record<string, string>
  /** Idle ones are closed before the server does it. */
  readonly #agent = new Agent({ keepAlive: true, timeout: 3_000 })
  #id = 0

  constructor(url: string, token?: string) {
    this.#url = url
    this.#headers = {
      'content-type': 'application/json',
      accept: 'application/json, text/event-stream',
      'mcp-protocol-version': '2025-06-18',
      ...(token !== undefined && { authorization: `Bearer ${token}` }),
    }
  }

  /** The structured answer of one tool. Throws when it is refused. */
  async call(name: string, args: Record<string, unknown>): Promise<Record<string, unknown>> {
    this.#id += 1
    const message = { jsonrpc: '2.0', id: this.#id, method: 'tools/call', params: { name, arguments: args } }
    const sent = request(this.#url, { method: 'POST', agent: this.#agent, headers: this.#headers })
    sent.end(JSON.stringify(message))
    const [response] = (await once(sent, 'response')) as [NodeJS.ReadableStream]
    const body = await text(response)
    const json = body.startsWith('{') ? body : (/^data: (\{.*)$/m.exec(body)?.[1] ?? '{}')
    const { result }: { result?: { isError?: boolean; structuredContent: Record<string, unknown> } } =
      JSON.parse(json)
    if (!result || result.isError) throw new Error(`${name} was refused: ${body.slice(0, 500)}`)
    return result.structuredContent
  }

  close(): void {
    this.#agent.destroy()
  }
}
