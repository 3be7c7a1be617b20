import {
  Client as ClientV2,
  StreamableHTTPClientTransport as TransportV2,
  type OAuthClientProvider as ProviderV2,
} from '@modelcontextprotocol/client'
import { Client as ClientV1 } from '@modelcontextprotocol/sdk/client/index.js'
import type { OAuthClientProvider as ProviderV1 } from '@modelcontextprotocol/sdk/client/auth.js'
import { StreamableHTTPClientTransport as TransportV1 } from '@modelcontextprotocol/sdk/client/streamableHttp.js'
import { createServer, type Server } from 'node:http'
import type { AddressInfo } from 'node:net'
import { APPS, type Generation } from './clients.ts'

type Client = ClientV1 | ClientV2
type Transport = TransportV1 | TransportV2

/** An AI app on this computer: it registers itself, sends its person to sign in, and waits for the browser. */
export class DesktopApp {
  /** Where the person was sent last. */
  asked: URL | undefined
  tokens: { access_token: string; refresh_token?: string } | undefined
  #generation: Generation
  #registered: unknown
  #verifier = ''
  #discovered: unknown
  #server: Server
  #returned = Promise.withResolvers<URLSearchParams>()

  private constructor(generation: Generation, server: Server) {
    this.#generation = generation
    this.#server = server
    server.on('request', (request, response) => {
      response.end('You may close this window.')
      const { pathname, searchParams } = new URL(request.url ?? '/', 'http://localhost')
      if (pathname === '/callback') this.#returned.resolve(searchParams)
    })
  }

  static async start(generation: Generation): Promise<DesktopApp> {
    const server = createServer()
    await new Promise<void>((done) => server.listen(0, '127.0.0.1', done))
    return new DesktopApp(generation, server)
  }

  stop(): void {
    this.#server.close()
    this.#server.closeAllConnections()
  }

  /** A connection with what the app has; throws when its person must sign in first. */
  async connect(mcpUrl: string): Promise<Client> {
    const { client, transport } = this.#make(mcpUrl)
    await client.connect(transport)
    return client
  }

  /** Waits until the browser came back, and takes the tokens. */
  async finish(mcpUrl: string): Promise<URLSearchParams> {
    const returned = await this.#returned.promise
    this.#returned = Promise.withResolvers()
    const { transport } = this.#make(mcpUrl)
    if (transport instanceof TransportV1) await transport.finishAuth(returned.get('code') ?? '')
    else await transport.finishAuth(returned)
    return returned
  }

  #make(mcpUrl: string): { client: Client; transport: Transport } {
    const info = { name: 'desktop-app', version: '1.0.0' }
    const url = new URL(mcpUrl)
    if (this.#generation === 'v1') {
      return {
        client: new ClientV1(info),
        transport: new TransportV1(url, { authProvider: this.#provider() }),
      }
    }
    const options = this.#generation === 'v2' ? {} : { versionNegotiation: { mode: 'auto' as const } }
    return {
      client: new ClientV2(info, options),
      transport: new TransportV2(url, { authProvider: this.#provider() }),
    }
  }

  #provider(): ProviderV1 & ProviderV2 {
    const { port } = this.#server.address() as AddressInfo
    const redirectUrl = `http://127.0.0.1:${port}/callback`
    const provider = {
      redirectUrl,
      clientMetadata: {
        client_name: `Desktop app ${this.#generation}`,
        redirect_uris: [redirectUrl],
        token_endpoint_auth_method: 'none',
      },
      clientInformation: () => this.#registered,
      saveClientInformation: (registered: unknown) => {
        this.#registered = registered
      },
      tokens: () => this.tokens,
      saveTokens: (tokens: DesktopApp['tokens']) => {
        this.tokens = tokens
      },
      redirectToAuthorization: (url: URL) => {
        this.asked = url
      },
      saveCodeVerifier: (verifier: string) => {
        this.#verifier = verifier
      },
      codeVerifier: () => this.#verifier,
      saveDiscoveryState: (discovered: unknown) => {
        this.#discovered = discovered
      },
      discoveryState: () => this.#discovered,
      invalidateCredentials: () => {
        this.tokens = undefined
      },
    }
    // Kept as the SDK gives it, whichever it is.
    return provider as unknown as ProviderV1 & ProviderV2
  }
}

export const GENERATIONS = Object.keys(APPS) as Generation[]
