import { describe, expect, test } from 'vitest'
import { settle } from '../../../../src/core/tasks/work/settle.ts'
import { EXAMPLE } from '../../../../src/core/tools/example.ts'
import type { Descriptor } from '../../../../src/core/tools/descriptor/descriptor.ts'
import type { End } from '../../../../src/invokes/invoke.ts'

const done = (stdout: string): End => ({
  reason: 'done',
  raw: { stdout, stderr: '', exit_code: 0, took_ms: 5 },
})

const settled = (end: End, given: Partial<Descriptor> = {}, isSample = false) =>
  settle({ descriptor: { ...EXAMPLE.descriptor, ...given }, input: { text: 'a b' }, isSample }, end)

describe('the end of the work becomes the end of the task', () => {
  test('the last line that is not blank is the result', () => {
    expect(settled(done('log\n{"words": 2}\n\n  \n'))).toEqual({
      state: 'completed',
      endReason: 'done',
      output: { words: 2 },
      contract: { passed: true, checks: [] },
      error: null,
      exitCode: 0,
      stdout: null,
      stderr: null,
      tookMs: 5,
    })
  })

  test('a sample that answers otherwise is completed, and its contract is not passed', () => {
    const { state, contract } = settled(done('{"words": 2}'), {}, true)
    expect(state).toBe('completed')
    expect(contract).toMatchObject({ passed: false, checks: [{ kind: 'sample-run', passed: false }] })
  })

  test.each<[string, string, RegExp]>([
    ['nothing printed', '\n', /printed nothing/],
    ['no JSON', 'words: 2', /not strict JSON/],
    ['a number that is none', '{"words": NaN}', /words.*NaN/],
    ['another shape', '{"words": "2"}', /output\.words/],
    ['more fields than promised', '{"words": 2, "lines": 1}', /lines/],
  ])('%s is output_invalid, and the text is kept', (_what, stdout, words) => {
    const verdict = settled(done(stdout))
    expect(verdict).toMatchObject({
      state: 'failed',
      endReason: 'output_invalid',
      stdout,
      contract: { passed: false },
    })
    expect(verdict.error?.message).toMatch(words)
    expect('output' in verdict).toBe(false)
  })

  test('a selector that finds nothing says so; a selected null is a value', () => {
    const given = { result_selector: '.result.part', output_schema: true }
    expect(settled(done('{}'), given).error?.message).toMatch(/\.result\.part found nothing/)
    expect(settled(done('{"part": null}'), given)).toMatchObject({ state: 'completed', output: null })
  })

  test('text is the whole of stdout', () => {
    const invoke: Descriptor['invoke'] = { kind: 'container', argv: ['cat'], stdin: 'none', stdout: 'text' }
    const given = { invoke, result_selector: undefined, output_schema: { type: 'string' } }
    expect(settled(done('a\n\n'), given)).toMatchObject({ state: 'completed', output: 'a\n\n' })
  })

  test('a failure keeps its words, and the tail of what was printed, whole characters only', () => {
    const stderr = `${'x'.repeat(10)}${'😀'.repeat(3_000)}e`
    const end: End = {
      reason: 'tool_failed',
      message: 'It failed.',
      hint: 'Read it.',
      raw: { stdout: 'so far', stderr, exit_code: 3, took_ms: 9 },
    }
    const verdict = settled(end)
    expect(verdict).toMatchObject({
      state: 'failed',
      endReason: 'tool_failed',
      error: { code: 'tool_failed', message: 'It failed.', hint: 'Read it.' },
      exitCode: 3,
      stdout: 'so far',
    })
    expect(verdict.stderr?.isWellFormed()).toBe(true)
    expect(verdict.stderr?.length).toBeLessThanOrEqual(4_096)
    const [note, kept = '?'] = verdict.stderr?.split('\n') ?? []
    expect(note).toContain('cut')
    expect(stderr.endsWith(kept)).toBe(true)
  })
})
