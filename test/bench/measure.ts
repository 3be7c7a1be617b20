import { readdirSync, readFileSync } from 'node:fs'

/** How long something took, in milliseconds. */
export async function timed(action: () => Promise<unknown>): Promise<number> {
  const start = performance.now()
  await action()
  return performance.now() - start
}

/** The value below which this share of the values lies; NaN of none. */
export function percentile(values: number[], share: number): number {
  const sorted = values.toSorted((one, other) => one - other)
  return sorted[Math.min(sorted.length - 1, Math.floor(sorted.length * share))] ?? NaN
}

export const median = (values: number[]): number => percentile(values, 0.5)

export const round = (value: number): number => Number(value.toPrecision(3))

/** The median of some ratios, and the lowest and the highest: how far to trust it. */
export const spread = (ratios: number[]) => ({
  ratio: round(median(ratios)),
  from: round(Math.min(...ratios)),
  to: round(Math.max(...ratios)),
})

/** Calls a second while so many callers, each one call at a time, go on for a time. */
export async function rate(callers: number, forMs: number, call: () => Promise<unknown>): Promise<number> {
  const until = performance.now() + forMs
  let calls = 0
  const caller = async (): Promise<void> => {
    while (performance.now() < until) {
      await call()
      calls += 1
    }
  }
  const took = await timed(() => Promise.all(Array.from({ length: callers }, caller)))
  return (calls * 1_000) / took
}

/** Linux counts processor time in hundredths of a second. */
const TICK_MS = 10

/** Processor time that a process, its children and those they waited for have used: busy neighbours change it little. */
export function cpuMs(pid: number): number {
  const stat = readFileSync(`/proc/${pid}/stat`, 'latin1').split(') ').at(-1)?.split(' ') ?? []
  const own = stat.slice(11, 15).reduce((sum, ticks) => sum + Number(ticks) * TICK_MS, 0)
  return childrenOf(pid).reduce((sum, child) => sum + cpuMs(child), own)
}

function childrenOf(pid: number): number[] {
  return readdirSync(`/proc/${pid}/task`).flatMap((thread) =>
    readFileSync(`/proc/${pid}/task/${thread}/children`, 'utf8').split(' ').filter(Boolean).map(Number),
  )
}
