/** What a ranking is worth: the usual measures, by the definitions of the public benchmark. */
import { percentile, round } from '../measure.ts'

export interface Figures {
  'recall@1': number
  'recall@5': number
  'ndcg@10': number
}

/** Measures of one list against the set of right ids. */
export function figuresOf(ids: string[], gold: string[]): Figures {
  const right = new Set(gold)
  const top = ids.slice(0, 10)
  const recall = (k: number): number => top.slice(0, k).filter((id) => right.has(id)).length / right.size
  const gain = (place: number): number => 1 / Math.log2(place + 2)
  const reached = top.reduce((sum, id, place) => sum + (right.has(id) ? gain(place) : 0), 0)
  const best = Array.from({ length: Math.min(10, right.size) }, (_, place) => gain(place))
  return {
    'recall@1': recall(1),
    'recall@5': recall(5),
    'ndcg@10': reached / best.reduce((sum, one) => sum + one, 0),
  }
}

export const NAMES = ['recall@1', 'recall@5', 'ndcg@10'] as const

export const meanOf = (values: number[]): number =>
  values.reduce((sum, one) => sum + one, 0) / Math.max(1, values.length)

export const meanFigures = (all: Figures[]): Figures => {
  const [one, five, ten] = NAMES.map((name) => Number(meanOf(all.map((figures) => figures[name])).toFixed(4)))
  return { 'recall@1': one ?? NaN, 'recall@5': five ?? NaN, 'ndcg@10': ten ?? NaN }
}

/** What one search took: by the clock, and of the processor, which busy neighbours change little. */
export interface Took {
  ms: number
  cpuMs: number
}

export async function timed<T>(action: () => Promise<T>): Promise<Took & { value: T }> {
  const before = process.cpuUsage()
  const start = performance.now()
  const value = await action()
  const ms = performance.now() - start
  const { user, system } = process.cpuUsage(before)
  return { value, ms, cpuMs: (user + system) / 1_000 }
}

export const latency = (took: Took[]) => ({
  p50_ms: round(
    percentile(
      took.map(({ ms }) => ms),
      0.5,
    ),
  ),
  p95_ms: round(
    percentile(
      took.map(({ ms }) => ms),
      0.95,
    ),
  ),
  p95_cpu_ms: round(
    percentile(
      took.map(({ cpuMs }) => cpuMs),
      0.95,
    ),
  ),
})

/**
 * How right a search is to say that nothing fits: of what it refuses how much had no tool, and of what had no tool how
 * much it refuses. Jobs without a tool are weighed to be as many as those with one.
 */
export function refusals(withTool: boolean[], withoutTool: boolean[]) {
  const wrong = meanOf(withTool.map(Number))
  const right = meanOf(withoutTool.map(Number))
  return {
    precision: round(right / Math.max(Number.MIN_VALUE, right + wrong)),
    recall: round(right),
    refused_with_tool: round(wrong),
    jobs: [withTool.length, withoutTool.length],
  }
}
