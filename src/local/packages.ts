import { spawnSync } from 'node:child_process'
import { existsSync } from 'node:fs'
import { delimiter, join } from 'node:path'
import { StartFailure } from './failure.ts'

/** Programs that the sandbox and the scripts in it use, and the Debian package of each. */
const NEEDED = { bwrap: 'bubblewrap', setpriv: 'util-linux', python3: 'python3', ffmpeg: 'ffmpeg' }

/** Installs what is missing when that is possible here, else says the exact command. Debian packages by program. */
export function ensurePackages(needed: Record<string, string> = NEEDED): void {
  const missing = Object.entries(needed)
    .filter(([program]) => !isOnPath(program))
    .map(([, name]) => name)
  if (!existsSync('/usr/share/zoneinfo')) missing.push('tzdata')
  if (missing.length === 0) return
  const install = `apt-get install -y --no-install-recommends ${missing.join(' ')}`
  const isDebian = existsSync('/etc/debian_version')
  if (!isDebian || process.getuid?.() !== 0) {
    throw new StartFailure(
      isDebian
        ? `Missing system packages. Run: sudo apt-get update && sudo ${install}`
        : `Missing programs: install ${missing.join(', ')} with your system's package manager. Debian has them by: ${install}`,
    )
  }
  console.log(`Installing ${missing.join(', ')} ...`)
  for (const command of ['apt-get update', install]) {
    const env = { ...process.env, DEBIAN_FRONTEND: 'noninteractive' }
    const { status, stderr } = spawnSync('sh', ['-c', command], { env, encoding: 'utf8' })
    if (status !== 0) throw new StartFailure(`"${command}" failed: ${stderr.trim().split('\n').at(-1)}`)
  }
}

function isOnPath(program: string): boolean {
  return `/usr/bin${delimiter}/bin${delimiter}${process.env.PATH ?? ''}`
    .split(delimiter)
    .some((folder) => existsSync(join(folder, program)))
}
