import { env } from 'cloudflare:workers'
import { reindexOld } from '../../src/core/tools/reindex/pass.ts'
import type { ToolVersion } from '../../src/core/tools/tool.ts'
import { openDb } from '../../src/db/client.ts'

export const HALVES = ['own_search', 'published_search'] as const

/** Leaves tools as versions of the program without these indexes, or before the first numbered chain, left them. */
export async function makeOld(...tools: ToolVersion[]): Promise<void> {
  const rows = JSON.stringify(tools.map(({ toolRow }) => toolRow))
  const versions = 'select id from tool_version where tool_id in (select value from json_each(?))'
  await env.DB.batch([
    ...HALVES.map((half) => env.DB.prepare(`delete from ${half} where rowid in (${versions})`).bind(rows)),
    env.DB.prepare(`update tool_version set text_chain = 0 where id in (${versions})`).bind(rows),
  ])
}

/** All that the indexes hold, and who made it. */
export async function everything(): Promise<unknown[]> {
  const tables = await env.DB.batch([
    ...HALVES.map((half) => env.DB.prepare(`select rowid, * from ${half} order by rowid`)),
    env.DB.prepare('select id, text_chain from tool_version order by id'),
  ])
  return tables.map(({ results }) => results)
}

export const countOld = () =>
  env.DB.prepare('select count(*) as n from tool_version where text_chain = 0').first('n')

/** Rowids of a tool in a half of the index. */
export async function rowsOf(half: (typeof HALVES)[number], { toolRow }: ToolVersion): Promise<unknown[]> {
  const { results } = await env.DB.prepare(
    `select rowid as id from ${half} where rowid in (select id from tool_version where tool_id = ?)`,
  )
    .bind(toolRow)
    .all()
  return results.map(({ id }) => id)
}

/** A database that does something before the first batch of several statements, as if another had been quicker. */
export function interrupted(meanwhile: () => Promise<unknown>): ReturnType<typeof openDb> {
  let isDone = false
  return openDb(
    new Proxy(env.DB, {
      get(target, name) {
        if (name !== 'batch') return Reflect.get(target, name).bind(target)
        return async (statements: D1PreparedStatement[]) => {
          if (statements.length > 1 && !isDone) {
            isDone = true
            await meanwhile()
          }
          return target.batch(statements)
        }
      },
    }),
  )
}

/** One pass, and what it cost and said. */
export async function pass(over = openDb(env.DB)) {
  const cost = { batches: 0, read: 0, written: 0 }
  const said: Record<string, unknown>[] = []
  const counting = new Proxy(over.$client, {
    get(target, name) {
      if (name !== 'batch') return Reflect.get(target, name).bind(target)
      return async (statements: D1PreparedStatement[]) => {
        const results = await target.batch(statements)
        cost.batches += 1
        for (const { meta } of results) {
          cost.read += meta.rows_read
          cost.written += meta.rows_written
        }
        return results
      }
    },
  })
  await reindexOld({
    db: openDb(counting),
    log: (event, details) => said.push({ event, ...details }),
  })
  return { ...cost, said }
}
