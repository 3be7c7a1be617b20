import { sql, type SQL } from 'drizzle-orm'
import { readBatch, type Db } from '../../../db/client.ts'
import { inReportsOfToday } from '../evidence/grown.ts'
import { FAILING_FROM } from '../tool.ts'
import type { Found, Hit } from './fuse.ts'
import { keyOf, placeWord, withoutKey } from './index/keys.ts'
import type { Evidence } from './outcome.ts'
import { anyOf, type JobQuery } from './query.ts'
import type { Corpus } from './score.ts'
import { COLUMN_WEIGHTS, COLUMNS, type SearchText } from './text.ts'

/** Hits of the index for a whole job, and for one of its clauses. */
const WHOLE_HITS = 200
const CLAUSE_HITS = 100

/** Weights of the columns in their order; a placement only filters. */
const WEIGHTS = [...Object.values(COLUMN_WEIGHTS), 0].join(', ')

/** Who searches: sees the newest version of each own tool, and every published one. */
export interface Searcher {
  accountId: string
  /** Milliseconds since 1970: what reports count depends on how old they are. */
  now: number
}

/** The two halves of the index: what everyone may find, and each account's newest versions. */
type Half = 'published' | 'own'

/** A job that is looked for. */
export interface Search {
  job: string
  query: JobQuery
  /** Only tools that run there. */
  placement?: string
}

/** Versions whose id or label is exactly the job; `place` counts from the own id, the first of them. */
export interface Named {
  id: number
  place: number
}

/** What the catalogue knows of a job: exact names, hits of both halves of the index, how common its words are. */
export interface Hits {
  named: Named[]
  halves: Found[]
  corpus: Corpus
}

/** Asks the catalogue for a job, in one round trip. */
export async function searchCatalogue(db: Db, { accountId }: Searcher, search: Search): Promise<Hits> {
  const { job, query, placement } = search
  const key = keyOf(accountId)
  const place = placement === undefined ? undefined : placeWord(placement)
  const texts = [query.whole, ...query.clauses].filter(({ length }) => length > 0)
  const [named, counted, sizes, ...lists] = (await readBatch(db, [
    namedExactly(accountId, job),
    holding(key, query.whole),
    sql`select (select block from published_search_data where id = 1) as totals,
      (select count(*) from tool where account_id = ${accountId} and deleted_at is null) as own`,
    ...texts.map((stems, i) => hitsOf(key, { stems, place, limit: i === 0 ? WHOLE_HITS : CLAUSE_HITS })),
  ])) as [Named[], { term: string; tools: number }[], Sizes[], ...(Hit & { half: Half })[][]]
  const holders = new Map<string, number>()
  for (const { term, tools } of counted) holders.set(term, (holders.get(term) ?? 0) + tools)
  const found = (half: Half): Found => {
    const [whole = [], ...clauses] = lists.map((list) => list.filter((hit) => hit.half === half))
    return { whole, clauses }
  }
  return {
    named,
    halves: [found('own'), found('published')],
    corpus: { tools: (sizes[0]?.own ?? 0) + firstNumber(sizes[0]?.totals ?? []), holding: holders },
  }
}

interface Sizes {
  totals: number[] | null
  own: number
}

/** Rows of a full-text index: the first number, seven bits a byte, of what FTS5 keeps under id 1 of its data. */
function firstNumber(bytes: number[]): number {
  let value = 0
  for (const byte of bytes) {
    value = value * 128 + (byte & 127)
    if (byte < 128) break
  }
  return value
}

/** In how many tools of either half each word stands. */
function holding(key: string, stems: string[]): SQL {
  const own = JSON.stringify(stems.map((stem) => key + stem))
  return sql`select term, doc as tools from published_words
    where term in (select value from json_each(${JSON.stringify(stems)}))
    union all select substr(term, ${key.length + 1}), doc from own_words where term in (select value from json_each(${own}))`
}

function hitsOf(
  key: string,
  { stems, place, limit }: { stems: string[]; place: string | undefined; limit: number },
): SQL {
  const expression = (prefix: string): string => {
    const words = anyOf(stems.map((stem) => prefix + stem))
    return place === undefined ? words : `(${words}) AND places : "${prefix}${place}"`
  }
  const half = (name: Half, match: string): SQL => {
    const table = sql.raw(`${name}_search`)
    // Faster than FTS5's own `rank`, which reads each row once more.
    const score = sql.raw(`-bm25(${name}_search, ${WEIGHTS})`)
    return sql`select * from (select rowid as id, ${score} as score, ${name} as half from ${table}
      where ${table} match ${match} order by score desc limit ${limit})`
  }
  return sql`${half('published', expression(''))} union all ${half('own', expression(key))}`
}

/** `tool:slug`, `slug`, `tool:handle/slug`, each maybe with a pin: what may name a tool exactly. */
const NAME = /^(?:tool:)?(?:([a-z][a-z0-9-]{1,30})\/)?([A-Za-z][A-Za-z0-9_-]{0,62})(?:@[0-9a-f]{1,64})?$/

/** Versions named exactly that are looked at. */
const NAMED = 20

function namedExactly(accountId: string, job: string): SQL {
  const label = job.trim()
  const [, maker = '', slug = ''] = NAME.exec(label) ?? []
  const slugKey = slug.toLowerCase()
  const isLabel = sql`lower(v.label) = lower(${label})`
  const isMaker = sql`t.account_id = (select id from account where handle = ${maker})`
  const isSlug = maker === '' ? sql`t.slug_key = ${slugKey}` : sql`t.slug_key = ${slugKey} and ${isMaker}`
  const own = sql`tool t join tool_version v on v.tool_id = t.id and v.number = t.last_version
    where t.account_id = ${accountId} and t.deleted_at is null`
  const isIt = sql`v.id = t.published_version_id`
  const places: [SQL, number][] = [
    [sql`${own} and ${isSlug}`, 0],
    [sql`${own} and ${isLabel}`, 2],
    // Another's slug without its handle is what its tool is called where it has no label.
    [sql`tool t join tool_version v on ${isIt} where ${isSlug}`, maker === '' ? 3 : 1],
    [sql`tool_version v join tool t on ${isIt} where ${isLabel}`, 3],
  ]
  const each = places.map(
    ([rows, place]) => sql`select * from (select v.id, ${place} as place from ${rows} limit ${NAMED})`,
  )
  return sql`select id, min(place) as place from (${sql.join(each, sql` union all `)}) group by id`
}

/** One candidate as it is ranked: no descriptor yet. */
export interface CandidateRow {
  id: number
  maker: string
  isOwn: boolean
  hasFailed: boolean
  text: SearchText
  evidence: Evidence
}

/** Versions that may be candidates, of which only those that run at a placement are. */
export interface Wanted {
  ids: number[]
  placement?: string
}

/**
 * Texts and records of those of some versions that the searcher may see: the newest version of an own tool, the
 * published one of every other. In no order.
 */
export async function readCandidates(
  db: Db,
  { accountId, now }: Searcher,
  { ids, placement = '' }: Wanted,
): Promise<CandidateRow[]> {
  if (ids.length === 0) return []
  const wanted = JSON.stringify(ids)
  const half = (name: Half, isVisible: SQL): SQL => sql`select v.id, t.account_id as maker, s.*, r.*,
      (v.sample_state = 'failed' or (v.id is t.published_version_id and t.check_failures >= ${FAILING_FROM}))
        as has_failed
    from json_each(${wanted}) c cross join tool_version v on v.id = c.value
    cross join tool t on t.id = v.tool_id cross join ${sql.raw(`${name}_search`)} s on s.rowid = v.id
    left join version_record r on r.version_id = v.id 
    where t.deleted_at is null and ${isVisible} and instr(s.places, ${placeWord(placement)}) > 0`
  const [own = [], published = []] = (await readBatch(db, [
    half('own', sql`t.account_id = ${accountId} and v.number = t.last_version`),
    half('published', sql`t.account_id <> ${accountId} and v.id = t.published_version_id`),
  ])) as Row[][]
  const key = keyOf(accountId)
  return [
    ...own.map((row) => fromRow(row, { key, now })),
    ...published.map((row) => fromRow(row, { key: null, now })),
  ]
}

type Row = SearchText &
  Partial<
    Record<keyof Omit<Evidence, 'met_weight' | 'failed_weight'> | 'met_grown' | 'failed_grown', number | null>
  > & {
    id: number
    maker: string
    has_failed: number
  }

function fromRow(row: Row, { key, now }: { key: string | null; now: number }): CandidateRow {
  const { id, maker, has_failed } = row
  const text = Object.fromEntries(
    COLUMNS.map((column) => [column, key === null ? row[column] : withoutKey(key, row[column])]),
  ) as SearchText
  return {
    id,
    maker,
    isOwn: key !== null,
    hasFailed: has_failed === 1,
    text,
    evidence: {
      runs: row.runs ?? 0,
      contract_passed: row.contract_passed ?? 0,
      reported_met: row.reported_met ?? 0,
      reported_failed: row.reported_failed ?? 0,
      accounts: row.accounts ?? 0,
      reporters: row.reporters ?? 0,
      met_weight: inReportsOfToday(row.met_grown ?? 0, now),
      failed_weight: inReportsOfToday(row.failed_grown ?? 0, now),
    },
  }
}
