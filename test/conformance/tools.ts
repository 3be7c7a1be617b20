import {
  MissingRequiredClientCapabilityError,
  type CallToolResult,
  type InputRequiredResult,
  type ServerContext,
  type Tool,
} from '@modelcontextprotocol/server'
import { setTimeout as sleep } from 'node:timers/promises'
import type { Catalogue } from '../../src/routes/mcp/server.ts'
import { abilitiesOf, ask, QUESTIONS } from './questions.ts'

/** A red pixel, and a sound that is over at once. */
export const PNG =
  'iVBORw0KGgoAAAANSUhEUgAAAAEAAAABCAYAAAAfFcSJAAAADUlEQVR42mP8z8DwHwAFBQIAX8jx0gAAAABJRU5ErkJggg=='
const WAV = 'UklGRiYAAABXQVZFZm10IBAAAAABAAEAQB8AAAB9AAACABAAZGF0YQIAAAA='

type Content = CallToolResult['content']
type Run = (ctx: ServerContext) => Content | Promise<Content>

export const text = (words: string) => ({ type: 'text' as const, text: words })
const image = { type: 'image' as const, data: PNG, mimeType: 'image/png' }
const resource = { uri: 'test://embedded', mimeType: 'text/plain', text: 'An embedded resource.' }
const embedded = { type: 'resource' as const, resource }

/** What the suites expect to find, by their names. */
const TOOLS: Record<string, Run> = {
  test_simple_text: () => [text('This is a simple text response for testing.')],
  test_image_content: () => [image],
  test_audio_content: () => [{ type: 'audio', data: WAV, mimeType: 'audio/wav' }],
  test_embedded_resource: () => [embedded],
  test_multiple_content_types: () => [text('Several at once:'), image, embedded],
  test_error_handling: () => {
    throw new Error('This tool intentionally returns an error for testing')
  },
  async test_tool_with_logging({ mcpReq }) {
    for (const data of ['Tool execution started', 'Tool processing data', 'Tool execution completed']) {
      await mcpReq.notify({ method: 'notifications/message', params: { level: 'info', data } })
      await sleep(50)
    }
    return [text('Logged.')]
  },
  async test_logging_tool({ mcpReq }) {
    await mcpReq.log('info', 'Only for who asked to hear it')
    return [text('Logged.')]
  },
  async test_tool_with_progress({ mcpReq }) {
    const progressToken = mcpReq._meta?.progressToken ?? 0
    for (const progress of [0, 50, 100]) {
      const params = { progressToken, progress, total: 100 }
      await mcpReq.notify({ method: 'notifications/progress', params })
      await sleep(50)
    }
    return [text('Done.')]
  },
  test_missing_capability(ctx) {
    if (abilitiesOf(ctx)?.sampling) return [text('It has what is needed.')]
    throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
  },
  json_schema_2020_12_tool: () => [text('Called.')],
}

/** Everything that 2020-12 may say of arguments must arrive as it is. */
const WHOLE_SCHEMA = {
  $schema: 'https://json-schema.org/draft/2020-12/schema',
  type: 'object',
  $defs: {
    address: {
      $anchor: 'addressDef',
      type: 'object',
      properties: { street: { type: 'string' }, city: { type: 'string' } },
    },
  },
  properties: {
    name: { type: 'string' },
    address: { $ref: '#/$defs/address' },
    contactMethod: { type: 'string', enum: ['phone', 'email'] },
    phone: { type: 'string' },
    email: { type: 'string' },
  },
  allOf: [{ anyOf: [{ required: ['phone'] }, { required: ['email'] }] }],
  if: { properties: { contactMethod: { const: 'phone' } }, required: ['contactMethod'] },
  // oxlint-disable-next-line unicorn/no-thenable -- a keyword of JSON Schema
  then: { required: ['phone'] },
  else: { required: ['email'] },
  additionalProperties: false,
}

const announce = (name: string): Tool => ({
  name,
  description: `A tool of the conformance suites: ${name}`,
  inputSchema: (name === 'json_schema_2020_12_tool'
    ? WHOLE_SCHEMA
    : { type: 'object' }) as Tool['inputSchema'],
})

export const CATALOGUE: Catalogue = {
  instructions: 'Tools of the conformance suites.',
  tools: [...Object.keys(TOOLS), ...Object.keys(QUESTIONS)].map(announce),
  async call({ name }, ctx) {
    const question = QUESTIONS[name]
    // Our own tools never ask back; the address takes such results all the same.
    if (question) return (await ask(question, ctx)) as InputRequiredResult & CallToolResult
    try {
      return { content: (await TOOLS[name]?.(ctx)) ?? [] }
    } catch (error) {
      if (error instanceof MissingRequiredClientCapabilityError) throw error
      return { content: [text(String(error))], isError: true }
    }
  },
}
