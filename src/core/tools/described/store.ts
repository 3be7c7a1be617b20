import type { Db } from '../../../db/client.ts'
import { pricesQuery } from '../../prices/store.ts'
import { recordOf, recordQuery } from '../evidence/store.ts'
import { checkQuery } from '../publishing/store.ts'
import { versionsQuery } from '../store.ts'
import type { ToolVersion } from '../tool.ts'

/** What a description tells of a version beside the version itself, read in one round trip. */
export async function findAround(db: Db, version: ToolVersion) {
  const [versions, records, prices, checks] = await db.batch([
    versionsQuery(db, version),
    recordQuery(db, version.id),
    pricesQuery(db, [version.id]),
    checkQuery(db, version.toolRow),
  ])
  return { versions, record: recordOf(records), price: prices[0], check: checks[0] }
}
