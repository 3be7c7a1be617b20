import type { Invoke, MadeFile } from '../../../invokes/invoke.ts'
import type { Scrubber } from '../../connections/scrub.ts'
import { identityOf } from '../../files/identity.ts'
import { Problem } from '../../problem.ts'
import type { Task, TaskError, TaskFile, Verdict } from '../task.ts'
import { holdsSecret } from './scan.ts'
import { hostToStop, type Wheel } from '../work/wheel.ts'

/** Where an account finds what a task made. */
const pathOf = (taskId: string, { path }: MadeFile): string =>
  `outputs/${taskId}/${path.replace(/^\/work\//, '')}`

/** What a task says of the files that its run made. */
export function filesOf(taskId: string, made: MadeFile[] = []): Record<string, TaskFile> | undefined {
  if (made.length === 0) return undefined
  return Object.fromEntries(
    made.map((file) => [
      file.name,
      {
        identity: identityOf(file.sha256),
        path: pathOf(taskId, file),
        size: file.size,
        media_type: file.media_type,
      },
    ]),
  )
}

const TRIES = 5
const FIRST_PAUSE_MS = 200

/** What is to be kept: the files of one run, and who gives their bytes. */
export interface Keeping {
  task: Task
  made: MadeFile[]
  invoke: Invoke | undefined
  scrubber: Scrubber
}

/**
 * Keeps the files of a completed run before anybody is told that it completed. The verdict is another one when that
 * cannot be done: no task shows a file that cannot be read.
 */
export async function keepMade(verdict: Verdict, keeping: Keeping, wheel: Wheel): Promise<Verdict> {
  const { made } = keeping
  if (verdict.state !== 'completed' || !verdict.files) return verdict
  for (const file of made) {
    const problem = await tryToKeep(file, keeping, wheel)
    if (problem?.code === 'output_invalid') await letGo(keeping, wheel)
    if (problem !== null) return notKept(verdict, problem)
  }
  await letGo(keeping, wheel)
  return verdict
}

/** The machine need not hold them any longer; it drops them by itself when it does not hear of this. */
async function letGo({ task, invoke }: Keeping, wheel: Wheel): Promise<void> {
  if (task.handle) await invoke?.stop(task.handle, hostToStop(wheel)).catch(() => {})
}

type Failed = Pick<TaskError, 'message' | 'hint' | 'retryable'> & { code: 'result_lost' | 'output_invalid' }

/** Null once the file is kept, else why it could not be. */
async function tryToKeep(file: MadeFile, keeping: Keeping, wheel: Wheel): Promise<Failed | null> {
  const { task, invoke, scrubber } = keeping
  const openFile = () => open(task, invoke, file.name)
  for (let tries = 1; ; tries += 1) {
    try {
      if (scrubber.longest > 0 && (await holdsSecret(await openFile(), scrubber))) return secretIn(file)
      await wheel.files.keep(task, { ...file, path: pathOf(task.id, file) }, openFile)
      return null
    } catch (error) {
      if (error instanceof Problem) return lost(file, error.message)
      if (tries === TRIES) return lost(file, error instanceof Error ? error.message : String(error))
      await wheel.sleep(FIRST_PAUSE_MS * 2 ** (tries - 1))
    }
  }
}

async function open(
  task: Task,
  invoke: Invoke | undefined,
  name: string,
): Promise<ReadableStream<Uint8Array>> {
  if (!invoke?.output || !task.handle) throw new Error('the place gives no files')
  return invoke.output(task.handle, name)
}

const lost = ({ name }: MadeFile, why: string): Failed => ({
  code: 'result_lost',
  message: `The tool made the file "${name}", but this server could not keep the file: ${why}`,
  hint: 'Run the tool again with a new request_key.',
  retryable: true,
})

/** Bytes of a made file are not changed: one that would give a connection away is not kept at all. */
const secretIn = ({ name }: MadeFile): Failed => ({
  code: 'output_invalid',
  message: `The file "${name}" holds the value of a connection, so it was not kept.`,
  hint: 'Let the tool leave that value out of its files.',
})

function notKept({ output: _, files: __, ...verdict }: Verdict, error: Failed): Verdict {
  const contract = { passed: false, checks: [] }
  return { ...verdict, state: 'failed', endReason: error.code, contract, error }
}
