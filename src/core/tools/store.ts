import { and, desc, eq, inArray, isNotNull, isNull, or, sql } from 'drizzle-orm'
import { runBatch, type Db } from '../../db/client.ts'
import { account } from '../../db/schema/account.ts'
import { tool, toolVersion } from '../../db/schema/tool.ts'
import type { Descriptor } from './descriptor/descriptor.ts'
import { indexNewest } from './search/index/store.ts'
import { TEXT_CHAIN, type SearchText } from './search/text.ts'
import { FAILING_FROM, type SampleState, type ToolRef, type ToolVersion } from './tool.ts'

const columns = {
  id: toolVersion.id,
  toolRow: tool.id,
  slug: tool.slug,
  maker: account.handle,
  accountId: tool.account_id,
  version: toolVersion.number,
  hash: toolVersion.hash,
  descriptor: toolVersion.descriptor,
  codeHash: toolVersion.code_hash,
  sampleState: toolVersion.sample_state,
  sampleTaskId: toolVersion.sample_task_id,
  createdAt: toolVersion.created_at,
  publishedAt: toolVersion.published_at,
  similarTo: toolVersion.similar_to,
  failingSince: sql<number | null>`case when ${tool.published_version_id} = ${toolVersion.id}
    and ${tool.check_failures} >= ${FAILING_FROM} then ${tool.check_failed_since} end`,
}

type Row = Omit<ToolVersion, 'toolId' | 'isOwn' | 'descriptor'> & {
  slug: string
  accountId: string
  descriptor: unknown
}

/** A version as an account sees it. */
function fromRow({ slug, accountId, descriptor, ...row }: Row, viewer: string | null): ToolVersion {
  const isOwn = accountId === viewer
  return {
    ...row,
    sampleState: row.failingSince === null ? row.sampleState : 'failed',
    toolId: isOwn ? `tool:${slug}` : `tool:${row.maker}/${slug}`,
    isOwn,
    // Only accepted descriptors are stored.
    descriptor: descriptor as Descriptor,
  }
}

const versions = (db: Db) =>
  db
    .select(columns)
    .from(tool)
    .innerJoin(account, eq(account.id, tool.account_id))
    .innerJoin(toolVersion, and(eq(toolVersion.tool_id, tool.id), isNull(toolVersion.deleted_at)))

const mine = (accountId: string) => and(eq(tool.account_id, accountId), isNull(tool.deleted_at))

const isPinned = (pin: NonNullable<ToolRef['pin']>) =>
  'number' in pin ? eq(toolVersion.number, pin.number) : eq(toolVersion.hash, pin.hash)

/** The version that a reference names in an account: the pinned one, else the newest. */
export async function findVersion(
  db: Db,
  accountId: string,
  { slugKey, pin }: Pick<ToolRef, 'slugKey' | 'pin'>,
): Promise<ToolVersion | undefined> {
  const isNamed = pin === null ? eq(toolVersion.number, tool.last_version) : isPinned(pin)
  const row = await versions(db)
    .where(and(mine(accountId), eq(tool.slug_key, slugKey), isNamed))
    .orderBy(desc(toolVersion.number))
    .limit(1)
    .get()
  return row && fromRow(row, accountId)
}

/**
 * The version that a reference names for everyone else: of a published tool the published version, or a pinned one
 * that was published at some time.
 */
export async function findPublished(
  db: Db,
  maker: string,
  { slugKey, pin }: ToolRef,
): Promise<ToolVersion | undefined> {
  const isNamed =
    pin === null
      ? eq(toolVersion.id, tool.published_version_id)
      : and(isPinned(pin), isNotNull(toolVersion.published_at))
  const isPublished = and(isNull(tool.deleted_at), isNotNull(tool.published_version_id))
  const row = await versions(db)
    .where(and(eq(account.handle, maker), eq(tool.slug_key, slugKey), isPublished, isNamed))
    .orderBy(desc(toolVersion.number))
    .limit(1)
    .get()
  return row && fromRow(row, null)
}

/** Versions by their rows, as their makers see them. */
export async function findVersions(db: Db, ids: number[]): Promise<ToolVersion[]> {
  const rows = ids.length === 0 ? [] : await versions(db).where(inArray(toolVersion.id, ids))
  return rows.map((row) => fromRow(row, row.accountId))
}

/** A tool's versions, newest first, at most 50; for other accounts only those that were published. Not sent yet. */
export function versionsQuery(db: Db, { toolRow, isOwn }: ToolVersion) {
  return db
    .select({
      version: toolVersion.number,
      hash: toolVersion.hash,
      savedAt: toolVersion.created_at,
      publishedAt: toolVersion.published_at,
      isPublished: sql<number>`${tool.published_version_id} = ${toolVersion.id}`,
    })
    .from(toolVersion)
    .innerJoin(tool, eq(tool.id, toolVersion.tool_id))
    .where(
      and(
        eq(toolVersion.tool_id, toolRow),
        isNull(toolVersion.deleted_at),
        isOwn ? undefined : isNotNull(toolVersion.published_at),
      ),
    )
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
  /** SHA-256 of what the version promises: its job and both schemas. */
  promise: string
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
  const isTool = sql`t.account_id = ${made.accountId} and t.slug_key = ${slugKey} and t.deleted_at is null`
  const label = made.descriptor.label ?? null
  await runBatch(db, [
    // A new number only where the newest version differs or the tool was deleted.
    sql`insert into tool (id, account_id, slug, slug_key, last_version, created_at, updated_at)
      select ${made.toolRow}, ${made.accountId}, ${made.slug}, ${slugKey}, 1, ${made.now}, ${made.now}
      where exists (select 1 from tool t where ${isTool})
        or (select count(*) from tool where account_id = ${made.accountId} and deleted_at is null) < ${made.quota}
      on conflict (account_id, slug_key) do update
      set last_version = last_version + 1, slug = excluded.slug, updated_at = excluded.updated_at, deleted_at = null
      where deleted_at is not null or not exists (select 1 from tool_version
        where tool_id = tool.id and number = tool.last_version and hash = ${made.hash})`,
    sql`insert into tool_version
      (tool_id, number, hash, label, descriptor, code_hash, promise, sample_state, created_at, text_chain)
      select id, last_version, ${made.hash}, ${label}, ${JSON.stringify(made.descriptor)}, ${made.codeHash},
        ${made.promise}, 'working', ${made.now}, ${TEXT_CHAIN}
      from tool t where ${isTool} on conflict (tool_id, number) do nothing`,
    ...indexNewest(made.accountId, isTool, { text: made.text, placements: made.descriptor.placements }),
  ])
  return findVersion(db, made.accountId, { slugKey, pin: null })
}

/** Tools that an account has. */
export async function countTools(db: Db, accountId: string): Promise<number> {
  return db.$count(tool, mine(accountId))
}

/** Whether an account may still run a version: its tool was not deleted and, if another's, not withdrawn. */
export async function isVersionLive(db: Db, versionId: number, accountId: string): Promise<boolean> {
  const isShared = and(isNotNull(tool.published_version_id), isNotNull(toolVersion.published_at))
  const row = await db
    .select({ id: tool.id })
    .from(toolVersion)
    .innerJoin(tool, eq(tool.id, toolVersion.tool_id))
    .where(
      and(
        eq(toolVersion.id, versionId),
        isNull(toolVersion.deleted_at),
        or(eq(tool.account_id, accountId), isShared),
      ),
    )
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
