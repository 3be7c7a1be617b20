import { pairOf, type JobQuery } from './query.ts'
import { COLUMN_WEIGHTS, type Column, type SearchText } from './text.ts'

/** How common words are among the tools that the caller may see. */
export interface Corpus {
  tools: number
  /** In how many of them each stem of the job stands. */
  holding: ReadonlyMap<string, number>
}

/** How well one tool's text matches a job. */
export interface Match {
  /** 0 to 1; the best of a job's candidates has 1. */
  relevance: number
  /** Part of the job that the tool's words cover, each word by how rare it is, 0 to 1. */
  coverage: number
  /** Likeness to the clause that it matches best, 0 to 1. */
  likeness: number
  /** The column in which the tool holds most of the job. */
  column: Column
  /** Of a job of several clauses the stems that the tool holds, each with its share of the job by rarity. */
  parts: ReadonlyMap<string, number>
}

/**
 * What each measure counts: fitted on four public sets of tools and jobs, and checked by leaving out one set in turn.
 * None is tuned to one set alone.
 */
const WEIGHTS = {
  /** The whole job by BM25, and the best clause, each by the best candidate's. */
  whole: 1.8,
  clause: 2.2,
  likeness: 1.7,
  coverage: 1.4,
  /** Share of the tool's name that the job speaks of. */
  name: 1.3,
  /** Share of its letters that are words of the job written together, as in `csvtojson`. */
  joined: 1.5,
  /** Words that follow one another in both. */
  pairs: 1.7,
  /** Long texts match by chance. */
  length: -0.2,
}

/** Constants of BM25: how soon a repeated word stops counting, and how much length does (less than usual: texts are capped). */
const K1 = 1.2
const B = 0.5
/** Tools that every catalogue is taken to have besides its own, so that a small one does not call each word common. */
const OTHER_TOOLS = 200

interface Doc {
  /** How often each stem of the job stands in the tool, by the weights of the columns. */
  times: Map<string, number>
  column: Column
  length: number
  nameShare: number
  joinedShare: number
  pairs: number
}

/** Matches of the texts with a job, in their order. */
export function matchTexts(query: JobQuery, corpus: Corpus, texts: SearchText[]): Match[] {
  const wanted = new Set(query.whole)
  const docs = texts.map((text) => read(text, query, wanted))
  const clauses = query.clauses.length > 0 ? query.clauses : [query.whole]
  const rarity = rarityIn(corpus)
  const meanLength = docs.reduce((sum, { length }) => sum + length, 0) / Math.max(1, docs.length)
  const bm25 = (stems: string[]): number[] =>
    byBest(docs.map((doc) => bm25Of(doc, stems, { rarity, meanLength })))
  const whole = bm25(query.whole)
  const clauseScores = clauses.map(bm25)
  const matches = docs.map((doc, i) => {
    const coverage = held(query.whole, doc, rarity).reduce((sum, [, share]) => sum + share, 0)
    const likeness = Math.max(...clauses.map((clause) => likenessOf(clause, doc, rarity)))
    const relevance =
      WEIGHTS.whole * (whole[i] ?? 0) +
      WEIGHTS.clause * Math.max(...clauseScores.map((scores) => scores[i] ?? 0)) +
      WEIGHTS.likeness * likeness +
      WEIGHTS.coverage * coverage +
      WEIGHTS.name * doc.nameShare +
      WEIGHTS.joined * doc.joinedShare +
      WEIGHTS.pairs * (doc.pairs / Math.sqrt(Math.max(1, query.pairs.size))) +
      WEIGHTS.length * Math.log(1 + doc.length)
    const parts = new Map(query.clauses.length > 0 ? held(query.whole, doc, rarity) : [])
    return { relevance: Math.max(0, relevance), coverage, likeness, column: doc.column, parts }
  })
  const relevances = byBest(matches.map(({ relevance }) => relevance))
  return matches.map((match, i) => ({ ...match, relevance: relevances[i] ?? 0 }))
}

type Rarity = (stem: string) => number

function rarityIn({ tools, holding }: Corpus): Rarity {
  const all = tools + OTHER_TOOLS
  return (stem) => {
    const holders = Math.min(holding.get(stem) ?? 0, tools)
    return Math.log(1 + (all - holders + 0.5) / (holders + 0.5))
  }
}

function byBest(values: number[]): number[] {
  const best = Math.max(...values, Number.MIN_VALUE)
  return values.map((value) => value / best)
}

function read(text: SearchText, query: JobQuery, wanted: ReadonlySet<string>): Doc {
  const doc: Doc = { times: new Map(), column: 'descr', length: 0, nameShare: 0, joinedShare: 0, pairs: 0 }
  const pairs = new Set<string>()
  let most = 0
  for (const [column, weight] of WEIGHED_COLUMNS) {
    const list = text[column] === '' ? [] : text[column].split(' ')
    const hits = new Set<string>()
    let last: string | undefined
    for (const stem of list) {
      const isHit = wanted.has(stem)
      if (isHit) {
        hits.add(stem)
        doc.times.set(stem, (doc.times.get(stem) ?? 0) + weight)
        if (last !== undefined && query.pairs.has(pairOf(last, stem))) pairs.add(pairOf(last, stem))
      }
      last = isHit ? stem : undefined
    }
    if (hits.size > most) {
      most = hits.size
      doc.column = column
    }
    if (column === 'name') {
      doc.nameShare = hits.size / Math.max(1, list.length)
      doc.joinedShare = joinedShare(list, query.whole)
    }
    doc.length += list.length
  }
  doc.pairs = pairs.size
  return doc
}

const WEIGHED_COLUMNS = Object.entries(COLUMN_WEIGHTS) as [Column, number][]

/** Shorter words stand in many others by chance. */
const JOINED_LETTERS = 4

function joinedShare(name: string[], wanted: string[]): number {
  const joined = name.join('')
  const inside = wanted.filter(
    (stem) => stem.length >= JOINED_LETTERS && !name.includes(stem) && joined.includes(stem),
  )
  return Math.min(1, inside.join('').length / Math.max(1, joined.length))
}

function bm25Of(
  { times, length }: Doc,
  stems: string[],
  { rarity, meanLength }: { rarity: Rarity; meanLength: number },
): number {
  const slow = K1 * (1 - B + (B * length) / Math.max(1, meanLength))
  return stems.reduce((sum, stem) => {
    const count = times.get(stem) ?? 0
    return sum + (rarity(stem) * count * (K1 + 1)) / (count + slow)
  }, 0)
}

/** The stems that a tool holds, each with its share of all of them by rarity. */
function held(stems: string[], { times }: Doc, rarity: Rarity): [string, number][] {
  const all = stems.reduce((sum, stem) => sum + rarity(stem), 0)
  return stems.flatMap((stem) => (times.has(stem) ? [[stem, rarity(stem) / all]] : []))
}

/** A word of a tool is on average about as rare as this: its own rarity is not looked up. */
const MEAN_RARITY = 4

/** Cosine of the clause's and the tool's words, each weighing by its rarity. */
function likenessOf(clause: string[], { times, length }: Doc, rarity: Rarity): number {
  const squares = (list: string[]): number => list.reduce((sum, stem) => sum + rarity(stem) ** 2, 0)
  const shared = squares(clause.filter((stem) => times.has(stem)))
  const other = Math.max(shared, length * MEAN_RARITY ** 2)
  return shared === 0 ? 0 : shared / Math.sqrt(squares(clause) * other)
}
