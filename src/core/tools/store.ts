import { and, desc, eq, inArray, isNull, sql } from 'drizzle-orm'
import { runBatch, type Db } from '../../db/client.ts'
import { tool, toolVersion } from '../../db/schema/tool.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import type { SearchText } from './search/text.ts'
import type { SampleState, ToolRef, ToolVersion } from './tool.ts'

/** Weights of the columns of `tool_search`, in their order: name, provider, descr, params, jobs. */
const WEIGHTS = sql.raw('4.0, 2.0, 1.0, 0.5, 1.0')

const columns = {
  id: toolVersion.id,
  toolRow: tool.id,
  slug: tool.slug,
  version: toolVersion.number,
  hash: toolVersion.hash,
  descriptor: toolVersion.descriptor,
  codeHash: toolVersion.code_hash,
  sampleState: toolVersion.sample_state,
  sampleTaskId: toolVersion.sample_task_id,
  createdAt: toolVersion.created_at,
}

type Row = Omit<ToolVersion, 'toolId' | 'descriptor'> & { slug: string; descriptor: unknown }

const fromRow = ({ slug, descriptor, ...row }: Row): ToolVersion => ({
  ...row,
  toolId: `tool:${slug}`,
  // Only accepted descriptors are stored.
  descriptor: descriptor as Descriptor,
})

const mine = (accountId: string) => and(eq(tool.account_id, accountId), isNull(tool.deleted_at))

/** The version that a reference names in an account: the pinned one, else the newest. */
export async function findVersion(
  db: Db,
  accountId: string,
  { slugKey, pin }: ToolRef,
): Promise<ToolVersion | undefined> {
  const isPinned =
    pin === null
      ? eq(toolVersion.number, tool.last_version)
      : 'number' in pin
        ? eq(toolVersion.number, pin.number)
        : eq(toolVersion.hash, pin.hash)
  const row = await db
    .select(columns)
    .from(tool)
    .innerJoin(toolVersion, eq(toolVersion.tool_id, tool.id))
    .where(and(mine(accountId), eq(tool.slug_key, slugKey), isPinned))
    .orderBy(desc(toolVersion.number))
    .limit(1)
    .get()
  return row && fromRow(row)
}

/** Numbers and hashes of a tool's versions, newest first, at most 50. */
export async function listVersions(db: Db, toolRow: string) {
  return db
    .select({ version: toolVersion.number, hash: toolVersion.hash, created_at: toolVersion.created_at })
    .from(toolVersion)
    .where(eq(toolVersion.tool_id, toolRow))
    .orderBy(desc(toolVersion.number))
    .limit(50)
}

export interface NewVersion {
  accountId: string
  /** Id of the tool's row if it is a new tool. */
  toolRow: string
  slug: string
  hash: string
  descriptor: Descriptor
  codeHash: string | null
  text: SearchText
  now: number
  /** Tools that the account may have. */
  quota: number
}

/**
 * Stores a version as the newest of its tool, with its row of the index, in one transaction. When the newest one is
 * already the same, that one stays and nothing is written. Returns the newest version; undefined for a tool that would
 * be one too many, of which nothing is written.
 */
export async function insertVersion(db: Db, made: NewVersion): Promise<ToolVersion | undefined> {
  const slugKey = made.slug.toLowerCase()
  const isTool = sql`account_id = ${made.accountId} and slug_key = ${slugKey} and deleted_at is null`
  const label = made.descriptor.label ?? null
  await runBatch(db, [
    // A new number only where the newest version differs or the tool was deleted.
    sql`insert into tool (id, account_id, slug, slug_key, last_version, created_at, updated_at)
      select ${made.toolRow}, ${made.accountId}, ${made.slug}, ${slugKey}, 1, ${made.now}, ${made.now}
      where exists (select 1 from tool where ${isTool})
        or (select count(*) from tool where account_id = ${made.accountId} and deleted_at is null) < ${made.quota}
      on conflict (account_id, slug_key) do update
      set last_version = last_version + 1, slug = excluded.slug, updated_at = excluded.updated_at, deleted_at = null
      where deleted_at is not null or not exists (select 1 from tool_version
        where tool_id = tool.id and number = tool.last_version and hash = ${made.hash})`,
    sql`insert into tool_version
      (tool_id, number, hash, label, descriptor, code_hash, sample_state, created_at)
      select id, last_version, ${made.hash}, ${label}, ${JSON.stringify(made.descriptor)}, ${made.codeHash},
        'working', ${made.now}
      from tool where ${isTool} on conflict (tool_id, number) do nothing`,
    sql`delete from tool_search where rowid in (select v.id from tool_version v join tool t on t.id = v.tool_id
      where ${isTool})`,
    sql`insert into tool_search (rowid, name, provider, descr, params, jobs)
      select v.id, ${made.text.name}, ${made.text.provider}, ${made.text.descr}, ${made.text.params}, ''
      from tool t join tool_version v on v.tool_id = t.id and v.number = t.last_version where ${isTool}`,
  ])
  return findVersion(db, made.accountId, { slugKey, pin: null })
}

/** Tools that an account has. */
export async function countTools(db: Db, accountId: string): Promise<number> {
  return db.$count(tool, mine(accountId))
}

/** Whether the tool of a version is still there to be run. */
export async function isVersionLive(db: Db, versionId: number): Promise<boolean> {
  const row = await db
    .select({ id: tool.id })
    .from(toolVersion)
    .innerJoin(tool, eq(tool.id, toolVersion.tool_id))
    .where(and(eq(toolVersion.id, versionId), isNull(tool.deleted_at)))
    .get()
  return row !== undefined
}

/** Names the task that runs the sample of a version. */
export async function setSampleTask(db: Db, versionId: number, taskId: string): Promise<void> {
  await db.update(toolVersion).set({ sample_task_id: taskId }).where(eq(toolVersion.id, versionId))
}

/** Keeps how the sample ended. Safe to send twice. */
export async function setSampleState(db: Db, versionId: number, state: SampleState): Promise<void> {
  await db.update(toolVersion).set({ sample_state: state }).where(eq(toolVersion.id, versionId))
}

/** Own tools whose words match, best first. `match` is an FTS5 expression whose every term is quoted. */
export async function searchVersions(
  db: Db,
  accountId: string,
  { match, limit }: { match: string; limit: number },
): Promise<ToolVersion[]> {
  const ranked = await db.all<{ rowid: number }>(sql`select tool_search.rowid from tool_search
    join tool_version v on v.id = tool_search.rowid join tool t on t.id = v.tool_id
    where tool_search match ${match} and t.account_id = ${accountId} and t.deleted_at is null
    order by bm25(tool_search, ${WEIGHTS}) limit ${limit}`)
  const order = new Map(ranked.map(({ rowid }, place) => [rowid, place]))
  if (order.size === 0) return []
  const rows = await db
    .select(columns)
    .from(tool)
    .innerJoin(toolVersion, eq(toolVersion.tool_id, tool.id))
    .where(inArray(toolVersion.id, [...order.keys()]))
  return rows.map(fromRow).sort((a, b) => (order.get(a.id) ?? 0) - (order.get(b.id) ?? 0))
}

/** Own newest versions with exactly this id or label. */
export async function findByName(db: Db, accountId: string, name: string): Promise<ToolVersion[]> {
  const slugKey = name.toLowerCase().replace(/^tool:/, '')
  const rows = await db
    .select(columns)
    .from(tool)
    .innerJoin(toolVersion, and(eq(toolVersion.tool_id, tool.id), eq(toolVersion.number, tool.last_version)))
    .where(
      and(
        mine(accountId),
        sql`(${tool.slug_key} = ${slugKey} or lower(${toolVersion.label}) = ${name.toLowerCase()})`,
      ),
    )
    .limit(10)
  return rows.map(fromRow)
}
