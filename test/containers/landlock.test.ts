import { chmodSync, mkdtempSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { Case } from './case.ts'
import { NODE_ENTRIES } from './node-cases.ts'
import { PYTHON } from './python-cases.ts'
import { Runner, processesWith, sha256, until } from './runner.ts'

const sh = (script: string, ...args: string[]) => ['sh', '-c', script, 'sh', ...args]
const py = (script: string, ...args: string[]) => ['python3', '-c', script, ...args]

let runner: Runner
beforeAll(async () => (runner = await Runner.start({ RUNNER_SANDBOX: 'landlock' })))
afterAll(() => runner.stop())

/** The only case of the other suites that does not hold here. */
const NEEDS_SEMAPHORES = 'processes started afresh'

/** The end must be the one that is expected with namespaces, the path of the folder apart. */
async function expectEnd(argv: string[], example: Case): Promise<void> {
  const { name: _name, files, args = [], expected, ...wanted } = example
  const end = await runner.runFiles(files, { ...wanted, argv: [...argv, ...args] })
  const stdout = end.stdout.replaceAll(/\/run\/workshop-\w+\/slots\/slot-\d+\/disk\/work/g, '/work')
  expect({ ...end, stdout }).toMatchObject(expected)
}

describe('the choice', () => {
  test('health says what it is and what holds less', async () => {
    const { body } = await runner.call('GET', '/health')
    expect(body).toMatchObject({
      sandbox: { sealed: true, kind: 'landlock', namespaces: false, cgroup: null, problems: [] },
      ready: 0,
    })
    expect(JSON.stringify(body)).toContain('The disk limit holds for each file')
  })

  test('it is taken where no namespaces can be made', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'runner-test-'))
    writeFileSync(join(folder, 'bwrap'), '#!/bin/sh\nexit 1', { mode: 0o755 })
    chmodSync(folder, 0o755)
    const without = await Runner.start({ PATH: `${folder}:${process.env['PATH']}` })
    expect((await without.call('GET', '/health')).body).toMatchObject({
      sandbox: { sealed: true, kind: 'landlock' },
    })
    expect((await without.run({ argv: ['echo', 'fine'] })).stdout).toBe('fine\n')
    expect(await without.stop()).toBe(0)
  })
})

describe('what a program finds', () => {
  test.each(PYTHON.filter(({ name }) => name !== NEEDS_SEMAPHORES))('Python: $name', async (example) =>
    expectEnd(['python3', 'main.py'], example),
  )

  test.each(NODE_ENTRIES)('Node: %s: $1.name', async (entry, example) => expectEnd(['node', entry], example))

  test('a folder and an environment of its own, and nothing else', async () => {
    const end = await runner.run({
      argv: sh('[ "$PWD" = "$HOME" ] && touch "$TMPDIR/x" && env'),
      env: { A: 'b' },
    })
    const names = end.stdout
      .trim()
      .split('\n')
      .map((line) => line.split('=')[0])
    expect(new Set(names)).toEqual(new Set(['A', 'HOME', 'LANG', 'PATH', 'PWD', 'TMPDIR', 'TZ']))
  })

  test('stdin, also by its path, stdout and stderr by theirs', async () => {
    const script = 'wc -c < /dev/stdin; echo a > /dev/stdout; echo b > /dev/stderr'
    expect(await runner.run({ argv: sh(script), stdin: 'four' })).toMatchObject({
      stdout: '4\na\n',
      stderr: 'b\n',
    })
    expect((await runner.run({ argv: sh('cat; echo more >> /dev/stdin') })).exit_code).toBe(0)
  })

  test('the programs that were promised, and pairs of processes that talk', async () => {
    const end = await runner.run({ argv: sh('node --version; ffmpeg -version | head -1') })
    expect(end.stdout).toMatch(/^v24.*\nffmpeg version/)
    const talk =
      'const c = require("child_process"); console.log(c.execFileSync("python3", ["-c", "print(6 * 7)"]) + "")'
    expect((await runner.run({ argv: ['node', '-e', talk] })).stdout).toBe('42\n\n')
  })

  test('files to read, under paths put right in arguments, variables and stdin, and files that it makes', async () => {
    const data = Buffer.from('of the file')
    const hash = sha256(data)
    expect((await runner.call('PUT', `/inputs/${hash}`, data)).status).toBe(204)
    const path = `/inputs/${hash}/é "1".txt`
    const script = 'cat "$1" "$FILE" "$(cat)" | tee out; echo x 2> /dev/null >> "$1"; touch "$1.new"; true'
    const request = runner.request({
      argv: sh(script, path),
      env: { FILE: path },
      stdin: path,
      inputs: [{ sha256: hash, name: 'é "1".txt' }],
      outputs: [{ name: 'out', path: '/work/out', media_type: 'text/plain' }],
    })
    const { body } = await runner.call('POST', '/jobs?wait_ms=9000', request)
    const text = 'of the file'.repeat(3)
    expect(body['end']).toMatchObject({ stdout: text, outputs: [{ name: 'out', sha256: sha256(text) }] })
    const foreign = await runner.run({
      argv: sh(`cat ${path}; cat ../../../*/disk/inputs/*/*; cat ../inputs/*/*`),
    })
    expect(foreign.stdout).toBe('')
  })

  test.each([
    [sh('exit 137'), { outcome: 'exited', exit_code: 137 }],
    [sh('kill -SEGV $$'), { outcome: 'signalled', signal: 'SIGSEGV' }],
    [['pyton3'], { outcome: 'exited', exit_code: 127 }],
    [sh('sleep 60'), { outcome: 'timed_out', exit_code: null }],
    [['yes'], { outcome: 'output_too_large', stdout_bytes: 100_000 }],
  ])('the end of %j', async (argv, expected) => {
    expect(await runner.run({ argv, limits: { wall_ms: 1000 } })).toMatchObject(expected)
  })
})

describe('what a program cannot reach', () => {
  test('no network, and nothing to listen on', async () => {
    const script = [
      'import socket, time',
      'start = time.monotonic()',
      'for target in [("1.1.1.1", 443), ("127.0.0.1", int(PORT)), ("example.com", 80), ("::1", 1)]:',
      '    try: socket.create_connection(target, timeout=5); print("connected", target)',
      '    except OSError as error: pass',
      'try: socket.socket(socket.AF_UNIX).bind("\\0x"); print("bound")',
      'except PermissionError: pass',
      'print("quick" if time.monotonic() - start < 1 else "slow")',
    ].join('\n')
    const end = await runner.run({ argv: py(script.replace('PORT', new URL(runner.url).port)) })
    expect(end).toMatchObject({ stdout: 'quick\n', stderr: '' })
  })

  test('the runner: its processes, data and folder', async () => {
    const script = `cat /proc/*/environ /proc/${runner.child.pid}/cmdline; ls ${runner.data} /run /root /proc; id -u`
    const end = await runner.run({ argv: sh(script) })
    expect(Number(end.stdout)).toBeGreaterThan(9999)
    const kill = await runner.run({ argv: sh(`kill -9 ${runner.child.pid} $PPID && echo killed`) })
    expect(kill.stdout).toBe('')
  })

  test.each([
    'touch /usr/x',
    'touch /etc/x',
    'touch /x',
    'touch /dev/shm/x',
    'touch /tmp/x',
    'touch ../x',
    'ls ../../..',
    'unshare -Ur true',
    'mount -t tmpfs x .',
    'chown 0 .',
    'su -c true',
    'ipcmk -M 100',
    'cat /etc/shadow',
    'prlimit --nofile=99999999 true',
    'chroot . true',
    'setpriv --reuid 0 true',
  ])('%s is refused', async (attempt) => {
    expect((await runner.run({ argv: sh(`${attempt} && echo done`) })).stdout).toBe('')
  })

  test('no key ring, no io_uring, no queue that outlives it', async () => {
    const numbers = process.arch === 'x64' ? [250, 425, 68, 240] : [219, 425, 186, 180]
    const script = `import ctypes\nfor n in ${JSON.stringify(numbers)}: print(ctypes.CDLL(None).syscall(n, 0, -3, 1, 0))`
    expect((await runner.run({ argv: py(script) })).stdout).toBe('-1\n-1\n-1\n-1\n')
  })

  test('nothing of an earlier or a neighbouring run', async () => {
    const plant = 'echo canary > "$TMPDIR/canary"; chmod -R 777 . "$TMPDIR"; pwd; echo canary > canary'
    const neighbour = runner.run({ argv: sh(`${plant}; sleep 2 # canary`) })
    await until(() => processesWith('# canary').length > 0, 3000)
    const spy = [
      `for s in $(seq 0 40); do for d in work tmp; do cat ../../../slot-$s/disk/$d/canary; done; done`,
      'for p in $(seq $(($$ - 400)) $(($$ - 1))); do cat /proc/$p/cmdline; done',
    ].join('; ')
    const end = await runner.run({ argv: sh(`(${spy}) 2> /dev/null`) })
    expect(end.stdout).toBe('')
    expect((await neighbour).outcome).toBe('exited')
    for (let round = 0; round < 30; round++) {
      expect((await runner.run({ argv: sh('find . "$TMPDIR" -mindepth 1') })).stdout).toBe('')
    }
  })
})

describe('limits, and nothing survives', () => {
  const stubborn = 'trap "" TERM INT HUP; (setsid sh -c "trap \\"\\" TERM; while :; do sleep $1; done" &); '

  test('children that left the session, after success and at the time limit', async () => {
    expect((await runner.run({ argv: sh(`${stubborn} exit 0`, '64.001') })).exit_code).toBe(0)
    expect(await until(() => processesWith('64.001').length === 0, 3000)).toBe(true)
    const end = await runner.run({ argv: sh(`${stubborn} sleep 9`, '64.002'), limits: { wall_ms: 400 } })
    expect(end.outcome).toBe('timed_out')
    expect(processesWith('64.002')).toEqual([])
  })

  test('a crowd that forks and leaves, with the runner killed outright', async () => {
    const other = await Runner.start({ RUNNER_SANDBOX: 'landlock' })
    const job = other.request({ argv: sh('for i in $(seq 30); do setsid sleep 64.003 & done; wait') })
    await other.call('POST', '/jobs', job)
    expect(await until(() => processesWith('64.003').length > 20, 5000)).toBe(true)
    await other.stop('SIGKILL')
    expect(await until(() => processesWith('64.003').length === 0, 3000)).toBe(true)
    const next = await Runner.start({ RUNNER_SANDBOX: 'landlock', RUNNER_DATA: other.data })
    expect((await next.run({ argv: ['echo', 'fine'] })).stdout).toBe('fine\n')
    expect(await next.stop()).toBe(0)
  })

  test('memory, of one and of many processes together', async () => {
    const hog = (bytes: string) => `import os, time; x = bytearray(${bytes}); time.sleep(9)`
    const one = await runner.run({ argv: py(hog('100 << 20')), limits: { memory_mb: 64 } })
    expect(one).toMatchObject({ outcome: 'out_of_memory', exit_code: null })
    const many = `import os; [os.fork() for i in range(2)]; ${hog('40 << 20')}`
    expect((await runner.run({ argv: py(many), limits: { memory_mb: 128 } })).outcome).toBe('out_of_memory')
    const shared = `x = bytearray(60 << 20); import os, time; [os.fork() for i in range(2)]; time.sleep(0.5); print(1)`
    expect((await runner.run({ argv: py(shared), limits: { memory_mb: 128 } })).outcome).toBe('exited')
  })

  test('processes in number, files in size', async () => {
    const crowd = 'import os, time\nfor i in range(99):\n  if os.fork() == 0: time.sleep(9)'
    const end = await runner.run({ argv: py(crowd), limits: { processes: 40 } })
    expect(end.stderr).toContain('BlockingIOError')
    const filler = await runner.run({ argv: sh('head -c 60000000 /dev/zero > big') })
    expect(filler).toMatchObject({ outcome: 'exited', exit_code: 1 })
    expect(filler.message).toContain('32 MB')
  })

  test.each([
    ['a fork bomb', py('import os\nwhile True:\n    try: os.fork()\n    except OSError: pass')],
    [
      'a program that stops and ends all it can',
      sh('while :; do kill -STOP -1; kill -9 -1; setsid sh -c "kill -9 -1" & done'),
    ],
    ['a maze', py(`import os\nwhile True: os.mkdir("${'x'.repeat(60)}"); os.chdir("${'x'.repeat(60)}")`)],
  ])('%s leaves the next run working', async (_name, argv) => {
    await runner.run({ argv, limits: { wall_ms: 700 } })
    const health = performance.now()
    await runner.call('GET', '/health')
    expect(performance.now() - health).toBeLessThan(1500)
    expect((await runner.run({ argv: sh('ls; echo fine') })).stdout).toBe('fine\n')
  })
})
