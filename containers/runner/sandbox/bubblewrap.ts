import { existsSync } from 'node:fs'
import { join } from 'node:path'
import type { JobInput } from '../wire.ts'
import { WAITING } from './kinds.ts'
import type { Kind } from './kinds.ts'
import type { Machine } from './machine.ts'
import { OWN_PROCESSES } from './place.ts'
import type { Place } from './place.ts'

/** Descriptors beyond the standard three: the line to process 1, what bubblewrap says of it, the call filter. */
export const CONTROL_FD = 3
export const INFO_FD = 4
export const FILTER_FD = 5

/** Who the program is inside; on the machine it is the slot's own user. */
const INSIDE_ID = '1000'

/** Everything a program finds in its environment before the job's own variables. */
const ENVIRONMENT: Record<string, string> = {
  PATH: '/opt/node/bin:/usr/local/bin:/usr/bin:/bin',
  HOME: '/work',
  TMPDIR: '/tmp',
  LANG: 'C.UTF-8',
  TZ: 'UTC',
}

/**
 * Limits the processes of its user to the first argument (dash says -p, bash -u), joins the control groups named
 * before `--`, then becomes what follows it.
 */
const LAUNCH = [
  'ulimit -c 0; ulimit -p "$1" 2> /dev/null || ulimit -u "$1" || exit 70; shift',
  'until [ "$1" = -- ]; do echo 0 > "$1" || exit 70; shift; done; shift; exec "$@"',
].join('; ')

/** RLIMIT_NPROC of the slot's user: only a second fence where there are control groups. */
const MOST_PROCESSES = 4096

/** What a sandbox is made for. */
export interface Wanted {
  kind: Kind
  place: Place
  /** Files that lie in the machine's inputs. */
  inputs: JobInput[]
}

/**
 * The command line of one sandbox: joins its groups as root, becomes the slot's user, then builds the sandbox. The user
 * changes before bubblewrap, so that the user inside is nobody on the machine. To be started as the first of a session:
 * bubblewrap makes none, as a session of its own would share the processors alike with the Worker's.
 */
export function sandboxCommand(machine: Machine, wanted: Wanted): string[] {
  const { kind, place, inputs } = wanted
  const { slot, cgroup } = place
  const uid = String(slot.uid)
  const processes = cgroup ? MOST_PROCESSES : place.room.processes + OWN_PROCESSES
  return [
    ['/bin/sh', '-c', LAUNCH, 'launch', String(processes), ...(cgroup?.doors ?? []), '--'],
    ['setpriv', '--reuid', uid, '--regid', uid, '--clear-groups', '--no-new-privs'],
    ['bwrap', '--info-fd', String(INFO_FD), '--as-pid-1', '--die-with-parent'],
    ['--unshare-all', '--unshare-user', '--cap-drop', 'ALL'],
    machine.mayDisableNesting ? ['--disable-userns'] : [],
    ['--uid', INSIDE_ID, '--gid', INSIDE_ID, '--hostname', 'box', '--clearenv'],
    ...Object.entries(ENVIRONMENT).map(([name, value]) => ['--setenv', name, value]),
    ...system(machine.folder),
    machine.filter ? ['--seccomp', String(FILTER_FD)] : [],
    ['--bind', join(slot.disk, 'work'), '/work', '--bind', join(slot.disk, 'tmp'), '/tmp'],
    ['--ro-bind', join(slot.disk, 'entry'), '/opt/entry'],
    ['--proc', '/proc', '--dev', '/dev', '--bind', join(slot.disk, 'shm'), '/dev/shm'],
    ...inputs.map(({ sha256, name }) => [
      '--ro-bind',
      join(machine.folder, 'inputs', sha256),
      `/inputs/${sha256}/${name}`,
    ]),
    ['--remount-ro', '/dev', '--remount-ro', '/', '--chdir', '/work'],
    ['--', '/usr/bin/perl', '/opt/boot/init.pl', ...WAITING[kind]],
  ].flat()
}

/** The read-only part: programs, the few files of /etc that they need, Node and the boot files. */
function system(folder: string): string[][] {
  const links = ['bin', 'sbin', 'lib', 'lib64'].filter((name) => existsSync(`/usr/${name}`))
  return [
    ['--ro-bind', '/usr', '/usr'],
    ...links.map((name) => ['--symlink', `usr/${name}`, `/${name}`]),
    ...['ld.so.cache', 'alternatives', 'fonts'].map((name) => [
      '--ro-bind-try',
      `/etc/${name}`,
      `/etc/${name}`,
    ]),
    ...['passwd', 'group', 'hosts'].map((name) => [
      '--ro-bind',
      join(folder, 'boot/etc', name),
      `/etc/${name}`,
    ]),
    ['--ro-bind', join(folder, 'node'), '/opt/node/bin/node'],
    ['--ro-bind', join(folder, 'boot'), '/opt/boot'],
  ]
}
