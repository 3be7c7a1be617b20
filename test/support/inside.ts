import { env, exports } from 'cloudflare:workers'
import { source } from '../../src/compose.ts'
import { createAccount } from '../../src/core/accounts/create.ts'
import { openDb } from '../../src/db/client.ts'

let made = 0

/** An account inside the Worker's own runtime, its calls sent through the real route. */
export interface Inside {
  accountId: string
  handle: string
  token: string
  /** The account's task object. */
  object: ReturnType<typeof env.ACCOUNT_TASKS.getByName>
  // oxlint-disable-next-line typescript/no-explicit-any -- answers are looked into freely by tests
  call(name: string, args: Record<string, unknown>): Promise<any>
  /** A request to one of our own addresses with the account's token. */
  get(path: string): Promise<Response>
}

export async function makeInside(prefix: string): Promise<Inside> {
  made += 1
  return makeNamed(`${prefix}-${made}`)
}

/** One of just this handle: all suites of a run have one database. */
export async function makeNamed(handle: string): Promise<Inside> {
  const { token } = await createAccount(openDb(env.DB), source, handle)
  const accountId = await env.DB.prepare('select id from account where handle = ?')
    .bind(handle)
    .first<string>('id')
  // Suites set the clock far ahead.
  await env.DB.prepare('update token set expires_at = ? where account_id = ?')
    .bind(Date.UTC(3000, 0), accountId)
    .run()
  if (!accountId) throw new Error(`the account ${handle} was not made`)
  return {
    accountId,
    handle,
    token,
    object: env.ACCOUNT_TASKS.getByName(accountId),
    call: (name, args) => call(token, name, args),
    get: (path) =>
      exports.default.fetch(
        new Request(`http://localhost:8787${path}`, { headers: { authorization: `Bearer ${token}` } }),
      ),
  }
}

async function call(token: string, name: string, args: Record<string, unknown>): Promise<unknown> {
  const response = await exports.default.fetch(
    new Request('http://localhost:8787/mcp', {
      method: 'POST',
      headers: {
        authorization: `Bearer ${token}`,
        host: 'localhost:8787',
        'content-type': 'application/json',
        accept: 'application/json, text/event-stream',
      },
      body: JSON.stringify({
        jsonrpc: '2.0',
        id: 1,
        method: 'tools/call',
        params: { name, arguments: args },
      }),
    }),
  )
  const text = await response.text()
  const line = text.split('\n').find((each) => each.startsWith('data: '))
  return JSON.parse(line?.slice(6) ?? text).result.structuredContent
}
