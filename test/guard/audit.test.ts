import { expect, test } from 'vitest'
import { OPERATIONS } from '../../src/core/operations.ts'

/** What changes something and yet adds nothing to the activity, because the account sees it elsewhere. */
const SEEN_ELSEWHERE: Record<string, string> = {
  run_tool: 'list_tasks',
  cancel_task: 'list_tasks',
  report_result: 'read_task',
  write_file: 'list_files',
}

test('every operation that changes something says what the activity holds of it', () => {
  const silent = OPERATIONS.filter(({ scope, audit }) => scope !== 'read' && !audit).map(({ name }) => name)
  expect(silent.toSorted()).toEqual(Object.keys(SEEN_ELSEWHERE).toSorted())
  const known = OPERATIONS.map(({ name }) => name)
  expect(Object.values(SEEN_ELSEWHERE).filter((name) => !known.includes(name))).toEqual([])
})

test('no operation that only reads adds to it', () => {
  expect(OPERATIONS.filter(({ scope, audit }) => scope === 'read' && audit)).toEqual([])
})
