/**
 * How well and how fast tools are found: `npm run bench:find -- <folder>...` prints one line of JSON a folder that holds
 * `tools.jsonl` {id, name, description, group?, category?, params?} and `queries.jsonl` {id, query, gold: [tool ids]}.
 * The ranking is the product's own, from the text chain to the order, on Node's SQLite in place of D1; `plain` is FTS5
 * with its defaults in the same run. Jobs that no tool of a folder does are taken from the other folders beside it.
 *
 * --own        the tools are the searcher's own, not published ones of others
 * --history 5  so many of each tool's jobs are known to have been done; the others are asked
 * --sizes 1000,10000,100000   only how long searches take in catalogues of these sizes, made of the folders' texts
 */
import { existsSync, readdirSync } from 'node:fs'
import { dirname, join } from 'node:path'
import { parseArgs } from 'node:util'
import { emptyCatalogue, fillCatalogue, readSet } from './find/catalogue.ts'
import { measureSet } from './find/set.ts'
import { measureSizes } from './find/sizes.ts'

const { values, positionals } = parseArgs({
  allowPositionals: true,
  options: {
    own: { type: 'boolean', default: false },
    history: { type: 'string', default: '0' },
    sizes: { type: 'string' },
  },
})
if (positionals.length === 0) {
  console.error('Name a folder with tools.jsonl and queries.jsonl: npm run bench:find -- <folder>')
  process.exit(1)
}

const sets = positionals.map(readSet)
if (values.sizes === undefined) {
  for (const [i, set] of sets.entries()) {
    const folder = positionals[i] ?? ''
    const others = siblings(folder).map(readSet)
    const db = emptyCatalogue()
    const known = await fillCatalogue(db, set.tools, values.own ? 'own' : 'published')
    console.log(JSON.stringify(await measureSet({ db, known, set, others, history: Number(values.history) })))
  }
} else {
  console.log(JSON.stringify(await measureSizes(sets, values.sizes.split(',').map(Number))))
}

/** Folders beside one that hold a set too. */
function siblings(folder: string): string[] {
  const parent = dirname(folder.replace(/\/$/, ''))
  return readdirSync(parent)
    .map((name) => join(parent, name))
    .filter((path) => path !== folder.replace(/\/$/, '') && existsSync(join(path, 'tools.jsonl')))
}
