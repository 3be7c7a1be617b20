import { describe, expect, test } from 'vitest'
import type { JobEnd } from '../../../containers/runner/wire.ts'
import type { Sent } from '../../../src/invokes/container/client.ts'
import { toEnd } from '../../../src/invokes/container/end.ts'

const SENT: Sent = {
  boot: 'b',
  accountId: 'a',
  id: 't',
  seconds: 3,
  memory_mb: 128,
  stdout: 'json',
}
const EXITED: JobEnd = {
  outcome: 'exited',
  exit_code: 0,
  signal: null,
  stdout: '{}\n',
  stdout_bytes: 3,
  stdout_sha256: '',
  stdout_utf8: true,
  stderr: '',
  stderr_bytes: 0,
  took_ms: 12,
  message: null,
}
const endOf = (given: Partial<JobEnd>, sent: Partial<Sent> = {}) =>
  toEnd({ ...EXITED, ...given }, { ...SENT, ...sent })
const cut = (outcome: JobEnd['outcome'], message: string | null = null): Partial<JobEnd> => ({
  outcome,
  exit_code: null,
  message,
})

test('exit code 0 is done, with what was printed kept apart', () => {
  expect(endOf({ stderr: 'note\n', stderr_bytes: 5 })).toEqual({
    reason: 'done',
    raw: { stdout: '{}\n', stderr: 'note\n', exit_code: 0, took_ms: 12 },
  })
})

test.each<[Partial<JobEnd>, object]>([
  [
    { exit_code: 7, stderr: 'Traceback\n  x\nValueError: disk is full\n\n' },
    {
      reason: 'tool_failed',
      message: 'The script ended with exit code 7.',
      hint: 'The last line of its stderr: "ValueError: disk is full". All that was kept is in `stderr`.',
    },
  ],
  [{ exit_code: 1 }, { reason: 'tool_failed', hint: expect.stringContaining('nothing to stderr') }],
  [{ exit_code: 124 }, { reason: 'tool_failed', message: 'The script ended with exit code 124.' }],
  [
    { exit_code: 127, message: 'There is no program "pyton3".' },
    { reason: 'tool_failed', hint: 'There is no program "pyton3".' },
  ],
  [
    { ...cut('signalled'), signal: 'SIGSEGV' },
    { reason: 'tool_failed', message: expect.stringContaining('SIGSEGV') },
  ],
  [cut('timed_out'), { reason: 'timed_out', message: expect.stringContaining('time limit of 3 s') }],
  [
    cut('timed_out', 'It asked for more than 64 processes and threads.'),
    { reason: 'timed_out', hint: expect.stringMatching(/^It asked for more than 64 .* limits\.seconds/) },
  ],
  [
    cut('out_of_memory'),
    { reason: 'out_of_memory', message: expect.stringContaining('memory limit of 128 MB') },
  ],
  [cut('output_too_large'), { reason: 'output_too_large', message: expect.stringContaining('1 MB') }],
  [cut('stopped'), { reason: 'machine_lost', isRetryable: true }],
  [
    cut('not_started', 'its sandbox could not be made'),
    { reason: 'never_started', message: expect.stringContaining('could not be made'), isRetryable: true },
  ],
])('%j', (given, end) => {
  expect(endOf(given)).toMatchObject(end)
})

test('what never began took no time', () => {
  expect(endOf(cut('not_started')).raw).not.toHaveProperty('took_ms')
})

describe('bytes that are no UTF-8', () => {
  const bad = { stdout_utf8: false }

  test('spoil nothing where they stand before the line of JSON', () => {
    const stdout = 'progress \uFFFD\uFFFD done\n{"ok": true}\n'
    expect(endOf({ ...bad, stdout })).toMatchObject({ reason: 'done', raw: { stdout } })
  })

  test.each<[string, Sent['stdout']]>([
    ['log\n{"name": "Ren\uFFFD"}\n', 'json'],
    ['a\uFFFDb\nlast line\n', 'text'],
  ])('are refused where they are the result: %j as %s', (stdout, kind) => {
    expect(endOf({ ...bad, stdout }, { stdout: kind })).toMatchObject({
      reason: 'output_invalid',
      message: expect.stringContaining('UTF-8'),
      raw: { stdout },
    })
  })

  test('a true U+FFFD is a character like others', () => {
    expect(endOf({ stdout: '{"a": "\uFFFD"}\n' })).toMatchObject({ reason: 'done' })
  })
})

test('stderr that was cut says so, and how much there was', () => {
  const raw = endOf({ stderr: 'x'.repeat(65_536), stderr_bytes: 2_580_000 }).raw
  expect(raw?.stderr).toMatch(/^\[cut: the last 65536 of 2580000 bytes\]\nx{65536}$/)
  expect(endOf({ stderr: 'x'.repeat(65_536), stderr_bytes: 65_536 }).raw?.stderr).toMatch(/^x{65536}$/)
})

test('the last line of stderr is quoted up to 200 characters, whole ones', () => {
  const { hint = '' } = endOf({ exit_code: 1, stderr: `${'🧪'.repeat(150)}\n` }) as { hint?: string }
  expect(hint).toContain(`"${'🧪'.repeat(100)}…"`)
  expect(hint.isWellFormed()).toBe(true)
})
