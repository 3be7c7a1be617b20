import type { JobRequest, JobState } from '../../../containers/runner/wire.ts'
import { LIMITS } from '../../core/limits.ts'
import type { RunLimits } from '../../core/tools/descriptor/descriptor.ts'
import type { Host, Invoke, Job, Step } from '../invoke.ts'
import { argumentFaults, fillArgv } from './argv.ts'
import { placeFaults, specOf } from './check.ts'
import { readHandle, RunnerClient, type Answer, type Runner, type Sent } from './client.ts'
import { LOST, toEnd } from './end.ts'
import { fillEnv } from './env.ts'
import { goneInput, inputsOf, localInput } from './files.ts'

export type { Runner } from './client.ts'

/** Runs a tool's script in a sealed machine, by the wire of `containers/runner/wire.ts`. */
export function containerInvoke(runner: Runner): Invoke {
  const clientOf = (accountId: string) => new RunnerClient(runner, accountId)
  return {
    check: placeFaults,
    checkInput: (descriptor, input) => argumentFaults(specOf(descriptor), input),
    start: (job, host) => start(clientOf(job.accountId), job, host),
    poll: (handle, host) => poll(clientOf(readHandle(handle).accountId), readHandle(handle), host),
    output: (handle, name) => clientOf(readHandle(handle).accountId).output(readHandle(handle).id, name),
    stop: (handle) => stop(clientOf(readHandle(handle).accountId), readHandle(handle)),
  }
}

async function start(client: RunnerClient, job: Job, host: Host): Promise<Step> {
  let boot: string
  let env: Record<string, string>
  try {
    env = await fillEnv(specOf(job.descriptor), host)
  } catch (error) {
    return { kind: job.handle ? 'silent' : 'not_started', message: wordsOf(error) }
  }
  try {
    boot = job.handle ? readHandle(job.handle).boot : await client.findBoot()
  } catch (error) {
    return { kind: 'not_started', message: `the machine does not answer (${wordsOf(error)})` }
  }
  const sent = sentOf(job, boot)
  if (!host.recordHandle({ ...sent })) return { kind: 'silent', message: 'another drives this task' }
  try {
    const lacking = await sendInputs(client, job, { sent, host })
    if (lacking) return lacking
    const answer = await post(client, { job, boot, env }, host)
    if (answer.kind === 'state') return toStep(answer.state, sent)
    if (answer.status === 410) return forgotten()
    // With an earlier handle the run may have begun before the machine was restarted.
    if (answer.status === 412 && job.handle) return lost()
    return { kind: 'not_started', message: `the machine said: ${answer.message}` }
  } catch (error) {
    return { kind: 'silent', message: wordsOf(error) }
  }
}

/** Sends what the job reads and the machine does not have; a step when that cannot be done. Null: it has all. */
async function sendInputs(
  client: RunnerClient,
  job: Job,
  { sent, host }: { sent: Sent; host: Host },
): Promise<Step | null> {
  for (const { sha256 } of inputsOf(job)) {
    try {
      if (await client.hasInput(sha256)) continue
      const file = await host.file(`1f:${sha256}`)
      if (!file) return { kind: 'ended', end: goneInput(`1f:${sha256}`) }
      await client.sendInput(sha256, file)
    } catch (error) {
      // An earlier start may have come further than this one.
      if (job.handle) throw error
      return { kind: 'not_started', message: `a file could not be sent: ${wordsOf(error)}` }
    }
    // A large file may take longer than a driver may be silent.
    if (!host.recordHandle({ ...sent })) return { kind: 'silent', message: 'another drives this task' }
  }
  return null
}

/** Sends the job, and its code first where the machine does not have it. */
async function post(client: RunnerClient, order: Order, host: Host): Promise<Answer> {
  const { job } = order
  const request = jobRequest(order)
  const answer = await client.post(request, host)
  if (answer.kind === 'state' || answer.status !== 409 || job.codeHash === null) return answer
  if (answer.code === 'input_missing') return answer
  try {
    await client.sendBundle(job.codeHash, host)
  } catch (error) {
    return { ...answer, message: `the code could not be sent: ${wordsOf(error)}` }
  }
  return client.post(request, host)
}

async function poll(client: RunnerClient, sent: Sent, host: Host): Promise<Step> {
  try {
    const answer = await client.get(sent.id, host)
    if (answer.kind === 'state') return toStep(answer.state, sent)
    if (answer.status === 410) return forgotten()
    if (answer.status !== 404) return { kind: 'silent', message: answer.message }
    return answer.boot === sent.boot ? { kind: 'not_started', message: answer.message } : lost()
  } catch (error) {
    return { kind: 'silent', message: wordsOf(error) }
  }
}

/** A machine that does not know the job has nothing of it to stop. Rejects when the machine could not be told. */
async function stop(client: RunnerClient, { id }: Sent): Promise<void> {
  const answer = await client.stop(id)
  if (answer.kind === 'refusal' && answer.status !== 404 && answer.status !== 410) {
    throw new Error(`the machine said: ${answer.message}`)
  }
}

function toStep(state: JobState, sent: Sent): Step {
  if (state.state === 'ended') return { kind: 'ended', end: toEnd(state.end, sent) }
  return { kind: 'running', handle: { ...sent }, isStarted: state.state === 'running' }
}

function sentOf(job: Job, boot: string): Sent {
  const { accountId, id, descriptor } = job
  return { boot, accountId, id, stdout: specOf(descriptor).stdout, ...runLimits(job) }
}

const lost = (): Step => ({ kind: 'ended', end: LOST })

const forgotten = (): Step => ({
  kind: 'ended',
  end: {
    reason: 'result_lost',
    message: 'The run ended, but its result was not fetched in time and is gone.',
    hint: 'Run the tool again with a new request_key.',
    isRetryable: true,
  },
})

const wordsOf = (error: unknown): string => (error instanceof Error ? error.message : String(error))

const runLimits = ({ descriptor }: Job): Required<RunLimits> => ({
  seconds: descriptor.limits?.seconds ?? LIMITS.seconds.default,
  memory_mb: descriptor.limits?.memory_mb ?? LIMITS.memoryMb.default,
})

/** A job, the machine that is meant, and the variables with the connections in their places. */
interface Order {
  job: Job
  boot: string
  env: Record<string, string>
}

function jobRequest({ job, boot, env }: Order): JobRequest {
  const invoke = specOf(job.descriptor)
  const input = localInput(job)
  const { seconds, memory_mb } = runLimits(job)
  return {
    id: job.id,
    account: job.accountId,
    boot,
    argv: fillArgv(invoke, input, job.descriptor),
    stdin: invoke.stdin === 'json' ? JSON.stringify(input) : null,
    env,
    bundle: job.codeHash,
    inputs: inputsOf(job),
    outputs: (invoke.outputs ?? []).map(({ name, path, media_type }) => ({ name, path, media_type })),
    limits: {
      wall_ms: seconds * 1_000,
      memory_mb,
      disk_mb: LIMITS.diskMb,
      processes: LIMITS.processes,
      stdout_bytes: LIMITS.stdout,
      stderr_bytes: LIMITS.stderrKept,
    },
  }
}
