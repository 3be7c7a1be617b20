import { sql, type SQL } from 'drizzle-orm'
import type { SearchText } from '../text.ts'
import { keyOf, placeWord, withKey } from './keys.ts'

/** What is written to the index of one version. */
export interface Indexed {
  text: SearchText
  placements: string[]
}

/**
 * Statements that make a tool's newest version the one its account finds, to be run in the batch that stores it.
 * `isTool` picks the row of `tool`. What is known of its jobs stays while it promises the same.
 */
export function indexNewest(accountId: string, isTool: SQL, { text, placements }: Indexed): SQL[] {
  const key = keyOf(accountId)
  const [name, provider, descr, params] = [text.name, text.provider, text.descr, text.params].map((column) =>
    withKey(key, column),
  )
  const places = withKey(key, placements.map(placeWord).join(' '))
  const newest = sql`from tool t join tool_version v on v.tool_id = t.id and v.number = t.last_version where ${isTool}`
  return [
    sql`insert into own_search (rowid, name, provider, descr, params, jobs, places)
      select v.id, ${name}, ${provider}, ${descr}, ${params}, coalesce((select s.jobs from tool_version e
        join own_search s on s.rowid = e.id where e.tool_id = t.id and e.promise = v.promise), ''), ${places}
      ${newest} and not exists (select 1 from own_search where rowid = v.id)`,
    sql`delete from own_search where rowid in (select v.id from tool_version v join tool t on t.id = v.tool_id
      where ${isTool} and v.number <> t.last_version)`,
  ]
}

/** Statement that takes a tool out of its account's searches, once it is deleted. */
export const unindexNewest = (toolRow: string): SQL =>
  sql`delete from own_search where rowid in (select v.id from tool_version v join tool t on t.id = v.tool_id
    where t.id = ${toolRow} and t.deleted_at is not null)`

/**
 * Statements that make a version the one that everyone finds of its tool, to be run in the batch that publishes it.
 * They do nothing unless that batch has made it the published one.
 */
export function indexPublished(versionId: number, { text, placements }: Indexed): SQL[] {
  const places = placements.map(placeWord).join(' ')
  const isIt = sql`exists (select 1 from tool where published_version_id = ${versionId})`
  const others = sql`select o.id from tool_version v join tool_version o on o.tool_id = v.tool_id
    where v.id = ${versionId} and o.id <> v.id`
  return [
    sql`insert into published_search (rowid, name, provider, descr, params, jobs, places)
      select v.id, ${text.name}, ${text.provider}, ${text.descr}, ${text.params}, coalesce((select s.jobs
        from tool_version e join published_search s on s.rowid = e.id
        where e.tool_id = v.tool_id and e.promise = v.promise), ''), ${places}
      from tool_version v where v.id = ${versionId} and ${isIt}
        and not exists (select 1 from published_search where rowid = v.id)`,
    sql`delete from published_search where ${isIt} and rowid in (${others})`,
  ]
}

/** Statement that takes a tool out of everyone's searches, once it is withdrawn. */
export const unindexPublished = (toolRow: string): SQL =>
  sql`delete from published_search where rowid in (select v.id from tool_version v join tool t on t.id = v.tool_id
    where t.id = ${toolRow} and t.published_version_id is not v.id)`

/** A version of a tool, and the account that made it. */
export interface Made {
  versionId: number
  accountId: string
}

/**
 * Statements that keep the jobs which a version, and every other of its tool that promises the same, is known to have
 * done: `jobs` as `jobsText` makes it.
 */
export function indexJobs({ versionId, accountId }: Made, jobs: string): SQL[] {
  const alike = sql`select e.id from tool_version v join tool_version e on e.tool_id = v.tool_id
    and (e.id = v.id or e.promise = v.promise) where v.id = ${versionId}`
  return [
    sql`update published_search set jobs = ${jobs} where rowid in (${alike})`,
    sql`update own_search set jobs = ${withKey(keyOf(accountId), jobs)} where rowid in (${alike})`,
  ]
}
