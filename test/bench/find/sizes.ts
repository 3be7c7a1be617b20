/** How long searches take in catalogues of many sizes. */
import { searchTools } from '../../../src/core/tools/search/search.ts'
import { emptyCatalogue, fillCatalogue, SEARCHER, type BenchSet, type BenchTool } from './catalogue.ts'
import { latency, timed, type Took } from './figures.ts'

const ASKED = 300

/** Jobs of one sentence and longer ones, asked of catalogues of published tools. */
export async function measureSizes(sets: BenchSet[], sizes: number[]) {
  const texts = sets.flatMap(({ tools }) => tools)
  const jobs = sets.flatMap(({ queries }) => queries.map(({ query }) => query))
  const isShort = (job: string): boolean => job.length <= 100 && !/[.?!;]\s/.test(job)
  const measured = []
  for (const size of sizes) {
    const db = emptyCatalogue()
    await fillCatalogue(db, mixed(texts, size))
    const ask = async (list: string[]) => {
      const step = Math.max(1, Math.floor(list.length / ASKED))
      const took: Took[] = []
      for (const job of list.filter((_, i) => i % step === 0)) {
        took.push(await timed(() => searchTools(db, SEARCHER, { job })))
      }
      return latency(took.slice(5))
    }
    const long = jobs.filter((job) => !isShort(job))
    measured.push({ tools: size, one_sentence: await ask(jobs.filter(isShort)), longer: await ask(long) })
  }
  return { sizes: measured }
}

/** So many tools, each with the texts of one and the inputs and the name of another, no two alike. */
const mixed = (texts: BenchTool[], size: number): BenchTool[] =>
  Array.from({ length: size }, (_, i) => {
    const one = texts[i % texts.length]
    const other = texts[(i * 7 + Math.floor(i / texts.length)) % texts.length]
    if (!one || !other) throw new Error('the folders hold no tools')
    return { ...one, id: `${i}`, name: `${one.name} ${other.name}`, params: other.params }
  })
