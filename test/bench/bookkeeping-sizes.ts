import { randomBytes } from 'node:crypto'
import { join } from 'node:path'
import { newId } from '../../src/core/ids.ts'
import { QUOTAS } from '../../src/core/limits.ts'
import type { Submission } from '../../src/core/tasks/port.ts'
import { toRow } from '../../src/core/tasks/row.ts'
import { KEEP_MS } from '../../src/core/tasks/state.ts'
import { TaskStore } from '../../src/core/tasks/store.ts'
import type { Task, Verdict } from '../../src/core/tasks/task.ts'
import { EXAMPLE } from '../../src/core/tools/example.ts'
import { percentile, round, spread } from './measure.ts'
import { openStorage, type StoredObject } from './sqlite.ts'

/** Samples of each kind of question in each account, taken in turns; one lasts so long or so many questions. */
const SAMPLES = 50
const SAMPLE_MS = 5
const SAMPLE_CALLS = 50

/** Accounts grow by a task a second. */
const STEP_MS = 1_000

/** An account of so many tasks, and a thing to ask it for each kind of question. */
interface Account {
  tasks: number
  questions: Record<string, () => unknown>
}

/** More runs than a day allows. */
const RAISED = { ...QUOTAS, containerSecondsADay: 1e9, callsAMinute: 1e9 }

const random = (count: number) => new Uint8Array(randomBytes(count))

export const submissionAt = (now: number, key: string): Submission => ({
  accountId: 'acc_bench',
  id: newId('task', { now: () => now, random }),
  requestKey: key,
  fingerprint: 'f'.repeat(64),
  spec: {
    hash: 'a'.repeat(64),
    versionId: 1,
    toolId: 'tool:count-words',
    version: 1,
    descriptor: EXAMPLE.descriptor,
    codeHash: 'c'.repeat(64),
  },
  toolId: 'tool:count-words',
  input: { text: 'the quick brown fox jumps' },
  job: 'count the words of a sentence',
  isSample: false,
  plan: null,
  scheduleId: null,
})

const HANDLE = { boot: 'b'.repeat(16), accountId: 'acc_bench', stdout: 'json', seconds: 30, memory_mb: 1_024 }

const VERDICT: Verdict = {
  state: 'completed',
  endReason: 'done',
  output: { words: 5 },
  contract: { passed: true, checks: [] },
  error: null,
  exitCode: 0,
  stdout: null,
  stderr: null,
  tookMs: 20,
}

/** Everything that is written and read of one task from its call to its end. */
function runOnce(store: TaskStore, submission: Submission, now: number): Task {
  const { id, input } = submission
  const attempt = 1
  store.submit(submission, now)
  store.nextDue(now)
  store.claim(id, now)
  store.apply(id, { kind: 'resolved', attempt, input }, now)
  store.spec(submission.spec.hash)
  store.apply(id, { kind: 'sent', attempt, handle: { ...HANDLE, id } }, now)
  const ended = store.apply(id, { kind: 'ended', attempt, verdict: VERDICT }, now)
  store.waitingFor(id)
  store.nextDue(now)
  if (!ended || !store.find(id)?.verdict) throw new Error('a run did not end')
  return ended
}

/** Fills an account with ended tasks: two tools, half of the tasks failed, three tasks of a tool that is hardly used. */
function fill({ storage, database }: StoredObject, tasks: number, begin: number): string[] {
  const row = toRow(runOnce(new TaskStore(storage, RAISED), submissionAt(begin, 'model'), begin))
  const names = Object.keys(row)
  const marks = names.map(() => '?').join(', ')
  const task = database.prepare(`insert into task (${names.join(', ')}) values (${marks})`)
  const key = database.prepare('insert into request_key values (?, ?, ?)')
  const ids: string[] = []
  database.exec('begin')
  for (let i = 1; i < tasks; i += 1) {
    const at = begin + i * STEP_MS
    const id = newId('task', { now: () => at, random })
    const state = i % 2 === 0 ? 'failed' : 'completed'
    const tool_id = [1, 3, 5].includes(i) ? 'tool:rare' : i % 4 < 2 ? 'tool:one' : 'tool:two'
    const times = { created_at: at, started_at: at, ended_at: at, wake_at: at + KEEP_MS }
    task.run(...Object.values({ ...row, ...times, id, state, tool_id }))
    key.run(`key-${i}`, 'f'.repeat(64), id)
    ids.push(id)
  }
  database.exec('commit')
  return ids
}

function openAccount(folder: string, tasks: number): Account {
  const end = Date.now()
  const object = openStorage(join(folder, `${tasks}.sqlite`))
  const ids = fill(object, tasks, end - tasks * STEP_MS)
  const store = new TaskStore(object.storage, RAISED)
  let runs = 0
  const anyOf = (values: string[]) => values[Math.floor(Math.random() * values.length)] ?? ''
  return {
    tasks,
    questions: {
      run_and_forget: () => {
        runs += 1
        const { id } = runOnce(store, submissionAt(end, `run-${runs}`), end)
        store.forget(id, end + KEEP_MS)
      },
      read_newest: () => store.find(ids.at(-1) ?? ''),
      read_any: () => store.find(anyOf(ids)),
      find_any_key: () =>
        store.findByKey({
          requestKey: `key-${1 + Math.floor(Math.random() * (tasks - 1))}`,
          fingerprint: '',
        }),
      list: () => store.list({ limit: 5 }),
      list_of_state: () => store.list({ state: 'failed', limit: 4 }),
      list_of_tool: () => store.list({ toolId: 'tool:two', limit: 3 }),
      list_of_both: () => store.list({ toolId: 'tool:rare', state: 'completed', limit: 5 }),
      list_of_rare_state: () => store.list({ toolId: 'tool:one', state: 'for_you_to_run', limit: 5 }),
      list_since: () => store.list({ since: end - 3.5 * STEP_MS, limit: 5 }),
      due: () => store.due(end),
      next_due: () => store.nextDue(end),
      begin_object: () => store.releaseLeases(end),
    },
  }
}

/** Milliseconds of one question, asked for a moment. */
function sample(ask: () => unknown): number {
  const start = performance.now()
  let calls = 0
  let took = 0
  while (took < SAMPLE_MS && calls < SAMPLE_CALLS) {
    ask()
    calls += 1
    took = performance.now() - start
  }
  return took / calls
}

/** What each question costs in accounts of these sizes, as ratios to the first of them, asked in turns. */
export function compareSizes(folder: string, sizes: number[]) {
  const accounts = sizes.map((tasks) => openAccount(folder, tasks))
  const [smallest] = accounts
  const result: Record<string, unknown> = {}
  for (const question of Object.keys(smallest?.questions ?? {})) {
    const times = accounts.map((): number[] => [])
    for (let i = 0; i < SAMPLES; i += 1) {
      for (const [n, { questions }] of accounts.entries()) times[n]?.push(sample(questions[question] ?? Date))
    }
    const ratios = accounts
      .slice(1)
      .map(({ tasks }, n) => [`with_${tasks}`, spread(ratiosOf(times[n + 1] ?? [], times[0] ?? []))])
    result[question] = { us: round(quick(times[0] ?? []) * 1_000), ...Object.fromEntries(ratios) }
  }
  return result
}

/** The time below which a quarter of the samples lie: what busy neighbours add comes on top. */
const quick = (times: number[]): number => percentile(times, 0.25)

/** The ratio in each fifth of the samples. */
function ratiosOf(times: number[], base: number[]): number[] {
  const size = Math.ceil(times.length / 5)
  return Array.from({ length: 5 }, (_, n) => {
    const part = (all: number[]) => quick(all.slice(n * size, (n + 1) * size))
    return part(times) / part(base)
  })
}
