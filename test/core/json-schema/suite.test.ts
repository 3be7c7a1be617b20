import { existsSync, readdirSync, readFileSync } from 'node:fs'
import { fileURLToPath } from 'node:url'
import { describe, expect, it } from 'vitest'
import { checkSchema, validate } from '../../../src/core/json-schema/index.ts'
import { KNOWN_REFUSALS, refusalReason } from './known-refusals.ts'

/** The official JSON Schema test suite, which lies beside the repository when it is there at all. */
const SUITE = fileURLToPath(
  new URL('../../../../shared/suites/json-schema-2020-12/tests/draft2020-12/', import.meta.url).href,
)
const FILE_MS = 2_000

interface Group {
  description: string
  schema: unknown
  tests: { description: string; data: unknown; valid: boolean }[]
}

const isThere = existsSync(SUITE)
if (!isThere) console.log(`skipped: no JSON Schema test suite at ${SUITE}`)

function filesOf(folder: string): string[] {
  if (!isThere) return []
  const names = readdirSync(SUITE + folder).filter((name) => name.endsWith('.json'))
  return names.map((name) => folder + name)
}

function groupsOf(file: string): Group[] {
  return JSON.parse(readFileSync(SUITE + file, 'utf8')) as Group[]
}

/** What is wrong with our answers to one group; nothing when they are the suite's. */
function wrongIn(file: string, group: Group): string[] {
  const { faults } = checkSchema(group.schema, 'schema')
  const isRefused = faults.length > 0
  if (isRefused !== (refusalReason(file, group.description) !== undefined)) {
    return [
      `${group.description}: ${isRefused ? `refused: ${JSON.stringify(faults)}` : 'is no longer refused'}`,
    ]
  }
  const answers = group.tests.map((test) => ({ test, found: validate(group.schema, test.data, 'value') }))
  // A refused schema never runs; that validating with it throws nothing is all that counts.
  if (isRefused) return []
  return answers
    .filter(({ test, found }) => (found.length === 0) !== (test.valid || file.startsWith('optional/format/')))
    .map(({ test, found }) => `${group.description}: ${test.description}: ${JSON.stringify(found)}`)
}

describe.skipIf(!isThere)('the official suite of draft 2020-12', () => {
  it.each([...filesOf(''), ...filesOf('optional/')])('answers %s as the suite does', (file) => {
    const start = performance.now()
    expect(groupsOf(file).flatMap((group) => wrongIn(file, group))).toEqual([])
    expect(performance.now() - start).toBeLessThan(FILE_MS)
  })

  it.each(filesOf('optional/format/'))(
    'takes format as an annotation in %s: every value is valid',
    (file) => {
      expect(groupsOf(file).flatMap((group) => wrongIn(file, group))).toEqual([])
    },
  )

  it('lists no refusal of a group that the suite does not have', () => {
    for (const { file, groups, but = [] } of KNOWN_REFUSALS) {
      const names = groupsOf(file).map((group) => group.description)
      expect(names).toEqual(expect.arrayContaining([...but, ...(groups === 'all' ? [] : groups)]))
    }
  })
})
