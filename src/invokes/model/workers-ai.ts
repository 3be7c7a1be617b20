import { judgeModel, mannerOf } from './catalogue.ts'
import { shown } from './answer.ts'
import type { Question } from './request.ts'
import { ModelRefusal, overCapacity, type ModelServer } from './server.ts'

/** What this needs of the binding. */
export interface AiBinding {
  run(model: string, input: Record<string, unknown>, options?: { signal?: AbortSignal }): Promise<unknown>
  models(search: { search?: string; task?: string; per_page?: number }): Promise<{ name: string }[]>
}

/** How long the binding may take to list its models. */
const LIST_MS = 5_000

/** The models of Workers AI. */
export const workersAi = (ai: AiBinding): ModelServer => ({
  async judge(model) {
    return judgeModel(model, await listModels(ai))
  },
  async ask(question, signal) {
    try {
      return await untilAborted(ai.run(question.model, inputOf(question), { signal }), signal)
    } catch (error) {
      signal.throwIfAborted()
      throw refusalOf(error)
    }
  },
})

/** What the binding says it has; null when it does not say. */
async function listModels(ai: AiBinding): Promise<string[] | null> {
  try {
    const search = { task: 'Text Generation', per_page: 200 }
    const models = await untilAborted(ai.models(search), AbortSignal.timeout(LIST_MS))
    const names = models.map(({ name }) => name)
    return names.length > 0 ? names : null
  } catch {
    return null
  }
}

function inputOf({ model, input, json }: Question): Record<string, unknown> {
  if (json === null || 'response_format' in input) return input
  const manner = mannerOf(model)
  if (manner === 'text') return input
  if (json === true) return { ...input, response_format: { type: 'json_object' } }
  const json_schema = manner === 'chat' ? { name: 'output', schema: json } : json
  return { ...input, response_format: { type: 'json_schema', json_schema } }
}

/** Errors of the binding: `<code>: <words>`, by the table of developers.cloudflare.com/workers-ai/platform/errors. */
function refusalOf(error: unknown): ModelRefusal {
  const words = error instanceof Error ? error.message : String(error)
  const code = /\b([35]0\d\d)\b/.exec(words)?.[1]
  if (code === '3040' || /capacity/i.test(words)) return overCapacity()
  if (code === '3036') {
    return new ModelRefusal("This deployment's allocation of Workers AI for today is used up.", {
      hint: 'Run the tool again tomorrow, with a new request_key; the operator can raise it.',
      isRetryable: true,
    })
  }
  if (code === '3007' || code === '3008') {
    return new ModelRefusal('Workers AI timed out before the model had answered.', {
      hint: 'Ask for less (max_tokens), then run the tool again with a new request_key.',
      isRetryable: true,
    })
  }
  if (code === '5007' || code === '3042') {
    return new ModelRefusal('Workers AI no longer has this model.', {
      hint: 'Save the tool with another model.',
    })
  }
  if (/JSON Mode couldn't be met/i.test(words)) {
    return new ModelRefusal('The model did not answer with JSON of the output_schema.', {
      hint: 'Save the tool with a simpler output_schema, a clearer prompt or another model.',
    })
  }
  return new ModelRefusal(`Workers AI refused the call: ${shown(words)}.`, {
    hint: "Check invoke.input against the model's page in the catalogue of Workers AI.",
  })
}

/** The binding may not know of signals: whoever waits is let go all the same. */
async function untilAborted<T>(work: Promise<T>, signal: AbortSignal): Promise<T> {
  const aborted = Promise.withResolvers<never>()
  const abort = () => aborted.reject(signal.reason)
  if (signal.aborted) abort()
  signal.addEventListener('abort', abort)
  try {
    return await Promise.race([work, aborted.promise])
  } finally {
    signal.removeEventListener('abort', abort)
  }
}
