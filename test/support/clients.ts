import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'

/** What a test asks of an AI app, whichever SDK it is built on. */
export interface App {
  listTools(): Promise<AnnouncedTool[]>
  /** The whole result, refusals too. */
  call(
    name: string,
    args: Record<string, unknown>,
    onProgress?: (seconds: number) => void,
  ): Promise<CallResult>
  instructions(): string | undefined
  close(): Promise<void>
}

export interface AnnouncedTool {
  name: string
  title?: string
  description?: string
  inputSchema: object
  outputSchema?: object
  annotations?: Record<string, unknown>
}

export interface CallResult {
  isError: boolean
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by tests
  answer: any
  text: string
}

const INFO = { name: 'test-app', version: '1.0.0' }

export const APPS = {
  /** The v1 SDK: the handshake generation. */
  v1: async (url: string, token: string): Promise<App> => {
    const client = new ClientV1(INFO)
    await client.connect(new TransportV1(new URL(url), options(token)))
    return appOf(client)
  },
  /** The v2 SDK as it is by default: the handshake generation. */
  v2: async (url: string, token: string): Promise<App> => {
    const client = new ClientV2(INFO)
    await client.connect(new TransportV2(new URL(url), options(token)))
    return appOf(client)
  },
  /** The v2 SDK speaking the stateless generation. */
  'v2 stateless': async (url: string, token: string): Promise<App> => {
    const client = new ClientV2(INFO, { versionNegotiation: { mode: 'auto' } })
    await client.connect(new TransportV2(new URL(url), options(token)))
    return appOf(client)
  },
}

export type Generation = keyof typeof APPS

const options = (token: string) => ({ requestInit: { headers: { authorization: `Bearer ${token}` } } })

function appOf(client: ClientV1 | ClientV2): App {
  return {
    listTools: async () => (await client.listTools()).tools,
    call: async (name, args, onProgress) => {
      const call = { name, arguments: args }
      const onprogress = onProgress && (({ progress }: { progress: number }) => onProgress(progress))
      return readResult(
        client instanceof ClientV1
          ? await client.callTool(call, undefined, { onprogress })
          : await client.callTool(call, { onprogress }),
      )
    },
    instructions: () => client.getInstructions(),
    close: () => client.close(),
  }
}

function readResult(result: Record<string, unknown>): CallResult {
  const [first] = result.content as { type: string; text: string }[]
  return { isError: result.isError === true, answer: result.structuredContent, text: first?.text ?? '' }
}
