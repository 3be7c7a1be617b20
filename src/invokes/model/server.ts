import type { Failure } from '../invoke.ts'
import type { NotLive } from './catalogue.ts'
import type { Question } from './request.ts'

/** Who serves models: a binding of the platform, or an address. */
export interface ModelServer {
  /** Why a model cannot be used here; null when it can, as far as this server can tell. */
  judge(model: string): Promise<NotLive | null>
  /** The answer as it came. Rejects with a `ModelRefusal` when there is none. */
  ask(question: Question, signal: AbortSignal): Promise<unknown>
}

/** What a server of models would not do, in words. */
export class ModelRefusal extends Error {
  override name = 'ModelRefusal'
  readonly failure: Failure

  constructor(message: string, details: Pick<Failure, 'hint' | 'isRetryable'> = {}) {
    super(message)
    this.failure = { reason: 'model_failed', message, ...details }
  }
}

export const overCapacity = (): ModelRefusal =>
  new ModelRefusal('The model is over capacity now.', {
    hint: 'Run the tool again in a minute, with a new request_key.',
    isRetryable: true,
  })

export const tooSlow = (seconds: number): Failure => ({
  reason: 'model_failed',
  message: `The model did not answer within ${seconds} s.`,
  hint: 'Ask for less (max_tokens), or save the tool with a higher limits.seconds (up to 300) or a faster model.',
  isRetryable: true,
})
