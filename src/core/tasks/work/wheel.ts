import type { Host, Invokes } from '../../../invokes/invoke.ts'
import type { Secrets } from '../../connections/secrets.ts'
import type { Problem } from '../../problem.ts'
import type { TaskFiles } from '../files/port.ts'
import type { TaskStore } from '../store.ts'
import type { OutputFile, Task, TaskSpec } from '../task.ts'

/** What the work on tasks needs of its object and the platform. */
export interface Wheel {
  accountId: string
  store: TaskStore
  invokes: Invokes
  host: Omit<Host, 'recordHandle' | 'secret'>
  sleep: (ms: number) => Promise<void>
  newTaskId: () => string
  /** Has somebody look at a task now. */
  take: (taskId: string) => void
  /** Whether the account may no longer run a version: its tool was deleted, or withdrawn by another maker. */
  isWithdrawn: (spec: TaskSpec) => Promise<boolean>
  /** Counts a run that begins off what its account holds of the tool's price; the refusal where that is nothing. */
  pay: (task: Pick<Task, 'id' | 'accountId'>, spec: TaskSpec) => Promise<Problem | null>
  outputs: Outputs
  files: TaskFiles
  secrets: Secrets
}

/** What a place is lent to end a job: nothing is recorded for that, and no connection opened. */
export const hostToStop = ({ host }: Wheel): Host => ({
  ...host,
  recordHandle: () => false,
  secret: async () => null,
})

/** Where outputs that are too large for an answer are kept. */
export interface Outputs {
  keep: (json: string, task: Pick<Task, 'id' | 'accountId'>) => Promise<OutputFile>
  /** The output again; null when its bytes are gone. */
  load: (file: OutputFile) => Promise<{ output: unknown } | null>
}
