import { existsSync } from 'node:fs'
import { describe, expect, test } from 'vitest'
import { emptyCatalogue, fillCatalogue, readSet } from '../../../bench/find/catalogue.ts'
import { measureSet } from '../../../bench/find/set.ts'

const FOLDER = new URL('../../../../../shared/bench/retrieval/', import.meta.url).pathname
const isThere = existsSync(FOLDER)
if (!isThere) console.warn(`skipped: no sets of tools and jobs in ${FOLDER}`)

/** What is reached on so many jobs of each set, a little less: a change that lowers it should be meant. */
const REACHED = [
  { set: 'metatool', jobs: 200, recall: 0.66, ndcg: 0.61 },
  { set: 'toolbench', jobs: 100, recall: 0.675, ndcg: 0.685 },
  { set: 'sealtools', jobs: 100, recall: 0.935, ndcg: 0.95 },
  { set: 'livemcp', jobs: 95, recall: 0.535, ndcg: 0.505 },
]

describe.runIf(isThere)('on public sets of tools and jobs', () => {
  test.each(REACHED)('the right tools are found: $set', async ({ set: name, jobs, recall, ndcg }) => {
    const set = readSet(`${FOLDER}${name}`)
    const db = emptyCatalogue()
    const known = await fillCatalogue(db, set.tools)
    const figures = await measureSet({ db, known, set, others: [], history: 0, jobs, names: 40 })
    expect(figures['recall@5']).toBeGreaterThanOrEqual(recall)
    expect(figures['recall@5']).toBeGreaterThan(figures.plain['recall@5'])
    expect(figures['ndcg@10']).toBeGreaterThanOrEqual(ndcg)
    expect(figures.named).toMatchObject({ by_id: 1, by_label: 1 })
  })

  test('jobs that were done before are the better guide', async () => {
    const set = readSet(`${FOLDER}metatool`)
    const db = emptyCatalogue()
    const known = await fillCatalogue(db, set.tools)
    const figures = await measureSet({ db, known, set, others: [], history: 5, jobs: 200, names: 0 })
    const having = 'with_history' in figures ? figures.with_history['recall@5'] : 0
    expect(having - figures['recall@5']).toBeGreaterThanOrEqual(0.09)
  })
})
