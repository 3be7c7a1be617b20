/** What a first try does: the texts as they are in FTS5, any word of the job, bm25 with its defaults. */
import { DatabaseSync } from 'node:sqlite'
import type { BenchTool } from './catalogue.ts'

export type Ranker = (job: string) => Promise<string[]>

export function plainRanker(tools: BenchTool[]): Ranker {
  const database = new DatabaseSync(':memory:')
  database.exec('create virtual table plain using fts5(name, grp, descr)')
  const insert = database.prepare('insert into plain (rowid, name, grp, descr) values (?, ?, ?, ?)')
  database.exec('begin')
  for (const [i, tool] of tools.entries()) insert.run(i + 1, tool.name, tool.group ?? '', tool.description)
  database.exec('commit')
  const ask = database.prepare(
    'select rowid as id from plain where plain match ? order by bm25(plain) limit 10',
  )
  return async (job) => {
    const words = new Set(job.toLowerCase().match(/[\p{L}\p{N}]+/gu))
    if (words.size === 0) return []
    const rows = ask.all([...words].map((word) => `"${word}"`).join(' OR ')) as { id: number }[]
    return rows.map(({ id }) => tools[id - 1]?.id ?? '')
  }
}
