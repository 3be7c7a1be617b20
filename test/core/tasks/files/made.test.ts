import { describe, expect, test } from 'vitest'
import type { Invoke, MadeFile } from '../../../../src/invokes/invoke.ts'
import { scrubberOf } from '../../../../src/core/connections/scrub.ts'
import { Problem } from '../../../../src/core/problem.ts'
import { filesOf, keepMade } from '../../../../src/core/tasks/files/made.ts'
import { selectResult } from '../../../../src/core/tasks/files/select.ts'
import type { Task, Verdict } from '../../../../src/core/tasks/task.ts'
import type { Wheel } from '../../../../src/core/tasks/work/wheel.ts'

const MADE: MadeFile = {
  name: 'clip',
  path: '/work/a/out.mp4',
  size: 3,
  sha256: '0a'.repeat(32),
  media_type: 'video/mp4',
}
const FILES = {
  clip: { identity: `1f:${MADE.sha256}`, path: 'outputs/t/a/out.mp4', size: 3, media_type: 'video/mp4' },
}
const COMPLETED: Verdict = {
  state: 'completed',
  endReason: 'done',
  output: { n: 1 },
  files: FILES,
  contract: { passed: true, checks: [] },
  error: null,
  exitCode: 0,
  stdout: null,
  stderr: null,
  tookMs: 1,
}

const streamOf = (pieces: string[]) =>
  new ReadableStream<Uint8Array>({
    start(controller) {
      for (const piece of pieces) controller.enqueue(new TextEncoder().encode(piece))
      controller.close()
    },
  })

/** Keeps the file by what `keep` does at each try; tells how often it was tried and what the place was told. */
async function keepBy(
  keep: (tries: number) => void,
  { secrets = new Map<string, string>(), bytes = [''] } = {},
) {
  let tries = 0
  const stopped: unknown[] = []
  const task = { id: 't', accountId: 'a', handle: { id: 't' } } as unknown as Task
  const invoke = {
    stop: async (handle: unknown) => void stopped.push(handle),
    output: async () => streamOf(bytes),
  } as unknown as Invoke
  const wheel = {
    sleep: async () => {},
    host: {},
    files: { keep: async () => keep((tries += 1)) },
  } as unknown as Wheel
  const verdict = await keepMade(
    COMPLETED,
    { task, made: [MADE], invoke, scrubber: scrubberOf(secrets) },
    wheel,
  )
  return { verdict, tries, stopped }
}

describe('the files of a run', () => {
  test('are told by their identity and path', () => {
    expect(filesOf('t', [MADE])).toEqual(FILES)
    expect(filesOf('t', [])).toBeUndefined()
  })

  test('are kept before the task completes, and the place need not hold them any longer', async () => {
    const kept = await keepBy(() => {})
    expect(kept).toEqual({ verdict: COMPLETED, tries: 1, stopped: [{ id: 't' }] })
  })

  test('are tried again when that fails', async () => {
    const { verdict, tries } = await keepBy((tries) => {
      if (tries < 3) throw new Error('R2 is busy')
    })
    expect([verdict, tries]).toEqual([COMPLETED, 3])
  })

  test('that cannot be kept fail the task, which then shows none of them', async () => {
    const { verdict, tries, stopped } = await keepBy(() => {
      throw new Error('R2 is down')
    })
    expect([tries, stopped]).toEqual([5, []])
    expect(verdict).toMatchObject({
      state: 'failed',
      endReason: 'result_lost',
      error: {
        message: expect.stringMatching(/"clip".* could not keep the file: R2 is down/),
        retryable: true,
      },
    })
    expect(verdict).not.toHaveProperty('files')
    expect(verdict).not.toHaveProperty('output')
  })

  test('that may not be kept are not tried again', async () => {
    const { verdict, tries } = await keepBy(() => {
      throw new Problem('quota_exceeded', 'There is no room.')
    })
    expect(tries).toBe(1)
    expect(verdict.error?.message).toMatch(/There is no room/)
  })

  test('that would give a connection away are not kept', async () => {
    const secrets = new Map([['key', 'sk-canary-0123']])
    const { verdict, tries, stopped } = await keepBy(() => {}, {
      secrets,
      bytes: ['before sk-can', 'ary-0123 after'],
    })
    // The place is not to hold it either.
    expect([tries, stopped]).toEqual([0, [{ id: 't' }]])
    expect(verdict).toMatchObject({
      state: 'failed',
      endReason: 'output_invalid',
      error: {
        code: 'output_invalid',
        message: expect.stringMatching(/"clip" holds the value of a connection/),
      },
    })
    expect(verdict).not.toHaveProperty('files')
    const clean = await keepBy(() => {}, { secrets, bytes: ['before sk-can', 'ary-012 after'] })
    expect([clean.verdict, clean.tries]).toEqual([COMPLETED, 1])
  })

  test("stand beside the output's own fields", () => {
    const of = (selector: string, output: unknown) => selectResult(selector, output, FILES)
    expect(of('$.files.clip', { n: 1 })).toEqual({ found: true, value: FILES.clip })
    expect(of('$.files.clip.size', 'a text')).toEqual({ found: true, value: 3 })
    expect(of('$.files', { files: 'its own' })).toEqual({ found: true, value: 'its own' })
    expect(of('$.other', { n: 1 }).found).toBe(false)
    expect(selectResult('$.files', {}, undefined).found).toBe(false)
  })
})
