import { setTimeout as sleep } from 'node:timers/promises'
import type { AiBinding } from '../../src/invokes/model/index.ts'
import { json, Upstream } from './upstream.ts'

/** What a fake model does is told by its question: `reply <text>`, `wait <ms>`, or `fail <words>`. */
interface Told {
  reply: string
  waitMs: number
  fail: string | null
}

type Input = { prompt?: string; messages?: { content: string }[]; response_format?: { type: string } }

function tellOf({ prompt, messages }: Input): Told {
  const asked = messages?.at(-1)?.content ?? prompt ?? ''
  const [, word, rest = ''] = /^(reply|wait|fail) (.*)$/s.exec(asked) ?? []
  return {
    reply: word === 'reply' ? rest : `The text says: ${asked}`,
    waitMs: word === 'wait' ? Number(rest) : 0,
    fail: word === 'fail' ? rest : null,
  }
}

const USAGE = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }

/** A chat completion as OpenAI's API and the newer models of Workers AI answer. */
const completion = (model: string, content: string | null, more: Record<string, unknown> = {}) => ({
  id: 'chatcmpl-1',
  object: 'chat.completion',
  created: 1_790_000_000,
  model,
  choices: [
    { index: 0, message: { role: 'assistant', content, refusal: null, ...more }, finish_reason: 'stop' },
  ],
  usage: USAGE,
})

/**
 * A fake of the Workers AI binding: it thinks nothing, but answers in the real one's shapes and fails with its words.
 * `chat` models answer with choices, others with `{response}`, parsed where JSON mode was asked for.
 */
export class FakeAi implements AiBinding {
  readonly asked: { model: string; input: Input & Record<string, unknown> }[] = []
  /** What it lists; null: listing fails. */
  listed: string[] | null = null

  async run(model: string, given: Record<string, unknown>): Promise<unknown> {
    const input = given as Input & Record<string, unknown>
    this.asked.push({ model, input })
    const { reply, waitMs, fail } = tellOf(input)
    if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
    if (fail !== null) throw new Error(fail)
    if (/glm|kimi|gpt-oss|gemma-4/.test(model)) return completion(model, reply)
    return { response: input.response_format ? parsedOr(reply) : reply, tool_calls: [], usage: USAGE }
  }

  async models(): Promise<{ name: string }[]> {
    if (!this.listed) throw new Error('Binding AI needs to be run remotely')
    return this.listed.map((name) => ({ name }))
  }
}

function parsedOr(text: string): unknown {
  try {
    return JSON.parse(text)
  } catch {
    return text
  }
}

/** A fake of an OpenAI-compatible server such as Ollama's: no model is behind it. */
export const fakeModelServer = (
  at: string,
  models = ['llama3.1:8b-instruct', 'qwen3:30b'],
): Promise<Upstream> =>
  Upstream.listen(at, {
    '/v1/models': (response) =>
      json(response, {
        object: 'list',
        data: models.map((id) => ({ id, object: 'model', owned_by: 'library' })),
      }),
    '/v1/chat/completions': async (response, { body }) => {
      const input = JSON.parse(body) as Input & { model: string }
      const { reply, waitMs, fail } = tellOf(input)
      if (waitMs > 0) await sleep(waitMs, undefined, { ref: false })
      if (response.destroyed) return
      const [, status, words] = /^(\d{3})(?: (.*))?$/s.exec(fail ?? '') ?? []
      if (status) json(response, { error: { message: words, type: 'api_error' } }, Number(status))
      else if (fail === 'refuse')
        json(response, completion(input.model, null, { refusal: 'I cannot help with that.' }))
      else if (fail === 'html') response.end('<html>not an API</html>')
      else json(response, completion(input.model, reply))
    },
  })
