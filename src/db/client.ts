import type { SQL } from 'drizzle-orm'
import { drizzle } from 'drizzle-orm/d1'
import { SQLiteAsyncDialect } from 'drizzle-orm/sqlite-core'

/** The catalogue's database. Only `store.ts` files query it. */
export const openDb = (binding: D1Database) => drizzle(binding)

export type Db = ReturnType<typeof openDb>

const dialect = new SQLiteAsyncDialect()

/**
 * Runs statements in one transaction: all of them happen or none. Returns how many rows each changed. (Drizzle's own
 * batch takes no raw statements.)
 */
export async function runBatch(db: Db, statements: SQL[]): Promise<number[]> {
  const results = await db.$client.batch(statements.map((statement) => prepared(db, statement)))
  return results.map(({ meta }) => meta.changes)
}

/** Reads with several statements in one round trip; the rows of each, in their order. */
export async function readBatch(db: Db, statements: SQL[]): Promise<unknown[][]> {
  const results = await db.$client.batch(statements.map((statement) => prepared(db, statement)))
  return results.map((result) => result.results)
}

function prepared(db: Db, statement: SQL): D1PreparedStatement {
  const { sql, params } = dialect.sqlToQuery(statement)
  return db.$client.prepare(sql).bind(...params)
}
