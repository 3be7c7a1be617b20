/** The figures of one set of tools and jobs. */
import type { Db } from '../../../src/db/client.ts'
import { nothingFits } from '../../../src/core/tools/search/rank.ts'
import { searchTools } from '../../../src/core/tools/search/search.ts'
import { addJobs, SEARCHER, type BenchQuery, type BenchSet, type Known } from './catalogue.ts'
import { figuresOf, latency, meanFigures, refusals, timed, type Figures, type Took } from './figures.ts'
import { plainRanker } from './plain.ts'

export interface Measured {
  db: Db
  known: Known[]
  set: BenchSet
  /** Sets whose jobs none of the tools does. */
  others: BenchSet[]
  /** Jobs of each tool that are known to have been done. */
  history: number
  /** Most jobs that are asked, spread over the set. */
  jobs?: number
  /** Most tools that are looked for by their names. */
  names?: number
}

/** Jobs of each other set that are asked. */
const FOREIGN_JOBS = 200

export async function measureSet({ db, known, set, others, history, ...most }: Measured) {
  const { indexed, asked: all } = split(set, history)
  const asked = spread(all, most.jobs ?? Infinity)
  const found = await ask(db, set, asked)
  const plain = plainRanker(set.tools)
  const baseline = []
  for (const { query, gold } of asked) {
    const { value, ...took } = await timed(() => plain(query))
    baseline.push({ ...took, figures: figuresOf(value, gold) })
  }
  const foreign = others.flatMap(({ queries }) => spread(queries, FOREIGN_JOBS))
  const refused = (await ask(db, set, foreign)).map(({ isRefused }) => isRefused)
  const figures = {
    set: set.name,
    tools: set.tools.length,
    jobs: asked.length,
    ...summary(found),
    plain: summary(baseline),
    ...(foreign.length > 0 && {
      no_fit: refusals(
        found.map(({ isRefused }) => isRefused),
        refused,
      ),
    }),
    named: await measureNames(db, known, most.names ?? Infinity),
  }
  if (history === 0) return figures
  await addJobs(db, indexed)
  return { ...figures, history, with_history: summary(await ask(db, set, asked)) }
}

const summary = (found: (Took & { figures: Figures })[]) => ({
  ...meanFigures(found.map(({ figures }) => figures)),
  ...latency(found),
})

async function ask(db: Db, { tools }: BenchSet, queries: BenchQuery[]) {
  const found = []
  for (const { query, gold } of queries) {
    const { value: ranked, ...took } = await timed(() => searchTools(db, SEARCHER, { job: query }))
    const ids = ranked.slice(0, 10).map(({ id }) => tools[id - 1]?.id ?? '')
    found.push({ ...took, isRefused: nothingFits(ranked), figures: figuresOf(ids, gold) })
  }
  return found
}

/** So many of a list, evenly spread over it. */
const spread = <T>(list: T[], count: number): T[] =>
  count >= list.length
    ? list
    : list.filter(
        (_, i) => Math.floor((i * count) / list.length) !== Math.floor(((i - 1) * count) / list.length),
      )

/** How many tools come first when their id is given; and how many first or among others of the same label. */
async function measureNames(db: Db, known: Known[], names: number) {
  const asked = spread(
    known.map((one, i) => ({ ...one, id: i + 1 })),
    names,
  )
  const labels = new Map<string, number>()
  for (const { label } of known) labels.set(label.toLowerCase(), (labels.get(label.toLowerCase()) ?? 0) + 1)
  let ids = 0
  let named = 0
  for (const { id, toolId, label } of asked) {
    const [first] = await searchTools(db, SEARCHER, { job: toolId })
    if (first?.id === id) ids += 1
    const alike = (await searchTools(db, SEARCHER, { job: label })).slice(0, labels.get(label.toLowerCase()))
    if (alike.some((one) => one.id === id)) named += 1
  }
  return { by_id: ids / asked.length, by_label: named / asked.length, asked: asked.length }
}

/** For each tool some of its jobs are known, the others asked: never the same job twice. */
function split(set: BenchSet, history: number): { indexed: Map<number, string[]>; asked: BenchQuery[] } {
  const places = new Map(set.tools.map(({ id }, i) => [id, i + 1]))
  const indexed = new Map<number, string[]>()
  const asked: BenchQuery[] = []
  for (const one of set.queries) {
    const place = places.get(one.gold[0] ?? '') ?? 0
    const done = indexed.get(place) ?? []
    if (one.gold.length > 1 || done.length === history) asked.push(one)
    else indexed.set(place, [...done, one.query])
  }
  return { indexed, asked }
}
