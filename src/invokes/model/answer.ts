import { isRecord } from '../../core/json-schema/path.ts'
import { readStrictJson } from '../../core/strict-json.ts'
import type { End, Failure, RawResult, TokenUsage } from '../invoke.ts'
import type { Question } from './request.ts'

/** What a model said, in one shape whoever serves it. */
interface Said {
  /** Null: nothing, as when it calls a function instead. */
  response: unknown
  refusal: string | null
  finishReason: string | null
  /** The model that answered, where it is another than the tool names. */
  servedBy: string | null
  usage: TokenUsage | null
}

/** Longest piece of a model's own words in a message of ours. */
const SHOWN_CHARS = 200
/** What a token is counted as when the server of a model does not count. */
const TOKEN_CHARS = 4

/** How a question ended that was answered. */
export function answerEnd(question: Question, answer: unknown): End {
  const { response, refusal, finishReason, servedBy, usage } = read(answer)
  const raw: RawResult = {
    result: {
      ...(response !== null && { response }),
      ...(finishReason !== null && { finish_reason: finishReason }),
      ...(servedBy !== null && { served_by: servedBy }),
    },
    usage: usage ?? estimate(question, response),
  }
  const failed = (message: string, hint: string): Failure => ({ reason: 'model_failed', message, hint, raw })
  if (refusal !== null) {
    return failed(`The model refused to answer${refusal && `: ${shown(refusal)}`}.`, 'Ask it something else.')
  }
  if (question.json === null || typeof response !== 'string') return { reason: 'done', raw }
  const json = readStrictJson(unfenced(response))
  if (json.ok)
    return { reason: 'done', raw: { ...raw, result: { ...(raw.result as object), response: json.value } } }
  if (finishReason === 'length') {
    return failed(
      `The model's answer was cut at its limit of tokens, so it is no JSON; it ends with ${shown(response.slice(-SHOWN_CHARS))}.`,
      'Ask for less, or save the tool with a higher max_tokens in invoke.input.',
    )
  }
  return failed(
    `The model did not answer with JSON (${json.path}: ${json.message}); it said ${shown(response)}.`,
    'Run the tool again with a new request_key, or save it with a model that has a JSON mode or a clearer prompt.',
  )
}

/** Reads what Workers AI and OpenAI-compatible servers answer: `{response}`, or a list of choices. */
function read(answer: unknown): Said {
  const fields = isRecord(answer) ? answer : {}
  const [choice] = Array.isArray(fields.choices) ? fields.choices : []
  const message = isRecord(choice) && isRecord(choice.message) ? choice.message : null
  const finishReason =
    isRecord(choice) && typeof choice.finish_reason === 'string' ? choice.finish_reason : null
  const refusal = typeof message?.refusal === 'string' ? message.refusal : null
  return {
    response: (message ? message.content : fields.response) ?? null,
    refusal: refusal ?? (finishReason === 'content_filter' ? '' : null),
    finishReason,
    servedBy: typeof fields.served_by === 'string' ? fields.served_by : null,
    usage: readUsage(fields.usage),
  }
}

function readUsage(usage: unknown): TokenUsage | null {
  if (!isRecord(usage)) return null
  const count = (name: string): number => (Number.isSafeInteger(usage[name]) ? Number(usage[name]) : 0)
  const [input, output] = [count('prompt_tokens'), count('completion_tokens')]
  const total = count('total_tokens') || input + output
  return total > 0 ? { input_tokens: input, output_tokens: output, total_tokens: total } : null
}

function estimate({ input }: Question, response: unknown): TokenUsage {
  const tokens = (value: unknown) => Math.ceil((JSON.stringify(value ?? '').length - 2) / TOKEN_CHARS)
  const [input_tokens, output_tokens] = [tokens(input), tokens(response)]
  return { input_tokens, output_tokens, total_tokens: input_tokens + output_tokens, is_estimate: true }
}

/** JSON as models like to write it: between fences of Markdown. */
const unfenced = (text: string): string => /^\s*```(?:json)?\s*\n(.*?)\n?\s*```\s*$/s.exec(text)?.[1] ?? text

export function shown(text: string): string {
  return JSON.stringify(text.length > SHOWN_CHARS ? `${text.slice(0, SHOWN_CHARS).toWellFormed()}…` : text)
}
