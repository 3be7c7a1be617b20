import { isRecord } from '../../core/json-schema/path.ts'
import { shown } from './answer.ts'
import { judgeModel, nearestOf } from './catalogue.ts'
import type { Question } from './request.ts'
import { ModelRefusal, overCapacity, type ModelServer } from './server.ts'

/** An OpenAI-compatible address such as `http://localhost:11434/v1`, and its key when it needs one. */
export interface ModelAddress {
  url: string
  key: string | null
}

const LIST_MS = 5_000
/** An answer of a model is a few thousand tokens. */
const MOST_CHARS = 4 * 1024 * 1024

/**
 * Models of an address of the operator's own (Ollama, llama.cpp, vLLM). It knows none of the names that tools use, so
 * each is served by the model there whose name is nearest; the task says by which.
 */
export function openAi(address: ModelAddress): ModelServer {
  return {
    // Tools are to run wherever they are published: a name must live at Workers AI too.
    judge: async (model) => judgeModel(model, null),
    async ask(question, signal) {
      const model = await servedModel(address, question.model)
      const answer = await send(address, 'chat/completions', {
        method: 'POST',
        body: JSON.stringify({ ...inputOf(question), model }),
        signal,
      })
      return isRecord(answer) ? { ...answer, served_by: model } : answer
    },
  }
}

/** The model there that stands for another; the same name where the address lists none. */
async function servedModel(address: ModelAddress, model: string): Promise<string> {
  const signal = AbortSignal.timeout(LIST_MS)
  const list = await send(address, 'models', { signal }).catch(() => null)
  const models = isRecord(list) && Array.isArray(list.data) ? list.data : []
  const names = models.flatMap((each) => (isRecord(each) && typeof each.id === 'string' ? [each.id] : []))
  return names.length > 0 ? nearestOf(model, names) : model
}

function inputOf({ input, json }: Question): Record<string, unknown> {
  const { prompt, ...rest } = input
  const asked =
    rest.messages === undefined ? { ...rest, messages: [{ role: 'user', content: prompt }] } : rest
  if (json === null || 'response_format' in asked) return asked
  const response_format =
    json === true
      ? { type: 'json_object' }
      : { type: 'json_schema', json_schema: { name: 'output', schema: json } }
  return { ...asked, response_format }
}

async function send({ url, key }: ModelAddress, path: string, init: RequestInit): Promise<unknown> {
  const headers = { 'content-type': 'application/json', ...(key && { authorization: `Bearer ${key}` }) }
  let response: Response
  let text: string
  try {
    response = await fetch(`${url}/${path}`, { ...init, headers, redirect: 'manual' })
    text = await response.text()
  } catch {
    init.signal?.throwIfAborted()
    throw new ModelRefusal('The model server of this deployment does not answer.', {
      hint: 'Run the tool again later; the operator should look at MODEL_BASE_URL.',
      isRetryable: true,
    })
  }
  if (response.status === 429 || response.status === 503) throw overCapacity()
  if (!response.ok) {
    throw new ModelRefusal(`The model server answered with status ${response.status}: ${shown(text)}.`, {
      hint: 'Check invoke.input; the operator should look at MODEL_BASE_URL and MODEL_API_KEY.',
      isRetryable: response.status >= 500,
    })
  }
  if (text.length > MOST_CHARS) throw new ModelRefusal('The model server answered with more than 4 MB.')
  try {
    return JSON.parse(text)
  } catch {
    throw new ModelRefusal(`The model server answered with something that is no JSON: ${shown(text)}.`)
  }
}
