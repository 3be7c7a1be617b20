import { readFileSync } from 'node:fs'

const PAGE_BYTES = 4096

/**
 * Bytes that a process and all below it hold in memory, what they share counted for each. For machines without
 * control groups. 0 for a process that is gone.
 */
export function residentBytes(pid: number): number {
  try {
    const pages = Number(readFileSync(`/proc/${pid}/statm`, 'utf8').split(' ')[1])
    const children = readFileSync(`/proc/${pid}/task/${pid}/children`, 'utf8').split(' ').filter(Boolean)
    return children.reduce((total, child) => total + residentBytes(Number(child)), pages * PAGE_BYTES)
  } catch {
    return 0
  }
}
