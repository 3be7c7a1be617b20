import {
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
  ResourceNotFoundError,
  type GetPromptResult,
  type InputRequiredResult,
  type ReadResourceResult,
  type Server,
} from '@modelcontextprotocol/server'
import { Hono } from 'hono'
import { mcpAddress } from '../../src/routes/mcp/address.ts'
import { createServer } from '../../src/routes/mcp/server.ts'
import { ask } from './questions.ts'
import { CATALOGUE, PNG, text } from './tools.ts'

/**
 * Our own MCP address and server, with what the conformance suites expect to find and without signing in: they can
 * send no token. Resources and prompts are added here, for Workshop has none.
 */
const CACHE = { ttlMs: 300_000, cacheScope: 'public' as const }

const RESOURCES = [
  { uri: 'test://static-text', name: 'static-text', mimeType: 'text/plain' },
  { uri: 'test://static-binary', name: 'static-binary', mimeType: 'image/png' },
]

function read(uri: string): ReadResourceResult['contents'] {
  const [, id] = /^test:\/\/template\/(\w+)\/data$/.exec(uri) ?? []
  if (id !== undefined) return [{ uri, mimeType: 'application/json', text: JSON.stringify({ id }) }]
  if (uri === 'test://static-text') return [{ uri, mimeType: 'text/plain', text: 'A static text.' }]
  if (uri === 'test://static-binary') return [{ uri, mimeType: 'image/png', blob: PNG }]
  throw new ResourceNotFoundError(uri)
}

type Messages = GetPromptResult['messages']
const user = (content: Messages[number]['content']): Messages[number] => ({ role: 'user', content })

const PROMPTS: Record<string, (args: Record<string, string>) => Messages> = {
  test_simple_prompt: () => [user(text('This is a simple prompt for testing.'))],
  test_prompt_with_arguments: ({ arg1, arg2 }) => [
    user(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  ],
  test_prompt_with_embedded_resource: ({ resourceUri = '' }) => [
    user({ type: 'resource', resource: { uri: resourceUri, mimeType: 'text/plain', text: 'Embedded.' } }),
  ],
  test_prompt_with_image: () => [user({ type: 'image', data: PNG, mimeType: 'image/png' })],
  test_input_required_result_prompt: () => [user(text('The context was given.'))],
}

const ARGUMENTS: Record<string, string[]> = {
  test_prompt_with_arguments: ['arg1', 'arg2'],
  test_prompt_with_embedded_resource: ['resourceUri'],
}

const CONTEXT = {
  requests: () => ({
    user_context: inputRequired.elicit({
      message: 'What context should the prompt use?',
      requestedSchema: { type: 'object', properties: { context: { type: 'string' } }, required: ['context'] },
    }),
  }),
}

function addResources(server: Server): void {
  server.setRequestHandler('resources/list', () => ({ resources: RESOURCES, ...CACHE }))
  server.setRequestHandler('resources/templates/list', () => ({
    resourceTemplates: [{ uriTemplate: 'test://template/{id}/data', name: 'template' }],
    ...CACHE,
  }))
  server.setRequestHandler('resources/read', ({ params }) => ({ contents: read(params.uri), ...CACHE }))
  server.setRequestHandler('resources/subscribe', () => ({}))
  server.setRequestHandler('resources/unsubscribe', () => ({}))
}

function addPrompts(server: Server): void {
  server.setRequestHandler('prompts/list', () => ({
    prompts: Object.keys(PROMPTS).map((name) => ({
      name,
      description: `A prompt of the conformance suites: ${name}`,
      arguments: (ARGUMENTS[name] ?? []).map((argument) => ({ name: argument, required: true })),
    })),
    ...CACHE,
  }))
  server.setRequestHandler('prompts/get', async ({ params }, ctx) => {
    const prompt = PROMPTS[params.name]
    if (!prompt) throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Unknown prompt')
    if (params.name === 'test_input_required_result_prompt') {
      const answer = await ask(CONTEXT, ctx)
      if ('inputRequests' in answer) return answer as InputRequiredResult & GetPromptResult
    }
    return { messages: prompt(params.arguments ?? {}) }
  })
}

function fixture(): Server {
  const server = createServer(CATALOGUE)
  server.registerCapabilities({ resources: { subscribe: true }, prompts: {}, logging: {}, completions: {} })
  addResources(server)
  addPrompts(server)
  server.setRequestHandler('logging/setLevel', () => ({}))
  server.setRequestHandler('completion/complete', () => ({ completion: { values: [], total: 0 } }))
  return server
}

// oxlint-disable-next-line import/no-default-export -- the entry of a Worker
export default new Hono<{ Bindings: Env }>().route(
  '/mcp',
  mcpAddress(async () => fixture),
)
