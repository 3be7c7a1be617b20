import { access } from 'node:fs/promises'
import { runJob } from '../jobs/run.ts'
import type { Health, JobEnd } from '../wire.ts'
import type { Machine } from './machine.ts'
import { Sandbox } from './sandbox.ts'

/** What the probe prints, a word for each promise that does not hold. */
const PROBLEMS: Record<string, string> = {
  network: 'A program can reach a network.',
  root: 'A program runs as root.',
  capabilities: 'A program holds capabilities.',
  processes: 'A program sees processes of others.',
  system: 'A program can write to the system.',
  work: 'A program cannot write to /work, /tmp or /dev/shm.',
  namespaces: 'A program can make namespaces of its own.',
  keys: 'A program can leave keys in the kernel for a later one.',
  environment: 'A program sees variables of the runner.',
}

const LIMITS = {
  wall_ms: 10_000,
  memory_mb: 256,
  disk_mb: 16,
  processes: 16,
  stdout_bytes: 4096,
  stderr_bytes: 4096,
}

/** Runs a probe in a sandbox made like any other and says what it found. */
export async function testSandbox(machine: Machine): Promise<Health['sandbox']> {
  const problems = await probe(machine).catch((error: unknown) => [
    `The sandbox cannot be made here (it needs root, mounts and namespaces): ${String(error)}`,
  ])
  return {
    sealed: problems.length === 0,
    kind: 'bubblewrap',
    namespaces: problems.length === 0,
    cgroup: machine.cgroups?.generation.name ?? null,
    user_ids: process.getuid?.() === 0,
    problems,
  }
}

async function probe(machine: Machine): Promise<string[]> {
  await access('/usr/bin/perl')
  const sandbox = await Sandbox.start(machine, 'any')
  try {
    const end = await runJob(sandbox, {
      request: {
        id: 'self-test',
        boot: '',
        argv: ['python3', '-I', '-S', '/opt/boot/probe.py', String(process.pid)],
        stdin: null,
        env: {},
        bundle: null,
        limits: LIMITS,
      },
      entries: [],
      stop: new AbortController().signal,
      onStart: () => undefined,
    })
    return read(end)
  } finally {
    await sandbox.dispose()
  }
}

function read(end: JobEnd): string[] {
  const words = end.stdout.trim().split('\n')
  if (end.exit_code !== 0 || words.pop() !== 'done') {
    return [`The probe of the sandbox ended ${end.outcome}: ${end.message ?? end.stderr}`]
  }
  return words.map((word) => PROBLEMS[word] ?? word)
}
