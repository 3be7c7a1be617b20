import { LIMITS } from '../../core/limits.ts'
import type { Fault } from '../../core/problem.ts'
import type { Descriptor } from '../../core/tools/descriptor/descriptor.ts'
import { filledFields, specOf } from './request.ts'
import type { ModelServer } from './server.ts'

/** What is said where no models are served. */
export const NO_MODELS: Fault = {
  path: 'descriptor.invoke.kind',
  message: 'is model, but this server has no models: no Workers AI binding and no MODEL_BASE_URL',
  hint: 'its operator sets MODEL_BASE_URL to an OpenAI-compatible address, like http://localhost:11434/v1 of Ollama',
}

export async function saveFaults(descriptor: Descriptor, server: ModelServer | null): Promise<Fault[]> {
  if (!server) return [NO_MODELS]
  const { model, input } = specOf(descriptor)
  const judged = await server.judge(model)
  const faults: Fault[] = []
  if (judged) {
    const { message, nearest } = judged
    faults.push({ path: 'descriptor.invoke.model', message, hint: `use "${nearest}"` })
  }
  return [...faults, ...inputFaults(input), ...limitFaults(descriptor)]
}

/** Inputs that no model takes. */
export function callFaults(descriptor: Descriptor, input: Record<string, unknown>): Fault[] {
  const most = LIMITS.modelInputChars
  return filledFields(specOf(descriptor).input).flatMap((field) => {
    const { length } = JSON.stringify(input[field] ?? '')
    if (length <= most) return []
    return [{ path: `input.${field}`, message: `has ${length} characters; a model is asked at most ${most}` }]
  })
}

function inputFaults(input: Record<string, unknown>): Fault[] {
  const path = (name: string) => `descriptor.invoke.input${name && `.${name}`}`
  const faults: Fault[] = []
  if (input.messages === undefined && input.prompt === undefined) {
    const hint =
      'like {"messages": [{"role": "user", "content": {"fill": {"from": "input", "field": "text"}}}]}'
    faults.push({ path: path(''), message: 'holds neither "messages" nor "prompt"', hint })
  }
  if (input.stream !== undefined && input.stream !== false) {
    faults.push({ path: path('stream'), message: 'must be left out: an answer comes whole' })
  }
  for (const name of ['max_tokens', 'max_completion_tokens']) {
    const given = input[name]
    const { max } = LIMITS.modelTokens
    const fits =
      given === undefined || (Number.isInteger(given) && Number(given) >= 1 && Number(given) <= max)
    if (!fits) faults.push({ path: path(name), message: `must be a whole number from 1 to ${max}` })
  }
  return faults
}

function limitFaults({ limits }: Descriptor): Fault[] {
  const { max } = LIMITS.modelSeconds
  if ((limits?.seconds ?? 0) <= max) return []
  return [
    { path: 'descriptor.limits.seconds', message: `is more than ${max}, which a model may take at most` },
  ]
}
