import { existsSync } from 'node:fs'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import { MODES, Runner, processesWith, until } from './runner.ts'

const sh = (script: string, ...args: string[]) => ['sh', '-c', script, 'sh', ...args]
const py = (script: string, ...args: string[]) => ['python3', '-c', script, ...args]

describe.each(MODES)('a sandbox $mode', ({ env }) => {
  let runner: Runner
  beforeAll(async () => (runner = await Runner.start(env)))
  afterAll(() => runner.stop())

  async function healthMs(): Promise<number> {
    const start = performance.now()
    expect((await runner.call('GET', '/health')).status).toBe(200)
    return performance.now() - start
  }

  describe('what a program finds', () => {
    test('an environment of its own and nothing else', async () => {
      const end = await runner.run({ argv: ['env'], env: { GREETING: 'hé=llo\nyou' } })
      expect(end.stdout.trim().split('\n').sort()).toEqual([
        'GREETING=hé=llo',
        'HOME=/work',
        'LANG=C.UTF-8',
        'PATH=/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
        'PWD=/work',
        'TMPDIR=/tmp',
        'TZ=UTC',
        'you',
      ])
    })

    test('arguments as they were given', async () => {
      const args = [
        '',
        ' two  spaces ',
        'ünï✓',
        'a\nb',
        '--flag',
        '"quoted" $HOME `x`',
        '*',
        'x'.repeat(131_071),
      ]
      const end = await runner.run({
        argv: py('import sys, json; print(json.dumps(sys.argv[1:]))', ...args),
        limits: { stdout_bytes: 200_000 },
      })
      expect(JSON.parse(end.stdout)).toEqual(args)
    })

    test('an empty stdin unless one is given', async () => {
      const script = 'import sys, os; print(len(sys.stdin.read()), os.path.realpath("/dev/stdin"))'
      expect((await runner.run({ argv: py(script) })).stdout).toBe('0 /dev/null\n')
      expect((await runner.run({ argv: py(script), stdin: '' })).stdout).toMatch(/^0 /)
    })

    test('a large stdin, whole, also by its path, and not writable', async () => {
      const stdin = '✓'.repeat(1_500_000)
      expect((await runner.run({ argv: sh('wc -c'), stdin })).stdout.trim()).toBe('4500000')
      expect((await runner.run({ argv: sh('wc -c < /dev/stdin'), stdin })).stdout.trim()).toBe('4500000')
      expect((await runner.run({ argv: ['true'], stdin })).exit_code).toBe(0)
      expect((await runner.run({ argv: sh('echo more >> /dev/stdin'), stdin })).exit_code).not.toBe(0)
    })

    test('stdout and stderr that can be opened by their paths', async () => {
      const end = await runner.run({ argv: sh('echo a > /dev/stdout; echo b > /dev/stderr') })
      expect(end).toMatchObject({ exit_code: 0, stdout: 'a\n', stderr: 'b\n' })
    })

    test('the interpreters that were promised', async () => {
      const script =
        'python3 --version; node --version; ffmpeg -version | head -1; ffprobe -version | head -1'
      const end = await runner.run({ argv: sh(script) })
      expect(end.stdout).toMatch(
        /^Python 3\.\d+\.\d+\nv24\.\d+\.\d+\nffmpeg version .*\nffprobe version .*\n$/,
      )
    })

    test('no descriptor beyond the standard three', async () => {
      const end = await runner.run({ argv: py('import os; print(sorted(os.listdir("/proc/self/fd")))') })
      expect(end.stdout).toBe("['0', '1', '2', '3']\n")
    })
  })

  describe('what a program cannot reach', () => {
    test('no network: every attempt fails at once', async () => {
      const script = [
        'import socket, time',
        'start = time.monotonic()',
        'for target in [("1.1.1.1", 443), ("10.0.0.1", 80), ("169.254.169.254", 80), ("example.com", 80), ("::1", 1)]:',
        '    try: socket.create_connection(target, timeout=5); print("connected", target)',
        '    except OSError as error: pass',
        'print("quick" if time.monotonic() - start < 1 else "slow")',
      ].join('\n')
      expect((await runner.run({ argv: py(script) })).stdout).toBe('quick\n')
    })

    test('the ports of this machine are not there', async () => {
      const port = new URL(runner.url).port
      const end = await runner.run({
        argv: py(`import socket; socket.create_connection(("127.0.0.1", ${port}), 2)`),
      })
      expect(end.stderr).toContain('Connection refused')
    })

    test('the secret and the data of the runner', async () => {
      const script = `cat /proc/*/environ; ls ${runner.data} /run /root /home; cat /etc/shadow; echo; id -u`
      const end = await runner.run({ argv: sh(script) })
      expect(end.stdout).not.toContain('RUNNER_')
      expect(end.stdout.trim().split('\n').at(-1)).toBe('1000')
      expect(end.stderr.match(/No such file/g)).toHaveLength(5)
    })

    test('the system is read-only and no rights can be gained', async () => {
      const attempts = [
        'touch /usr/x',
        'touch /etc/x',
        'touch /x',
        'touch /dev/x',
        'mkdir /opt/x',
        'unshare -Ur true',
      ]
      for (const attempt of [
        ...attempts,
        'mount -t tmpfs x /tmp',
        'chown 0 /work',
        'kill -9 1; sleep 0.2; false',
      ]) {
        const end = await runner.run({ argv: sh(`${attempt} && echo done`) })
        expect([attempt, end.stdout]).toEqual([attempt, ''])
      }
    })

    test('no key ring of the kernel, no io_uring', async () => {
      const script = [
        'import ctypes, os',
        'x86 = os.uname().machine == "x86_64"',
        'keyctl = ctypes.CDLL(None).syscall(250 if x86 else 219, 0, ctypes.c_int(-3), 1)',
        'io_uring = ctypes.CDLL(None).syscall(425, 8, ctypes.create_string_buffer(200))',
        'print(keyctl, io_uring)',
      ]
      expect((await runner.run({ argv: py(script.join('\n')) })).stdout).toBe('-1 -1\n')
    })

    test('nothing of an earlier or a neighbouring run', async () => {
      const canary = 'canary-7c1f'
      await runner.run({
        argv: sh('for d in /work /tmp /dev/shm; do echo $1 > $d/left-$1; done; setsid sleep 60 &', canary),
      })
      const neighbour = runner.run({ argv: sh('echo $1 > /tmp/left-$1; sleep 1', canary) })
      const end = await runner.run({
        argv: sh('find /work /tmp /dev/shm -type f; cat /proc/[0-9]*/cmdline | tr "\\0" " "'),
      })
      expect(end.stdout).not.toContain('canary')
      expect(end.stdout).not.toContain('sleep')
      await neighbour
    })

    test('nothing of a run that leaves a maze behind', async () => {
      const usual = { limits: { memory_mb: 1024, disk_mb: 1024 } }
      const end = await runner.run({
        argv: py(
          `import os\nfor i in range(90): os.mkdir("${'x'.repeat(60)}"); os.chdir("${'x'.repeat(60)}")\nos.chmod("..", 0)`,
        ),
        ...usual,
      })
      expect(end).toMatchObject({ exit_code: 0, stderr: '' })
      for (let round = 0; round < 40; round++) {
        const next = await runner.run({ argv: sh('find /work /tmp /dev/shm -mindepth 1'), ...usual })
        expect(next).toMatchObject({ exit_code: 0, stdout: '', stderr: '' })
      }
    })

    test('a link planted in the work folder leads nowhere for the next run', async () => {
      await runner.run({ argv: sh('ln -s /etc/passwd main.py; ln -s / root') })
      const end = await runner.runFiles({ 'main.py': 'print("mine")' }, { argv: ['python3', 'main.py'] })
      expect(end.stdout).toBe('mine\n')
    })
  })

  test('a signal to its own group ends the program alone', async () => {
    const end = await runner.run({ argv: sh('kill -9 0') })
    expect(end).toMatchObject({ outcome: 'signalled', signal: 'SIGKILL' })
  })

  // Kernels without session groups share their processors among processes alone.
  test.skipIf(!existsSync('/proc/self/autogroup'))(
    'a program comes after what answers everybody, the first of an account before others',
    async () => {
      const niceness = { argv: sh('cat /proc/self/autogroup; sleep 0.3') }
      const [first, second] = await Promise.all([runner.run(niceness), runner.run(niceness)])
      expect([first.stdout, second.stdout].toSorted().map((text) => text.replace(/.*nice /, ''))).toEqual([
        '0\n',
        '10\n',
      ])
    },
  )

  describe('nothing survives its run', () => {
    const stubborn = 'trap "" TERM INT HUP; (setsid sh -c "trap \\"\\" TERM; while :; do sleep $1; done" &); '

    test('children that left the session, after success', async () => {
      expect((await runner.run({ argv: sh(`${stubborn} exit 0`, '61.001') })).exit_code).toBe(0)
      expect(await until(() => processesWith('61.001').length === 0, 3000)).toBe(true)
    })

    test('a loop that ignores TERM, at its time limit', async () => {
      const end = await runner.run({
        argv: sh(`${stubborn} while :; do :; done`, '61.002'),
        limits: { wall_ms: 400 },
      })
      expect(end.outcome).toBe('timed_out')
      expect(processesWith('61.002')).toEqual([])
    })

    test.each([
      ['a fork bomb', py('import os\nwhile True:\n    try: os.fork()\n    except OSError: pass')],
      ['a memory hog', py('x = []\nwhile True: x.append(bytearray(1 << 20))')],
      ['a disk filler', sh('while :; do head -c 10000000 /dev/zero >> f; done 2> /dev/null')],
      ['a busy crowd', sh('for i in $(seq 30); do (while :; do :; done) & done; wait')],
    ])('%s leaves the runner answering and the next run working', async (_name, argv) => {
      const bad = runner.run({ argv, limits: { wall_ms: 1000, memory_mb: 64 } })
      const waits: number[] = []
      for (let look = 0; look < 15; look++) {
        waits.push(await healthMs())
        await new Promise((resolve) => setTimeout(resolve, 50))
      }
      expect(['timed_out', 'out_of_memory']).toContain((await bad).outcome)
      expect(Math.max(...waits)).toBeLessThan(1500)
      expect((await runner.run({ argv: sh('echo fine') })).stdout).toBe('fine\n')
    })
  })
})
