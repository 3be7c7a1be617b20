import { DatabaseSync, type SQLInputValue, type StatementSync } from 'node:sqlite'

/**
 * Stand-ins for the platform's two SQLite sockets on Node's own SQLite, for figures that would drown in the cost of a
 * local Worker: the same SQL and the same tables, but no output gates, no replication and no waiting for the disk.
 */

/** An open database that keeps its prepared statements, as the platform does. */
class Sqlite {
  readonly database: DatabaseSync
  readonly #statements = new Map<string, StatementSync>()

  constructor(path: string) {
    this.database = new DatabaseSync(path)
    this.database.exec('pragma journal_mode = wal; pragma synchronous = off')
  }

  prepared(sql: string): StatementSync {
    const known = this.#statements.get(sql)
    if (known) return known
    const made = this.database.prepare(sql)
    this.#statements.set(sql, made)
    return made
  }
}

export interface StoredObject {
  storage: DurableObjectStorage
  database: DatabaseSync
}

/** The storage of one durable object, as far as `TaskStore` uses it. */
export function openStorage(path = ':memory:'): StoredObject {
  const sqlite = new Sqlite(path)
  const { database } = sqlite
  const storage = {
    sql: {
      exec(sql: string, ...values: SQLInputValue[]) {
        if (values.length === 0 && /;\s*\S/.test(sql)) {
          database.exec(sql)
          return { toArray: () => [] }
        }
        const rows = sqlite.prepared(sql).all(...values)
        return { toArray: () => rows }
      },
    },
    transactionSync<T>(work: () => T): T {
      database.exec('begin')
      try {
        const result = work()
        database.exec('commit')
        return result
      } catch (error) {
        database.exec('rollback')
        throw error
      }
    },
  }
  return { storage: storage as unknown as DurableObjectStorage, database }
}

/** A D1 database, as far as drizzle uses it, that counts what is asked of it. */
export class CountingD1 {
  reads = 0
  writes = 0
  readonly #sqlite = new Sqlite(':memory:')

  constructor(schema: string) {
    this.#sqlite.database.exec(schema)
  }

  get binding(): D1Database {
    return this as unknown as D1Database
  }

  #changes(): number {
    return Number(this.#sqlite.prepared('select changes() as n').get()?.n ?? 0)
  }

  /** One after the other in one transaction, as D1 does. */
  async batch(statements: { run(): Promise<unknown> }[]): Promise<unknown[]> {
    const { database } = this.#sqlite
    database.exec('begin')
    try {
      const results = []
      for (const statement of statements) results.push(await statement.run())
      database.exec('commit')
      return results
    } catch (error) {
      database.exec('rollback')
      throw error
    }
  }

  prepare(sql: string) {
    const statement = this.#sqlite.prepared(sql)
    const ask = (values: SQLInputValue[]): Record<string, unknown>[] => {
      if (/^\s*select/i.test(sql)) this.reads += 1
      else this.writes += 1
      return statement.all(...values)
    }
    const bound = (values: SQLInputValue[]) => ({
      bind: (...given: SQLInputValue[]) => bound(given),
      run: async () => ({ success: true, results: ask(values), meta: { changes: this.#changes() } }),
      all: async () => ({ success: true, results: ask(values) }),
      raw: async () => ask(values).map((row) => Object.values(row)),
    })
    return bound([])
  }
}
