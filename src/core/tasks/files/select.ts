import { selectOutput } from '../../tools/tool.ts'
import type { Verdict } from '../task.ts'

/** The part of a task's output that a selector names; `$.files` stands beside the output's own fields. */
export function selectResult(
  selector: string,
  output: unknown,
  files: Verdict['files'],
): ReturnType<typeof selectOutput> {
  const selected = selectOutput(selector, output)
  if (selected.found || !files) return selected
  const ofFiles = selectOutput(selector, { files })
  return ofFiles.found ? ofFiles : selected
}
