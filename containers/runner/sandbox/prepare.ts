import { runJob } from '../jobs/run.ts'
import type { Settings } from '../settings.ts'
import type { Health, JobEnd } from '../wire.ts'
import { closeMachine, openMachine } from './machine.ts'
import type { Machine } from './machine.ts'
import { Sandbox } from './sandbox.ts'

/** What the probe prints, a word for each promise that does not hold. */
const PROBLEMS: Record<string, string> = {
  network: 'A program can reach a network, or waits for one.',
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

/** What a machine must have, for whoever reads that it has not. */
const NEEDS = [
  'It needs Linux with root, mounts and user namespaces, and bwrap, setpriv, mount, perl and python3.',
  'In a container: --privileged, or --cap-add SYS_ADMIN with --security-opt seccomp=unconfined,',
  'apparmor=unconfined and systempaths=unconfined. On a machine: user.max_user_namespaces above 0,',
  'kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0.',
].join(' ')

/**
 * Opens the machine and tries its sandbox: a probe runs in one that is made like any other. The machine is null when
 * not every promise holds: then nothing may be run.
 */
export async function prepare(
  settings: Settings,
): Promise<{ machine: Machine | null; sandbox: Health['sandbox'] }> {
  let machine: Machine | null = null
  let problems: string[]
  try {
    machine = await openMachine(settings)
    problems = await probe(machine)
  } catch (error) {
    problems = [`No sandbox could be made: ${error instanceof Error ? error.message : String(error)}`, NEEDS]
  }
  const sealed = problems.length === 0
  const sandbox = {
    sealed,
    kind: 'bubblewrap',
    namespaces: sealed,
    cgroup: machine?.cgroups?.generation.name ?? null,
    user_ids: process.getuid?.() === 0,
    problems,
  }
  if (sealed) return { machine, sandbox }
  if (machine) await closeMachine(machine)
  return { machine: null, sandbox }
}

async function probe(machine: Machine): Promise<string[]> {
  const sandbox = await Sandbox.start(machine, 'any')
  try {
    const end = await runJob(sandbox, {
      request: {
        id: 'self-test',
        boot: '',
        argv: ['python3', '-I', '-S', '/opt/boot/probe.py'],
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
