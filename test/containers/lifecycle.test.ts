import { spawn, spawnSync } from 'node:child_process'
import {
  chmodSync,
  chownSync,
  existsSync,
  mkdtempSync,
  readFileSync,
  readdirSync,
  writeFileSync,
} from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { once } from 'node:events'
import { expect, test } from 'vitest'
import { NODE, Runner, processesWith, sha256, until } from './runner.ts'

/** Mounts, groups and folders of this machine that belong to a runner with this data folder. */
function traces(data: string): string[] {
  const name = `workshop-${sha256(data).slice(0, 8)}`
  const mounts = readFileSync('/proc/self/mountinfo', 'utf8').split('\n')
  const folders = [`/run/${name}`, `/sys/fs/cgroup/${name}`]
  for (const controller of readdirSync('/sys/fs/cgroup')) folders.push(`/sys/fs/cgroup/${controller}/${name}`)
  return [...mounts.filter((line) => line.includes(name)), ...folders.filter((folder) => existsSync(folder))]
}

async function startWithJob(seconds: string, env: Record<string, string> = {}): Promise<Runner> {
  const runner = await Runner.start(env)
  await runner.call(
    'POST',
    '/jobs',
    runner.request({ argv: ['sh', '-c', `setsid sleep ${seconds} & sleep ${seconds}`] }),
  )
  expect(await until(() => processesWith(seconds).length >= 3, 5000)).toBe(true)
  expect(traces(runner.data)).not.toEqual([])
  return runner
}

test.each(['SIGTERM', 'SIGINT'] as const)(
  '%s ends the jobs, clears away everything and exits 0',
  async (signal) => {
    const runner = await startWithJob('63.001')
    expect(await runner.stop(signal)).toBe(0)
    expect(processesWith('63.001')).toEqual([])
    expect(traces(runner.data)).toEqual([])
  },
)

test('it goes with the program that started it', async () => {
  const runner = await startWithJob('63.002')
  runner.child.stdin!.end()
  const [code] = (await once(runner.child, 'exit')) as [number]
  expect(code).toBe(0)
  expect(processesWith('63.002')).toEqual([])
  expect(traces(runner.data)).toEqual([])
})

test('killed outright, its jobs die with it and the next start clears the rest away', async () => {
  const first = await startWithJob('63.003')
  await first.stop('SIGKILL')
  expect(await until(() => processesWith('63.003').length === 0, 3000)).toBe(true)
  expect(traces(first.data)).not.toEqual([])
  const second = await Runner.start({ RUNNER_DATA: first.data })
  expect(second.boot).not.toBe(first.boot)
  expect((await second.run({ argv: ['echo', 'fine'] })).stdout).toBe('fine\n')
  expect(await second.stop()).toBe(0)
  expect(traces(first.data)).toEqual([])
})

test('bundles outlive a restart, jobs do not', async () => {
  const data = mkdtempSync(join(tmpdir(), 'runner-test-'))
  const first = await Runner.start({ RUNNER_DATA: data })
  const bundle = await first.putFiles({ 'a.txt': 'kept' })
  const job = first.request({ argv: ['cat', 'a.txt'], bundle })
  await first.call('POST', '/jobs?wait_ms=9000', job)
  await first.stop('SIGKILL')
  const second = await Runner.start({ RUNNER_DATA: data })
  expect((await second.call('GET', `/jobs/${job.id}`)).status).toBe(404)
  expect((await second.run({ argv: ['cat', 'a.txt'], bundle })).stdout).toBe('kept')
  await second.stop()
})

test('one that has ended and is not reaped yet is not in the way', async () => {
  const data = mkdtempSync(join(tmpdir(), 'runner-claim-'))
  const script =
    'import os, time\npid = os.fork()\npid or os._exit(0)\nprint(pid, flush=True)\ntime.sleep(60)'
  const parent = spawn('python3', ['-c', script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const [line] = (await once(parent.stdout, 'data')) as [Buffer]
  const pid = Number(line)
  const fields = () => readFileSync(`/proc/${pid}/stat`, 'utf8').split(') ')[1]?.split(' ') ?? []
  expect(await until(() => fields()[0] === 'Z', 5_000)).toBe(true)
  writeFileSync(join(data, 'runner.pid'), `${pid} ${fields()[19]}`)
  const runner = await Runner.start({ RUNNER_DATA: data })
  expect((await runner.run({ argv: ['echo', 'here'] })).stdout).toBe('here\n')
  await runner.stop()
  parent.kill('SIGKILL')
})

test('a second runner on one data folder does not start, and says why', async () => {
  const runner = await Runner.start()
  const env = { ...process.env, RUNNER_SECRET: 'x', RUNNER_DATA: runner.data }
  const second = spawnSync(NODE, ['containers/runner/server.ts'], { env, encoding: 'utf8' })
  expect(second.status).not.toBe(0)
  expect(second.stderr).toContain('Another runner')
  expect((await runner.run({ argv: ['echo', 'fine'] })).stdout).toBe('fine\n')
  await runner.stop()
})

test('without a secret it does not start, and says what to set', () => {
  const second = spawnSync(NODE, ['containers/runner/server.ts'], {
    env: { ...process.env, RUNNER_SECRET: '' },
    encoding: 'utf8',
  })
  expect(second.status).not.toBe(0)
  expect(second.stderr).toContain('RUNNER_SECRET')
})

/** A folder whose `bwrap` is this script, to stand first in the PATH. */
function fakeBubblewrap(script: string): Record<string, string> {
  const folder = mkdtempSync(join(tmpdir(), 'runner-test-'))
  writeFileSync(join(folder, 'bwrap'), `#!/bin/sh\n${script}`, { mode: 0o755 })
  chmodSync(folder, 0o755)
  return { PATH: `${folder}:${process.env['PATH']}` }
}

async function expectUnsealed(runner: Runner, why: string): Promise<void> {
  const { body } = await runner.call('GET', '/health')
  expect(body['sandbox']).toMatchObject({ sealed: false, namespaces: false })
  expect(JSON.stringify(body)).toContain(why)
  const refused = await runner.call('POST', '/jobs', runner.request({}))
  expect([refused.status, refused.body.error?.code]).toEqual([503, 'unsealed'])
  const unknown = await runner.call('GET', '/jobs/of-an-earlier-boot')
  expect([unknown.status, unknown.body['boot']]).toEqual([404, runner.boot])
  expect(traces(runner.data)).toEqual([])
  expect(await runner.stop()).toBe(0)
}

test('where no namespaces can be made and nothing less is wanted, nothing is run', async () => {
  const none = fakeBubblewrap('echo no namespaces here >&2; exit 1')
  const runner = await Runner.start({ ...none, RUNNER_SANDBOX: 'bubblewrap' })
  await expectUnsealed(runner, 'no namespaces here')
})

test('a sandbox that is not tight is not used', async () => {
  const open =
    'exec /usr/bin/bwrap $(for a in "$@"; do [ "$a" = --unshare-all ] && echo --unshare-all --share-net || echo "$a"; done)'
  const leaky = { ...fakeBubblewrap(open), RUNNER_SANDBOX: 'bubblewrap' }
  await expectUnsealed(await Runner.start(leaky), 'can reach a network')
})

test('without root, nothing is run', async () => {
  const data = mkdtempSync(join(tmpdir(), 'runner-test-'))
  chownSync(data, 12_345, 12_345)
  await expectUnsealed(await Runner.start({ RUNNER_DATA: data }, 12_345), 'It needs Linux with root')
})

test('where nested namespaces cannot be switched off, the call filter keeps them away', async () => {
  const old = 'case "$*" in *--disable-userns*) exit 1;; esac; exec /usr/bin/bwrap "$@"'
  const runner = await Runner.start(fakeBubblewrap(old))
  expect((await runner.call('GET', '/health')).body['sandbox']).toMatchObject({ sealed: true })
  const end = await runner.run({
    argv: [
      'sh',
      '-c',
      'unshare -Ur true || echo refused; python3 -c "import threading; threading.Thread().start()"',
    ],
  })
  expect(end).toMatchObject({ exit_code: 0, stdout: 'refused\n' })
  await runner.stop()
})

test('without control groups, time, memory, processes and disk are limited all the same', async () => {
  const runner = await Runner.start({ RUNNER_CGROUPS: '0', RUNNER_POOL: '0' })
  expect((await runner.call('GET', '/health')).body['sandbox']).toMatchObject({ sealed: true, cgroup: null })
  const python = async (script: string, memory_mb: number) =>
    runner.run({ argv: ['python3', '-c', script], limits: { wall_ms: 3000, memory_mb } })
  const hog = await python('import time; x = bytearray(100 << 20); time.sleep(9)', 64)
  expect(hog.outcome).toBe('out_of_memory')
  const crowd = await python('import os, time\nfor i in range(99):\n  if os.fork() == 0: time.sleep(9)', 512)
  expect(crowd.stderr).toContain('BlockingIOError')
  const filler = await python('open("x", "wb").write(bytes(40 << 20))', 512)
  expect(filler.message).toContain('32 MB')
  expect((await python('while True: pass', 64)).outcome).toBe('timed_out')
  await runner.stop()
})
