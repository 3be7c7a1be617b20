/**
 * Builds `containers/Dockerfile` and runs it without a network: `npm run test:image`. Where there is no Docker Engine
 * and none can be started, it says so and tests nothing.
 */
import { mkdtempSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { afterAll, beforeAll, describe, expect, test } from 'vitest'
import type { JobEnd, JobRequest } from '../../containers/runner/wire.ts'
import { findBases } from './bases.ts'
import { findEngine } from './engine.ts'
import type { Told } from './inside.ts'

const IMAGE = 'workshop-test-runner'
const BUILD_MS = 900_000
const INSIDE = readFileSync(join(import.meta.dirname, 'inside.ts'), 'utf8')

/** How the container is run, and what its runner must then be able to do. */
const PROFILES = [
  { profile: 'the default profile', options: [], kind: 'landlock', cwd: /^\/run\/workshop-.*\/work\n$/ },
  {
    profile: 'a profile that allows namespaces',
    options: [
      ['--cap-add', 'SYS_ADMIN', '--security-opt', 'seccomp=unconfined'],
      ['--security-opt', 'apparmor=unconfined', '--security-opt', 'systempaths=unconfined'],
    ].flat(),
    kind: 'bubblewrap',
    cwd: /^\/work\n$/,
  },
]

const python = (script: string) => ['python3', '-c', script]
const JOBS: Record<string, Partial<JobRequest>> = {
  python: { argv: python('import os, sys; print(os.getcwd()); sys.exit(os.getuid() == 0)') },
  node: { argv: ['node', '-e', 'console.log(process.version)'] },
  ffmpeg: {
    argv: [
      'sh',
      '-c',
      'ffmpeg -v error -f lavfi -i testsrc=d=0.2 -c:v libx264 a.mp4 && ffmpeg -version | head -1',
    ],
  },
  network: { argv: python('import socket; socket.create_connection(("192.0.2.1", 80), 4)') },
  crowd: { argv: ['sh', '-c', 'for i in 1 2 3 4 5; do setsid sleep 77.1 & done; sleep 77.1'] },
  hog: { argv: python('x = bytearray(400 << 20); import time; time.sleep(4)') },
  spy: { argv: ['sh', '-c', 'cat /proc/*/environ /proc/1/environ; ls /var/lib/runner /app; true'] },
}

const found = await findEngine()
const bases = typeof found === 'string' ? found : await findBases(found)
const engine = typeof found === 'string' ? null : found
if (typeof bases === 'string') console.log(`The image is not tested: ${bases}`)

afterAll(async () => {
  await engine?.docker(['rmi', '--force', IMAGE]).catch(() => undefined)
  await engine?.close()
}, 60_000)

describe.skipIf(typeof bases === 'string')('the image', () => {
  beforeAll(async () => {
    const { BASE, NODE_IMAGE } = bases as Exclude<typeof bases, string>
    const args = ['--build-arg', `BASE=${BASE}`, '--build-arg', `NODE_IMAGE=${NODE_IMAGE}`]
    const at = performance.now()
    await engine!.docker([
      'build',
      '--network',
      'host',
      '-f',
      'containers/Dockerfile',
      ...args,
      '-t',
      IMAGE,
      '.',
    ])
    const bytes = Number(await engine!.docker(['image', 'inspect', '-f', '{{.Size}}', IMAGE]))
    console.log(
      `Built on ${BASE} in ${Math.round((performance.now() - at) / 1000)} s: ${Math.round(bytes / 1e6)} MB.`,
    )
  }, BUILD_MS)

  test.for(PROFILES)('runs scripts sealed under $profile', async ({ options, kind, cwd }, { skip }) => {
    const container = await start(options)
    if (container instanceof Error && kind === 'bubblewrap') skip(`This engine may not: ${container.message}`)
    if (container instanceof Error) throw container
    try {
      const told = await ask(container, Object.values(JOBS))
      console.log(JSON.stringify(told.health.sandbox, null, 1), `\nAnswered after ${told.startMs} ms.`)
      expect(told.health.sandbox).toMatchObject({ sealed: true, kind, problems: [] })
      expectEnds(Object.fromEntries(Object.keys(JOBS).map((name, index) => [name, told.ends[index]!])), cwd)
      const list = 'cat /proc/[0-9]*/cmdline | tr "\\0" " "'
      const left = await engine!.docker(['exec', container, 'sh', '-c', list])
      expect(left).toContain('server.ts')
      expect(left).not.toContain('sleep 77.1')
    } finally {
      await engine!.docker(['rm', '--force', container])
    }
  })

  test('runs nothing where there are neither namespaces nor Landlock', async () => {
    const folder = mkdtempSync(join(tmpdir(), 'image-'))
    writeFileSync(join(folder, 'seccomp.json'), JSON.stringify(NEITHER))
    const container = await start(['--security-opt', `seccomp=${join(folder, 'seccomp.json')}`])
    if (container instanceof Error) throw container
    try {
      const { sandbox } = (await ask(container, [])).health
      expect(sandbox).toMatchObject({ sealed: false, namespaces: false, weaker: [] })
      expect(sandbox.problems.join('\n')).toContain('landlock_create_ruleset')
      await expect(ask(container, [{ argv: ['true'] }])).rejects.toThrow('unsealed')
    } finally {
      await engine!.docker(['rm', '--force', container])
      rmSync(folder, { recursive: true })
    }
  })
})

/** A kernel without namespaces and without Landlock, as far as the container can tell. */
const NEITHER = {
  defaultAction: 'SCMP_ACT_ALLOW',
  syscalls: [{ names: ['unshare', 'landlock_create_ruleset'], action: 'SCMP_ACT_ERRNO', errnoRet: 38 }],
}

async function ask(container: string, jobs: Partial<JobRequest>[]): Promise<Told> {
  const node = ['node', '--input-type=module-typescript', '-', JSON.stringify(jobs)]
  return JSON.parse(await engine!.docker(['exec', '-i', container, ...node], INSIDE)) as Told
}

async function start(options: string[]): Promise<string | Error> {
  const args = ['run', '--detach', '--rm', '--network', 'none', '--env', 'RUNNER_SECRET=s', ...options, IMAGE]
  return engine!.docker(args).catch((error: unknown) => error as Error)
}

function expectEnds(ends: Record<string, JobEnd>, cwd: RegExp): void {
  const { python, node, ffmpeg, network, crowd, hog, spy } = ends
  expect(python).toMatchObject({ exit_code: 0, stderr: '' })
  expect(python?.stdout).toMatch(cwd)
  expect(node?.stdout).toMatch(/^v24\./)
  expect(ffmpeg?.stdout).toMatch(/^ffmpeg version/)
  expect(network?.exit_code).toBe(1)
  expect(network?.took_ms).toBeLessThan(2000)
  expect(crowd?.outcome).toBe('timed_out')
  expect(hog?.outcome).toBe('out_of_memory')
  expect(spy?.outcome).toBe('exited')
  expect(spy?.stdout).not.toContain('RUNNER_')
}
