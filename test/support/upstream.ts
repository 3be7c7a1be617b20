import { createServer, type IncomingMessage, type Server, type ServerResponse } from 'node:http'
import { createServer as createTcpServer } from 'node:net'
import { text } from 'node:stream/consumers'

/** What an upstream was asked. */
export interface Asked {
  method: string
  url: string
  headers: IncomingMessage['headers']
  body: string
}

type Route = (response: ServerResponse, asked: Asked) => unknown

/** A stand-in for an API on the internet: the outside of Workshop, whose address tests are allowed to call. */
export class Upstream {
  readonly asked: Asked[] = []
  /** `host:port` */
  readonly at: string
  readonly #server: Server

  private constructor(at: string, routes: Record<string, Route>) {
    this.at = at
    this.#server = createServer((request, response) => {
      void this.#answer(routes, request, response).catch((error: unknown) => response.destroy(error as Error))
    })
  }

  /** Routes by path; `*` takes what no other does. */
  static async listen(at: string, routes: Record<string, Route>): Promise<Upstream> {
    const upstream = new Upstream(at, routes)
    const [host, port] = at.split(':')
    await new Promise<void>((done, fail) => {
      upstream.#server.once('error', fail).listen(Number(port), host, done)
    })
    return upstream
  }

  url(path: string): string {
    return `https://${this.at}${path}`
  }

  close(): Promise<void> {
    this.#server.closeAllConnections()
    return new Promise((done) => this.#server.close(() => done()))
  }

  async #answer(
    routes: Record<string, Route>,
    request: IncomingMessage,
    response: ServerResponse,
  ): Promise<void> {
    const { method = '', url = '', headers } = request
    const asked = { method, url, headers, body: await text(request) }
    this.asked.push(asked)
    const route = routes[url.replace(/\?.*/, '')] ?? routes['*']
    if (route) await route(response, asked)
    else json(response, { error: 'not found' }, 404)
  }
}

export function json(response: ServerResponse, value: unknown, status = 200): void {
  response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(value))
}

/** Counts whoever connects to a port of any address of this machine, 443 for example; null when it may not listen. */
export async function countConnections(
  port: number,
): Promise<{ hits: () => number; close: () => void } | null> {
  let hits = 0
  const server = createTcpServer((socket) => {
    hits += 1
    socket.destroy()
  })
  const isListening = await new Promise<boolean>((done) => {
    server.once('error', () => done(false)).listen(port, '::', () => done(true))
  })
  return isListening ? { hits: () => hits, close: () => void server.close() } : null
}
