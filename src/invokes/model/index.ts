import { LIMITS } from '../../core/limits.ts'
import { Calls } from '../calls.ts'
import type { End, Host, Invoke, Job } from '../invoke.ts'
import { answerEnd } from './answer.ts'
import { callFaults, NO_MODELS, saveFaults } from './check.ts'
import { questionOf } from './request.ts'
import { ModelRefusal, tooSlow, type ModelServer } from './server.ts'

export { openAi, type ModelAddress } from './open-ai.ts'
export { workersAi, type AiBinding } from './workers-ai.ts'
export type { ModelServer } from './server.ts'

/** Asks a hosted model. `server` is null where there is none: then tools of this kind are refused in words. */
export function modelInvoke(server: ModelServer | null): Invoke {
  const calls = new Calls()
  return {
    check: (descriptor) => saveFaults(descriptor, server),
    checkInput: (descriptor, input) =>
      server ? callFaults(descriptor, input) : [{ ...NO_MODELS, path: 'tool_id' }],
    start: (job, host) => calls.start(job, host, (stopped) => run(job, { server, host, stopped })),
    poll: (handle, host) => calls.poll(handle, host),
    stop: (handle) => calls.stop(handle),
  }
}

interface Means {
  server: ModelServer | null
  host: Host
  stopped: AbortSignal
}

async function run({ descriptor, input }: Job, { server, host, stopped }: Means): Promise<End> {
  if (!server) {
    const message = 'Nothing was asked: this server has no models any more.'
    return { reason: 'never_started', message, hint: NO_MODELS.hint }
  }
  const began = host.now()
  const seconds = descriptor.limits?.seconds ?? LIMITS.modelSeconds.default
  const clock = AbortSignal.timeout(seconds * 1_000)
  const question = questionOf(descriptor, input)
  const signal = AbortSignal.any([clock, stopped])
  const answered = server.ask(question, signal).then((answer) => answerEnd(question, answer))
  const end = await answered.catch((error: unknown): End => {
    if (stopped.aborted) return { reason: 'cancelled', message: 'The call was stopped.' }
    if (clock.aborted) return tooSlow(seconds)
    if (error instanceof ModelRefusal) return error.failure
    throw error
  })
  return { ...end, raw: { ...end.raw, took_ms: host.now() - began } }
}
