import { LIMITS } from '../../core/limits.ts'
import { WebRefusal, type Web, type WebRequest } from '../../core/net/web.ts'
import { Calls } from '../calls.ts'
import type { End, Failure, Host, Invoke, Job } from '../invoke.ts'
import { answerEnd, heardOf, readBody, type Heard } from './answer.ts'
import { saveFaults, specOf } from './check.ts'
import { secretNames } from '../../core/tools/descriptor/descriptor.ts'
import { fill } from './fill.ts'

/** Calls a web address that answers JSON. */
export function httpInvoke(web: Web): Invoke {
  const calls = new Calls()
  return {
    check: (descriptor) => saveFaults(descriptor, web),
    checkInput: (descriptor, input) => {
      const filled = fill(specOf(descriptor), input, new Map())
      return filled.ok ? [] : filled.faults
    },
    start: (job, host) => calls.start(job, host, (stopped) => run(job, { web, host, stopped })),
    poll: (handle, host) => calls.poll(handle, host),
    stop: (handle) => calls.stop(handle),
  }
}

interface Means {
  web: Web
  host: Host
  stopped: AbortSignal
}

async function run({ descriptor, input }: Job, { web, host, stopped }: Means): Promise<End> {
  const invoke = specOf(descriptor)
  const secrets = new Map<string, string>()
  for (const name of secretNames({ invoke })) {
    const value = await host.secret(name)
    if (value === null) return unsent(`the connection ${name} is not set`, 'Set it, then run the tool again.')
    secrets.set(name, value)
  }
  const filled = fill(invoke, input, secrets)
  if (!filled.ok) {
    const [fault] = filled.faults
    return unsent(`${fault?.path} ${fault?.message}`, 'Send another input.')
  }
  const seconds = Math.min(descriptor.limits?.seconds ?? LIMITS.httpSeconds, LIMITS.httpSeconds)
  const began = host.now()
  const end = await call(filled.request, web, { seconds, stopped })
  const took_ms = host.now() - began
  return end.reason === 'never_started' ? end : { ...end, raw: { ...end.raw, took_ms } }
}

/** One request and its answer, within the time that it has. */
async function call(
  request: WebRequest,
  web: Web,
  { seconds, stopped }: { seconds: number; stopped: AbortSignal },
): Promise<End> {
  const clock = AbortSignal.timeout(seconds * 1_000)
  const signal = AbortSignal.any([clock, stopped])
  let heard: Heard | null = null
  try {
    const response = await web.open(request, signal)
    heard = heardOf(response)
    return answerEnd(heard, await readBody(response, heard))
  } catch (error) {
    if (stopped.aborted) return { reason: 'cancelled', message: 'The call was stopped.' }
    if (clock.aborted) return timedOut(heard, seconds)
    if (error instanceof WebRefusal) return refused(error)
    return heard ? brokeOff(heard) : BROKEN
  }
}

const unsent = (why: string, hint: string): Failure => ({
  reason: 'never_started',
  message: `Nothing was sent: ${why}.`,
  hint,
})

const timedOut = (heard: Heard | null, seconds: number): Failure => ({
  reason: 'timed_out',
  message: heard
    ? `The answer (status ${heard.status}, ${heard.type}) was not whole after ${seconds} s: ${heard.bytes} bytes had come.`
    : `The address did not answer within ${seconds} s.`,
  hint: 'It may have done what it was asked. Run the tool again with a new request_key.',
  isRetryable: true,
})

const brokeOff = ({ status, type, bytes }: Heard): Failure => ({
  reason: 'http_failed',
  message: `The answer (status ${status}, ${type}) broke off after ${bytes} bytes.`,
  hint: 'The address may have done what it was asked. Run the tool again with a new request_key.',
  isRetryable: true,
})

const BROKEN: Failure = {
  reason: 'http_failed',
  message: 'The call broke before an answer came.',
  hint: 'Run the tool again with a new request_key.',
  isRetryable: true,
}

function refused({ kind, message }: WebRefusal): Failure {
  switch (kind) {
    case 'resolver':
      return { ...unsent(message, 'Run the tool again with a new request_key.'), isRetryable: true }
    case 'name':
    case 'address':
      return {
        reason: 'http_failed',
        message: `Nothing was sent: ${message}.`,
        hint: 'Only public addresses are called.',
      }
    case 'redirect':
      return {
        reason: 'http_failed',
        message: `The redirect was refused: ${message}.`,
        hint: 'Save the tool with the address that it leads to, if that is a public one.',
      }
    case 'connection':
      return {
        reason: 'http_failed',
        message: `The call failed: ${message}.`,
        hint: 'Run the tool again with a new request_key.',
        isRetryable: true,
      }
  }
}
