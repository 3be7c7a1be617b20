import { sql, type SQL } from 'drizzle-orm'
import { readBatch, runBatch, type Db } from '../../../db/client.ts'
import { metJobs } from '../evidence/store.ts'
import type { MetJob } from '../search/index/jobs.ts'
import { keyOf, withKey } from '../search/index/keys.ts'
import { COLUMNS, TEXT_CHAIN, type Column } from '../search/text.ts'

/** A version that is to be found, as it is stored. */
export interface OldVersion {
  id: number
  descriptor: string
  met: MetJob[]
}

/** A tool of which something was indexed by an older text chain, or never. */
export interface OldTool {
  toolRow: string
  accountId: string
  handle: string
  /** All that its rows depend on, as it was when this was read. */
  seen: string
  /** What its account is to find; null: nothing, as it was deleted. */
  own: OldVersion | null
  /** What everyone is to find; null: nothing. */
  published: OldVersion | null
}

/** The row of a version; null: it stays as it is. */
export interface Remade {
  id: number
  columns: Record<Column | 'places', string> | null
}

/** Tools with a version that an older chain indexed, or none. */
export async function findOld(db: Db, limit: number): Promise<string[]> {
  const [rows] = (await readBatch(db, [
    // Distinct in the order of its index, so that none but old versions are read.
    sql`select distinct text_chain, tool_id as toolRow from tool_version where text_chain < ${TEXT_CHAIN}
      order by text_chain, tool_id limit ${limit}`,
  ])) as [{ toolRow: string }[]]
  return [...new Set(rows.map(({ toolRow }) => toolRow))]
}

/** A tool with its versions that are to be found. */
const visible = (toolRow: string): SQL => sql`from tool t
  left join tool_version o on o.tool_id = t.id and o.number = t.last_version and t.deleted_at is null
  left join tool_version p on p.id = t.published_version_id
  where t.id = ${toolRow}`

const OWN = sql.raw('o.id')
const PUBLISHED = sql.raw('p.id')

const reportsOf = (version: SQL): SQL => sql`(select json_group_array(id) from (${metJobs(version)}))`
const jobsOf = (version: SQL): SQL =>
  sql`(select json_group_array(json_object('reporter', reporter, 'job', job)) from (${metJobs(version)}))`

/** What a tool's rows depend on: versions and reports never change. */
const STATE = sql`json_array(o.id, p.id, ${reportsOf(OWN)}, ${reportsOf(PUBLISHED)})`

interface Row {
  accountId: string
  handle: string
  seen: string
  ownId: number | null
  own: string
  ownJobs: string
  publishedId: number | null
  published: string
  publishedJobs: string
}

export async function readOld(db: Db, toolRow: string): Promise<OldTool | undefined> {
  const [[row]] = (await readBatch(db, [
    sql`select t.account_id as accountId, (select handle from account where id = t.account_id) as handle,
      ${STATE} as seen, o.id as ownId, o.descriptor as own, ${jobsOf(OWN)} as ownJobs,
      p.id as publishedId, p.descriptor as published, ${jobsOf(PUBLISHED)} as publishedJobs
      ${visible(toolRow)}`,
  ])) as [Row[]]
  if (!row) return undefined
  const { accountId, handle, seen, ownId, publishedId } = row
  return {
    toolRow,
    accountId,
    handle,
    seen,
    own: ownId === null ? null : { id: ownId, descriptor: row.own, met: JSON.parse(row.ownJobs) },
    published:
      publishedId === null
        ? null
        : { id: publishedId, descriptor: row.published, met: JSON.parse(row.publishedJobs) },
  }
}

/** Makes a tool's rows anew and says so, unless what they depend on changed since it was read, or another was quicker. */
export async function remake(
  db: Db,
  { toolRow, accountId, seen }: OldTool,
  { own, published }: { own: Remade | null; published: Remade | null },
): Promise<void> {
  const isSeen = sql`exists (select 1 ${visible(toolRow)} and ${STATE} = ${seen})
    and exists (select 1 from tool_version where tool_id = ${toolRow} and text_chain < ${TEXT_CHAIN})`
  const versions = sql`select id from tool_version where tool_id = ${toolRow}`
  const half = (name: 'own' | 'published', key: string, made: Remade | null): SQL[] => {
    const table = sql.raw(`${name}_search`)
    const kept = made?.columns === null ? made.id : null
    const drop = sql`delete from ${table} where rowid in (${versions} and id is not ${kept}) and ${isSeen}`
    if (!made?.columns) return [drop]
    const { id, columns } = made
    const texts = [...COLUMNS, 'places' as const].map((column) => sql`${withKey(key, columns[column])}`)
    return [
      drop,
      sql`insert into ${table} (rowid, ${sql.raw(COLUMNS.join(', '))}, places)
        select ${id}, ${sql.join(texts, sql`, `)} where ${isSeen}`,
    ]
  }
  await runBatch(db, [
    ...half('own', keyOf(accountId), own),
    ...half('published', '', published),
    sql`update tool_version set text_chain = ${TEXT_CHAIN}
      where tool_id = ${toolRow} and text_chain < ${TEXT_CHAIN} and ${isSeen}`,
  ])
}
