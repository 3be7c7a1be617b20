import { beforeAll, expect, test, vi } from 'vitest'
import { callMcp, callTool, codeFor, connect, newAccount, redeem, type Tokens } from '../../support/oauth.ts'
import { ECHO } from '../../support/tools.ts'

/** An app that has a document and registers nowhere. What it fetches from is played: tests reach no network. */
const DOCUMENT = {
  client_id: 'https://client.example/oauth.json',
  client_name: 'App with a document',
  redirect_uris: ['https://client.example/callback'],
  token_endpoint_auth_method: 'none',
}

const realFetch = globalThis.fetch
beforeAll(() => {
  vi.spyOn(globalThis, 'fetch').mockImplementation(async (input, init) => {
    const address = input instanceof Request ? input.url : String(input)
    return address === DOCUMENT.client_id ? Response.json(DOCUMENT) : realFetch(input, init)
  })
  return () => vi.restoreAllMocks()
})

async function answerOf(token: string, name: string, args: unknown) {
  const answered = await (await callMcp(token, callTool(name, args))).text()
  const line = answered.split('\n').find((each) => each.startsWith('data: '))
  return JSON.parse(line?.slice(6) ?? answered).result.structuredContent
}

async function connectByDocument(accountId: string): Promise<Tokens> {
  const [redirect_uri = ''] = DOCUMENT.redirect_uris
  const code = await codeFor(accountId, { client_id: DOCUMENT.client_id, redirect_uri })
  return (await redeem(DOCUMENT.client_id, code, { redirect_uri })).json<Tokens>()
}

test('what one app starts another one reads, and another account’s app does not', async () => {
  const { accountId, tokens } = await connect()
  expect(await answerOf(tokens.access_token, 'save_tool', ECHO)).toMatchObject({ tool_id: 'tool:echo' })
  const started = await answerOf(tokens.access_token, 'run_tool', {
    tool_id: 'tool:echo',
    input: { from: 'the first app' },
    request_key: 'cross-app',
  })
  const other = await connectByDocument(accountId)
  const read = await answerOf(other.access_token, 'read_task', { task_id: started.task_id, wait_seconds: 20 })
  expect(read).toMatchObject({ state: 'completed', output: { got: { from: 'the first app' } } })
  const strangers = await connectByDocument(await newAccount())
  const refused = await answerOf(strangers.access_token, 'read_task', { task_id: started.task_id })
  expect(refused.error.code).toBe('unknown_task')
})
