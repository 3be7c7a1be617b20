import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'
import { setTimeout as sleep } from 'node:timers/promises'

/** How often an earlier runner is looked for that may be about to end, and how long between two looks, ms. */
const LOOKS = 20
const PAUSE_MS = 50

/** Two runners on one data folder would clear each other's sandboxes away: the second one throws. */
export async function claim(folder: string): Promise<void> {
  const file = join(folder, 'runner.pid')
  await mkdir(folder, { recursive: true })
  const earlier = await readFile(file, 'utf8').catch(() => '')
  const [pid, startedAt = ''] = earlier.split(' ')
  for (let looks = 0; (await startTime(Number(pid))) === startedAt; looks += 1) {
    if (looks === LOOKS)
      throw new Error(`Another runner (process ${pid}) uses ${folder}; stop it or set RUNNER_DATA.`)
    await sleep(PAUSE_MS)
  }
  await writeFile(file, `${process.pid} ${await startTime(process.pid)}`)
}

/**
 * When a process started, in clock ticks since boot; tells a process from a later one with its number. Undefined for
 * one that has ended and is only not yet reaped.
 */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  const [state = '', ...fields] = stat.slice(stat.lastIndexOf(')') + 2).split(' ')
  return /[ZX]/.test(state) ? undefined : fields[18]
}
