/**
 * The text models of Workers AI as this server knows them. Sources: developers.cloudflare.com/workers-ai/models,
 * /workers-ai/features/json-mode, the change log of 2026-05-08 ("Planned model deprecations") and the types of
 * `wrangler types`; read on 2026-11-30. Where the binding lists its models, its list counts, and this one says only
 * what it cannot: how a model is spoken to, and what came in the place of a retired one.
 */

/**
 * How a model is spoken to. `plain`: `{response}`, JSON asked for by the bare schema. `chat`: OpenAI's chat completions.
 * `text`: as `plain`, but it has no JSON mode.
 */
export type Manner = 'plain' | 'chat' | 'text'

export const LIVE: Readonly<Record<string, Manner>> = {
  '@cf/aisingapore/gemma-sea-lion-v4-27b-it': 'plain',
  '@cf/deepseek-ai/deepseek-r1-distill-qwen-32b': 'plain',
  '@cf/deepseek-ai/deepseek-v4-flash-0731': 'chat',
  '@cf/deepseek-ai/deepseek-v4-pro-0813': 'chat',
  '@cf/google/gemma-2b-it-lora': 'text',
  '@cf/google/gemma-4-26b-a4b-it': 'chat',
  '@cf/google/gemma-7b-it-lora': 'text',
  '@cf/ibm-granite/granite-4.0-h-micro': 'plain',
  '@cf/meta-llama/llama-2-7b-chat-hf-lora': 'text',
  '@cf/meta/llama-3.1-8b-instruct-fast': 'plain',
  '@cf/meta/llama-3.1-8b-instruct-fp8': 'plain',
  '@cf/meta/llama-3.2-11b-vision-instruct': 'plain',
  '@cf/meta/llama-3.2-1b-instruct': 'plain',
  '@cf/meta/llama-3.2-3b-instruct': 'plain',
  '@cf/meta/llama-3.3-70b-instruct-fp8-fast': 'plain',
  '@cf/meta/llama-4-scout-17b-16e-instruct': 'plain',
  '@cf/meta/llama-guard-3-8b': 'text',
  '@cf/mistral/mistral-7b-instruct-v0.2-lora': 'text',
  '@cf/mistralai/mistral-small-3.1-24b-instruct': 'plain',
  '@cf/moonshotai/kimi-k2.6': 'chat',
  '@cf/moonshotai/kimi-k2.7-code': 'chat',
  '@cf/nvidia/nemotron-3-120b-a12b': 'chat',
  '@cf/openai/gpt-oss-120b': 'chat',
  '@cf/openai/gpt-oss-20b': 'chat',
  '@cf/qwen/qwen2.5-coder-32b-instruct': 'plain',
  '@cf/qwen/qwen3-30b-a3b-fp8': 'plain',
  '@cf/qwen/qwen3.8-27b': 'chat',
  '@cf/qwen/qwq-32b': 'plain',
  '@cf/zai-org/glm-4.7-flash': 'chat',
  '@cf/zai-org/glm-5.2': 'chat',
  '@cf/zai-org/glm-5.3': 'chat',
  '@cf/zai-org/glm-5.3-flash': 'chat',
}

const GLM = '@cf/zai-org/glm-4.7-flash'
const GEMMA = '@cf/google/gemma-4-26b-a4b-it'
const LLAMA_8B = '@cf/meta/llama-3.1-8b-instruct-fp8'

/** Retired on 2026-05-30, and what does their work now: a variant that lives on, else what Cloudflare recommends. */
export const RETIRED: Readonly<Record<string, string>> = {
  '@cf/defog/sqlcoder-7b-2': GLM,
  '@cf/facebook/bart-large-cnn': GLM,
  '@cf/google/gemma-3-12b-it': GEMMA,
  '@cf/meta/llama-2-7b-chat-fp16': LLAMA_8B,
  '@cf/meta/llama-2-7b-chat-int8': LLAMA_8B,
  '@cf/meta/llama-3-8b-instruct': LLAMA_8B,
  '@cf/meta/llama-3-8b-instruct-awq': LLAMA_8B,
  '@cf/meta/llama-3.1-70b-instruct': '@cf/meta/llama-3.3-70b-instruct-fp8-fast',
  '@cf/meta/llama-3.1-8b-instruct': LLAMA_8B,
  '@cf/meta/llama-3.1-8b-instruct-awq': LLAMA_8B,
  '@cf/microsoft/phi-2': GLM,
  '@cf/mistral/mistral-7b-instruct-v0.1': '@cf/mistralai/mistral-small-3.1-24b-instruct',
  '@cf/moonshotai/kimi-k2.5': '@cf/moonshotai/kimi-k2.6',
  '@cf/unum/uform-gen2-qwen-500m': GEMMA,
}
const RETIRED_ON = '2026-05-30'

/** A model's manner of speaking; one that is newer than this list speaks as new ones do. */
export const mannerOf = (model: string): Manner => LIVE[model] ?? 'chat'

export interface NotLive {
  message: string
  /** The model to use instead. */
  nearest: string
}

/** Why a model cannot be used, and the nearest one that can. Null: it lives. `listed`: what the binding says it has. */
export function judgeModel(model: string, listed: readonly string[] | null): NotLive | null {
  const live = listed ?? Object.keys(LIVE)
  if (live.includes(model)) return null
  const successor = RETIRED[model]
  const message = successor ? `was retired on ${RETIRED_ON}` : 'is no text model that Workers AI has'
  return { message, nearest: successor && live.includes(successor) ? successor : nearestOf(model, live) }
}

/** The one of some names that has most words in common with another, the shorter one of two alike. */
export function nearestOf(name: string, names: readonly string[]): string {
  const words = wordsOf(name)
  const score = (other: string): number => {
    const theirs = wordsOf(other)
    const shared = [...words].filter((word) => theirs.has(word)).length
    return shared / (words.size + theirs.size - shared)
  }
  const [nearest = ''] = names.toSorted((a, b) => score(b) - score(a) || a.length - b.length)
  return nearest
}

/** Words and numbers of a model's name: `@cf/meta/llama-3.1-8b-instruct` and `llama3.1:8b` share three. */
const wordsOf = (name: string): Set<string> =>
  new Set(
    name
      .toLowerCase()
      .match(/\d+(?:\.\d+)?b?|[a-z]+/g)
      ?.filter((word) => word !== 'cf'),
  )
