import { readdirSync, readFileSync } from 'node:fs'
import { beforeAll, expect, test } from 'vitest'
import { expectScript, openBench, run, save, type Bench } from '../cases/case.ts'

let bench: Bench
beforeAll(async () => {
  bench = await openBench('case-limits')
})

/** What a later run of the same account finds: processes, files of others, and whether it works at all. */
const LOOK = `import os, json
names = []
for pid in filter(str.isdigit, os.listdir('/proc')):
    try:
        names.append(open(f'/proc/{pid}/cmdline').read().replace('\\0', ' ').strip())
    except OSError:
        pass
print(json.dumps({'beats': os.path.exists('/tmp/beat'), 'others': [n for n in names if 'beat' in n], 'work': os.listdir('.')}))
`

async function expectNextRunWorks(): Promise<void> {
  const { task } = await save(bench, { 'main.py': LOOK })
  expect(task).toMatchObject({
    state: 'completed',
    output: { beats: false, others: [], work: ['main.py'] },
  })
}

/** Processes of this machine whose command holds a text. */
const processesWith = (text: string) =>
  readdirSync('/proc').filter((name) => {
    try {
      return /^\d+$/.test(name) && readFileSync(`/proc/${name}/cmdline`, 'latin1').includes(text)
    } catch {
      return false
    }
  })

const NETWORK = `import socket, json, time, urllib.request
answers = {}
def reach(name, call):
    began = time.time()
    try:
        call()
        answers[name] = 'reached'
    except OSError as error:
        answers[name] = 'refused' if time.time() - began < 5 else 'slow: ' + type(error).__name__
for url in ('http://example.com/', 'http://1.1.1.1/', 'http://169.254.169.254/', 'http://[fd00::1]/', LOOPBACK):
    reach(url, lambda: urllib.request.urlopen(url, timeout=60))
udp = socket.socket(socket.AF_INET, socket.SOCK_DGRAM)
reach('udp', lambda: udp.sendto(b'x', ('1.1.1.1', 53)))
reach('name', lambda: socket.getaddrinfo('example.com', 80))
print(json.dumps(answers))
`

test('no address is reached, and each attempt fails at once (cloudflare/sandbox-sdk#844)', async () => {
  const ports = listening()
  expect(ports.length).toBeGreaterThan(0)
  const urls = ports.map((port) => `'http://127.0.0.1:${port}/'`).join(', ')
  const { task } = await save(bench, { 'main.py': NETWORK.replace('LOOPBACK', urls) })
  expect(task).toMatchObject({ state: 'completed' })
  expect(Object.keys(task.output).length).toBe(6 + ports.length)
  expect(new Set(Object.values(task.output))).toEqual(new Set(['refused']))
})

/** Ports of loopback that something on this machine listens on, the runner's and the Worker's among them. */
function listening(): number[] {
  return readFileSync('/proc/net/tcp', 'utf8')
    .split('\n')
    .map((line) => /^\s*\d+: (?:0100007F|00000000):([0-9A-F]{4}) \S+ 0A /.exec(line)?.[1])
    .filter((port) => port !== undefined)
    .map((port) => Number.parseInt(port, 16))
}

test('endless output ends the run by that limit, and the next run works (engineer-man/piston#52)', async () => {
  const began = performance.now()
  await expectScript(bench, {
    from: 'engineer-man/piston#52',
    what: 'endless output',
    files: { 'main.py': "while True:\n    print('x' * 1000)\n" },
    task: {
      end_reason: 'output_too_large',
      error: { code: 'output_too_large', message: expect.stringMatching(/output .*1 MB/) },
      stdout: expect.stringMatching(/^\[cut: the last 4000 characters\]\n[x\n]{4000}$/),
    },
  })
  expect(performance.now() - began).toBeLessThan(30_000)
  await expectNextRunWorks()
})

test('at the time limit everything that was started is gone, not the first process alone (e2b-dev/E2B#1031)', async () => {
  const mark = `beat${process.pid}`
  const script = `import subprocess, sys, time
loop = '''import time, signal
signal.signal(signal.SIGTERM, signal.SIG_IGN)
while True:
    open('/tmp/beat', 'w').write(str(time.time())) # ${mark}
    time.sleep(0.1)'''
for _ in range(3):
    subprocess.Popen([sys.executable, '-c', loop], start_new_session=True)
print('started', flush=True)
time.sleep(600)
`
  const saving = save(bench, { 'main.py': script }, { limits: { seconds: 2 } })
  await expect.poll(() => processesWith(mark).length, { timeout: 10_000 }).toBeGreaterThanOrEqual(3)
  const { task } = await saving
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'timed_out',
    stdout: 'started\n',
    error: { message: expect.stringContaining('2 s') },
  })
  await expect.poll(() => processesWith(mark), { timeout: 3_000 }).toEqual([])
  await expectNextRunWorks()
})

test('what a run leaves behind is gone after success too', async () => {
  const mark = `stays${process.pid}`
  const script = `import subprocess, sys, os, json
loop = "import time # ${mark}\\ntime.sleep(600)"
quiet = subprocess.DEVNULL
subprocess.Popen([sys.executable, '-c', loop], start_new_session=True, stdin=quiet, stdout=quiet, stderr=quiet)
open('/tmp/beat', 'w').write('x')
print(json.dumps({'ok': True}))
`
  const { task } = await save(bench, { 'main.py': script })
  expect(task).toMatchObject({ state: 'completed', output: { ok: true } })
  await expect.poll(() => processesWith(mark), { timeout: 3_000 }).toEqual([])
  await expectNextRunWorks()
})

test('a fork bomb takes nothing but its own run (play-with-docker/play-with-docker#2)', async () => {
  const bomb = `import os
while True:
    try:
        os.fork()
    except OSError:
        pass
`
  const began = performance.now()
  const saving = save(bench, { 'main.py': bomb }, { limits: { seconds: 3 } })
  await expectNextRunWorks()
  const { task } = await saving
  expect(performance.now() - began).toBeLessThan(20_000)
  expect(task).toMatchObject({
    state: 'failed',
    end_reason: 'timed_out',
    error: { message: expect.stringContaining('3 s'), hint: expect.stringContaining('64 processes') },
  })
  await expectNextRunWorks()
})

test.concurrent.each([1, 3])(
  'the limit named is the one applied: %i s (langgenius/dify#21762)',
  async (seconds) => {
    const began = performance.now()
    const { task } = await save(bench, { 'main.js': 'for (;;) {}\n' }, { limits: { seconds } })
    expect(performance.now() - began).toBeGreaterThanOrEqual(seconds * 1_000)
    expect(task).toMatchObject({ state: 'failed', end_reason: 'timed_out' })
    expect(task).not.toHaveProperty('exit_code')
    expect(task.error.message).toMatch(new RegExp(`time limit of ${seconds} s\\b`))
    expect(task.error.message).not.toMatch(/signal|killed/)
    expect(task.error.hint).toContain('limits.seconds')
    const took = Date.parse(task.ended_at) - Date.parse(task.started_at)
    expect(took).toBeGreaterThanOrEqual(seconds * 1_000 - 100)
    expect(took).toBeLessThan(seconds * 1_000 + 3_000)
  },
)

test('memory past its limit ends the run by that limit, which it names', async () => {
  await expectScript(bench, {
    from: 'the contract: the end reason names the limit that was applied',
    what: 'memory',
    files: { 'main.py': 'kept = []\nwhile True:\n    kept.append(bytearray(b"x" * 4_000_000))\n' },
    given: { limits: { memory_mb: 96 } },
    task: {
      end_reason: 'out_of_memory',
      error: {
        message: expect.stringContaining('memory limit of 96 MB'),
        hint: expect.stringContaining('limits.memory_mb'),
      },
    },
  })
  await expectNextRunWorks()
})

test('a second run sees nothing that the first one wrote', async () => {
  const main = `import os, json
seen = [p for p in ('/tmp/mine', '/dev/shm/mine', '/work/mine') if os.path.exists(p)]
for path in ('/tmp/mine', '/dev/shm/mine', '/work/mine'):
    open(path, 'w').write('x')
print(json.dumps({'seen': seen}))
`
  const { toolId, task } = await save(bench, { 'main.py': main })
  expect(task.output).toEqual({ seen: [] })
  const { answer } = await run(bench, toolId, {})
  expect(answer).toMatchObject({ state: 'completed', output: { seen: [] } })
})
