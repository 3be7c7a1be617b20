import { readFileSync } from 'node:fs'

/**
 * Bytes that a process and all below it hold in memory, files apart, and what they share counted once. For machines
 * without control groups. 0 for a process that is gone.
 */
export function residentBytes(pid: number): number {
  try {
    const kilobytes = Number(
      /^Pss_Anon:\s+(\d+)/m.exec(readFileSync(`/proc/${pid}/smaps_rollup`, 'utf8'))?.[1],
    )
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((total, child) => total + residentBytes(Number(child)), kilobytes * 1024)
  } catch {
    return 0
  }
}
