import type { JobEnd } from '../../containers/runner/wire.ts'
import type { Wanted } from './runner.ts'

/** A script whose run shows a difference between interpreters, if there is one. */
export interface Case extends Wanted {
  name: string
  files: Record<string, string>
  args?: string[]
  /** What the interpreter itself says of it, so that two equal faults do not pass for one truth. */
  expected: Partial<JobEnd>
}

export const lines = (...text: string[]): string => text.join('\n')
