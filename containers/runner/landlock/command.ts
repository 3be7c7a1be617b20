import { join } from 'node:path'
import type { Machine } from '../sandbox/machine.ts'
import type { Place } from '../sandbox/place.ts'
import { limitsFile } from './folders.ts'
import { inputsFolder } from './inputs.ts'

/** From a slot's user id to that of what ends its processes: at most so many slots there may be. */
export const FENCE = 64

/** Places that a program may read, and where `x` stands, execute: as much as it finds in a sandbox of bubblewrap. */
const SYSTEM = [
  ...['/usr', '/bin', '/sbin', '/lib', '/lib64'].map((path) => `x=${path}`),
  ...['ld.so.cache', 'alternatives', 'fonts', 'localtime', 'mime.types', 'ssl/openssl.cnf'].map(
    (name) => `r=/etc/${name}`,
  ),
  ...['cpuinfo', 'meminfo', 'filesystems', 'loadavg', 'stat', 'uptime', 'version'].map(
    (name) => `r=/proc/${name}`,
  ),
  ...['/proc/sys/kernel/random', '/proc/sys/vm', '/sys/devices/system/cpu'].map((path) => `r=${path}`),
  ...['null', 'zero', 'full', 'random', 'urandom'].map((name) => `w=/dev/${name}`),
]

/** The command line of one run without namespaces; `boot/landlock.pl` reads it. */
export function landlockCommand(machine: Machine, place: Place): string[] {
  const { slot } = place
  const work = join(slot.disk, 'work')
  return [
    ['/usr/bin/perl', join(machine.folder, 'boot/init.pl'), '--landlock', process.arch],
    [String(slot.uid), String(slot.uid + FENCE), limitsFile(slot), machine.filter ?? '', work],
    SYSTEM,
    [`x=${join(machine.folder, 'bin')}`, `r=${join(machine.folder, 'boot')}`],
    [`a=${work}`, `a=${join(slot.disk, 'tmp')}`],
    [`r=${inputsFolder(slot)}`, `r=${slot.stdin}`, `w=${slot.stdout}`, `w=${slot.stderr}`, '--'],
  ].flat()
}

/** Everything a program finds in its environment before the job's own variables. */
export function landlockEnvironment(machine: Machine, place: Place): Record<string, string> {
  return {
    PATH: `${join(machine.folder, 'bin')}:/usr/local/bin:/usr/bin:/bin`,
    HOME: join(place.slot.disk, 'work'),
    TMPDIR: join(place.slot.disk, 'tmp'),
    LANG: 'C.UTF-8',
    TZ: 'UTC',
  }
}
