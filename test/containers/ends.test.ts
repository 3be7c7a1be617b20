import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { LIMITS, MODES, Runner, sha256 } from './runner.ts'

const sh = (script: string, ...args: string[]) => ['sh', '-c', script, 'sh', ...args]

describe.each(MODES)('a sandbox $mode', ({ env }) => {
  let runner: Runner
  beforeAll(async () => (runner = await Runner.start(env)))
  afterAll(() => runner.stop())

  describe('the end record', () => {
    test('says everything about a plain run', async () => {
      const end = await runner.run({ argv: sh('echo out; echo err >&2') })
      expect(end).toEqual({
        outcome: 'exited',
        exit_code: 0,
        signal: null,
        message: null,
        stdout: 'out\n',
        stdout_bytes: 4,
        stdout_sha256: sha256('out\n'),
        stdout_utf8: true,
        stderr: 'err\n',
        stderr_bytes: 4,
        took_ms: end.took_ms,
      })
      expect(end.took_ms).toBeLessThan(5000)
    })

    test.each([0, 1, 7, 124, 126, 127, 137, 139, 143, 255])('exit %i is a plain exit code', async (code) => {
      const end = await runner.run({ argv: sh(`exit ${code}`) })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: code, signal: null, message: null })
    })

    test.each(['SIGSEGV', 'SIGTERM', 'SIGKILL', 'SIGABRT', 'SIGPIPE'])('%s is named', async (signal) => {
      const end = await runner.run({ argv: sh(`kill -${signal.slice(3)} $$`) })
      expect(end).toMatchObject({ outcome: 'signalled', exit_code: null, signal })
    })

    test('nothing printed is an empty text with its hash', async () => {
      const end = await runner.run({ argv: ['true'] })
      expect(end).toMatchObject({ exit_code: 0, stdout: '', stdout_bytes: 0, stdout_sha256: sha256('') })
    })

    test('a program that is not there is 127 with the programs that are', async () => {
      const end = await runner.run({ argv: ['pyton3', 'main.py'] })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 127 })
      expect(end.message).toMatch(/"pyton3".*python3, node, ffmpeg/)
    })

    test('a file that may not be executed is 126', async () => {
      const end = await runner.runFiles({ 'run.sh': 'echo hello' }, { argv: ['./run.sh'] })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 126 })
      expect(end.message).toContain('interpreter')
    })

    test('stdout that is not UTF-8 is marked', async () => {
      const end = await runner.run({ argv: sh("printf 'a\\377b'") })
      expect(end).toMatchObject({ stdout: 'a\ufffdb', stdout_bytes: 3, stdout_utf8: false })
      expect(end.stdout_sha256).toBe(sha256(Buffer.from([0x61, 0xff, 0x62])))
    })

    test('everything printed right before the end is there, however much', async () => {
      const end = await runner.run({ argv: sh('head -c 90000 /dev/zero | tr "\\0" x; exit 3') })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 3, stdout_bytes: 90_000 })
    })

    test('a syntax error is told by the interpreter', async () => {
      const python = await runner.runFiles({ 'main.py': 'def (' }, { argv: ['python3', 'main.py'] })
      expect(python).toMatchObject({ outcome: 'exited', exit_code: 1, stdout: '' })
      expect(python.stderr).toContain('SyntaxError')
      const node = await runner.runFiles({ 'main.js': 'let = ;' }, { argv: ['node', 'main.js'] })
      expect(node).toMatchObject({ outcome: 'exited', exit_code: 1 })
      expect(node.stderr).toContain('SyntaxError')
    })
  })

  describe('limits', () => {
    test('time ends the run and keeps what was printed', async () => {
      const end = await runner.run({ argv: sh('echo early; sleep 60'), limits: { wall_ms: 300 } })
      expect(end).toMatchObject({ outcome: 'timed_out', exit_code: null, stdout: 'early\n' })
      expect(end.took_ms).toBeGreaterThanOrEqual(300)
      expect(end.took_ms).toBeLessThan(3300)
    })

    test('one byte of stdout too many ends the run, the limit itself does not', async () => {
      const limits = { stdout_bytes: 5 }
      expect(await runner.run({ argv: sh('printf 12345'), limits })).toMatchObject({
        outcome: 'exited',
        stdout: '12345',
      })
      expect(await runner.run({ argv: sh('printf 123456'), limits })).toMatchObject({
        outcome: 'output_too_large',
        stdout: '12345',
        stdout_bytes: 5,
      })
    })

    test('an endless printer is ended', async () => {
      const end = await runner.run({ argv: ['yes'] })
      expect(end).toMatchObject({ outcome: 'output_too_large', stdout_bytes: LIMITS.stdout_bytes })
    })

    test('stderr keeps its tail, at a whole character, and counts', async () => {
      const argv = ['python3', '-c', 'import sys; sys.stderr.write("é" * 100000 + "end")']
      const end = await runner.run({ argv, limits: { stderr_bytes: 10 } })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 0, stderr: 'éééend', stderr_bytes: 200_003 })
    })

    test('a memory hog is out of memory, by the kernel or by its size', async () => {
      const argv = ['python3', '-c', 'x = bytearray(2 << 30); print(len(x))']
      const end = await runner.run({ argv, limits: { memory_mb: 64 } })
      expect(end).toMatchObject({ outcome: 'out_of_memory', exit_code: null, stdout: '' })
    })

    test('a hog that stays below memory and disk together is found too', async () => {
      const argv = ['python3', '-c', 'import time; x = bytearray(120 << 20); time.sleep(9)']
      const end = await runner.run({ argv, limits: { memory_mb: 100, disk_mb: 100 } })
      expect(end.outcome).toBe('out_of_memory')
      expect(end.took_ms).toBeLessThan(5000)
    })

    test('a child that the kernel ends for want of memory ends the run', async () => {
      const hog = 'python3 -c "x = bytearray(2 << 30)"; echo survived; sleep 9'
      const end = await runner.run({ argv: sh(hog), limits: { memory_mb: 64 } })
      expect(end.outcome).toBe('out_of_memory')
    })

    test('memory that is killed without the kernel running out is a plain signal', async () => {
      expect(await runner.run({ argv: sh('kill -9 $$') })).toMatchObject({
        outcome: 'signalled',
        signal: 'SIGKILL',
      })
    })

    test.each(['/work', '/tmp', '/dev/shm'])('a full %s shows inside and adds a hint', async (folder) => {
      const argv = sh(`head -c 60000000 /dev/zero > ${folder}/big`)
      const end = await runner.run({ argv })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 1 })
      expect(end.stderr).toContain('No space left')
      expect(end.message).toContain('32 MB')
    })

    test('the disk holds what it promises while memory is small', async () => {
      const argv = sh('head -c 120000000 /dev/zero > big && stat -c %s big')
      const end = await runner.run({ argv, limits: { memory_mb: 32, disk_mb: 128 } })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 0, stdout: '120000000\n' })
    })

    test('processes are limited in number, and too many add a hint', async () => {
      const script = [
        'import os, time',
        'count = 1',
        'try:',
        '    while count < 200:',
        '        if os.fork() == 0: time.sleep(9)',
        '        count += 1',
        'except BlockingIOError: print(count)',
      ].join('\n')
      const end = await runner.run({ argv: ['python3', '-c', script], limits: { processes: 40 } })
      expect(end).toMatchObject({ outcome: 'exited', exit_code: 0, stdout: '40\n' })
      expect(end.message).toContain('40 processes')
    })
  })
})
