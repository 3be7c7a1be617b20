import { mkdir, readFile, writeFile } from 'node:fs/promises'
import { join } from 'node:path'

/** Two runners on one data folder would clear each other's sandboxes away: the second one throws. */
export async function claim(folder: string): Promise<void> {
  const file = join(folder, 'runner.pid')
  await mkdir(folder, { recursive: true })
  const earlier = await readFile(file, 'utf8').catch(() => '')
  const [pid, startedAt] = earlier.split(' ')
  if (pid && startedAt && (await startTime(Number(pid))) === startedAt) {
    throw new Error(`Another runner (process ${pid}) uses ${folder}; stop it or set RUNNER_DATA.`)
  }
  await writeFile(file, `${process.pid} ${await startTime(process.pid)}`)
}

/** When a process started, in clock ticks since boot; tells a process from a later one with its number. */
async function startTime(pid: number): Promise<string | undefined> {
  const stat = await readFile(`/proc/${pid}/stat`, 'utf8').catch(() => '')
  return stat.slice(stat.lastIndexOf(')') + 2).split(' ')[19]
}
