import { join } from 'node:path'
import { runJob } from '../jobs/run.ts'
import type { Settings } from '../settings.ts'
import type { Health, JobEnd } from '../wire.ts'
import { WEAKER } from '../landlock/weaker.ts'
import { closeMachine, openMachine } from './machine.ts'
import type { Machine, Seal } from './machine.ts'
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
  files: 'A program can read files of the runner or of other runs.',
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
const NAMESPACES = [
  'It needs Linux with root, mounts and user namespaces, and bwrap, setpriv, mount, perl and python3.',
  'In a container: --privileged, or --cap-add SYS_ADMIN with --security-opt seccomp=unconfined,',
  'apparmor=unconfined and systempaths=unconfined. On a machine: user.max_user_namespaces above 0,',
  'kernel.unprivileged_userns_clone=1, kernel.apparmor_restrict_unprivileged_userns=0.',
].join(' ')

const NEEDS: Record<Seal, string> = {
  bubblewrap: NAMESPACES,
  landlock: 'It needs Linux 5.13 with Landlock switched on, root, and perl and python3.',
}

/** From the tightest on. */
const SEALS: Seal[] = ['bubblewrap', 'landlock']

/**
 * Opens the machine and tries its sandbox: a probe runs in one that is made like any other. Without namespaces the
 * looser kind is tried. The machine is null when not every promise of a kind holds: then nothing may be run.
 */
export async function prepare(
  settings: Settings,
): Promise<{ machine: Machine | null; sandbox: Health['sandbox'] }> {
  const problems: string[] = []
  for (const seal of settings.seal ? [settings.seal] : SEALS) {
    const tried = await trySeal(settings, seal)
    if (tried.machine) return { machine: tried.machine, sandbox: describe(seal, tried) }
    problems.push(...tried.problems)
  }
  return { machine: null, sandbox: describe(settings.seal ?? 'bubblewrap', { machine: null, problems }) }
}

interface Tried {
  machine: Machine | null
  problems: string[]
}

function describe(seal: Seal, { machine, problems }: Tried): Health['sandbox'] {
  return {
    sealed: machine !== null,
    kind: seal,
    namespaces: machine !== null && seal === 'bubblewrap',
    cgroup: machine?.cgroups?.generation.name ?? null,
    user_ids: process.getuid?.() === 0,
    problems,
    weaker: machine && seal === 'landlock' ? WEAKER : [],
  }
}

async function trySeal(settings: Settings, seal: Seal): Promise<Tried> {
  let machine: Machine | null = null
  try {
    machine = await openMachine(settings, seal)
    const problems = await probe(machine, settings)
    if (problems.length === 0) return { machine, problems }
    await closeMachine(machine)
    return { machine: null, problems }
  } catch (error) {
    if (machine) await closeMachine(machine)
    const words = error instanceof Error ? error.message : String(error)
    return { machine: null, problems: [`No ${seal} sandbox could be made: ${words}`, NEEDS[seal]] }
  }
}

async function probe(machine: Machine, settings: Settings): Promise<string[]> {
  const sandbox = await Sandbox.start(machine, 'any')
  try {
    const end = await runJob(sandbox, {
      request: {
        id: 'self-test',
        account: '',
        boot: '',
        argv: machine.seal === 'bubblewrap' ? probeCommand('/opt/boot') : landlockProbe(machine, settings),
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

function probeCommand(boot: string): string[] {
  return ['python3', '-I', '-S', join(boot, 'probe.py')]
}

/** Names what no program may read: of the runner, and of other runs. */
function landlockProbe(machine: Machine, settings: Settings): string[] {
  const own = ['environ', 'cmdline', 'maps', 'fd'].map((name) => `/proc/${process.pid}/${name}`)
  const others = [
    settings.data,
    join(machine.folder, 'slots'),
    machine.filter ?? '',
    '/proc',
    '/root',
    '/etc/passwd',
  ]
  return [...probeCommand(join(machine.folder, 'boot')), ...own, ...others]
}

function read(end: JobEnd): string[] {
  const words = end.stdout.trim().split('\n')
  if (end.exit_code !== 0 || words.pop() !== 'done') {
    return [`The probe of the sandbox ended ${end.outcome}: ${end.message ?? ''} ${end.stderr}`]
  }
  return words.map((word) => PROBLEMS[word] ?? word)
}
