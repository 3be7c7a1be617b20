import { sql } from 'drizzle-orm'
import type { Db } from '../../../../db/client.ts'

/** What a list of candidates shows of a version. `descriptor` is JSON text: one damaged row must not hide the others. */
export interface ShownVersion {
  id: number
  slug: string
  handle: string
  version: number
  descriptor: string
  sampleState: string
}

/** Versions by their ids, in no order. */
export async function readShown(db: Db, ids: number[]): Promise<ShownVersion[]> {
  return db.all<ShownVersion>(sql`select v.id, t.slug, a.handle, v.number as version, v.descriptor,
      v.sample_state as sampleState
    from json_each(${JSON.stringify(ids)}) c cross join tool_version v on v.id = c.value
    cross join tool t on t.id = v.tool_id cross join account a on a.id = t.account_id`)
}
