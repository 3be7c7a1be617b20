import { and, between, eq, isNotNull, isNull, lt, lte, ne, or, sql } from 'drizzle-orm'
import { runBatch, type Db } from '../../../db/client.ts'
import { account } from '../../../db/schema/account.ts'
import { tool, toolVersion } from '../../../db/schema/tool.ts'
import { indexPublished, unindexNewest, unindexPublished, type Indexed } from '../search/index/store.ts'
import { TEXT_CHAIN } from '../search/text.ts'
import { findVersions } from '../store.ts'
import type { ToolVersion } from '../tool.ts'
import type { Name } from './near-names.ts'

/** Whose a version is. */
export async function findMaker(
  db: Db,
  versionId: number,
): Promise<{ toolRow: string; accountId: string; handle: string } | undefined> {
  return db
    .select({ toolRow: tool.id, accountId: account.id, handle: account.handle })
    .from(toolVersion)
    .innerJoin(tool, eq(tool.id, toolVersion.tool_id))
    .innerJoin(account, eq(account.id, tool.account_id))
    .where(eq(toolVersion.id, versionId))
    .get()
}

/** Names of published tools of other makers, as long as a name that could be taken for theirs. */
export async function namesLike(db: Db, { maker, toolId, descriptor }: ToolVersion): Promise<Name[]> {
  const lengthOf = (text: string, by: number): number => text.length - 'tool:'.length + by
  const label = descriptor.label ?? ''
  return db
    .select({ handle: account.handle, slug: tool.slug, label: toolVersion.label })
    .from(tool)
    .innerJoin(toolVersion, eq(toolVersion.id, tool.published_version_id))
    .innerJoin(account, eq(account.id, tool.account_id))
    .where(
      and(
        ne(account.handle, maker),
        or(
          between(sql`length(${tool.slug})`, lengthOf(toolId, -SLACK), lengthOf(toolId, SLACK)),
          between(sql`length(${toolVersion.label})`, label.length - SLACK, label.length + SLACK),
        ),
      ),
    )
    .limit(COMPARED)
}

/** Separators and pairs like rn for m make names that look alike differ in length. */
const SLACK = 4
/** Names that one is compared with at most. */
const COMPARED = 20_000

/** Keeps which published tools of others a version could be mixed up with. */
export async function setSimilar(db: Db, versionId: number, similar: string[]): Promise<void> {
  await db
    .update(toolVersion)
    .set({ similar_to: similar.length > 0 ? similar : null })
    .where(eq(toolVersion.id, versionId))
}

/** Which version of a tool is published, and which run would publish one. */
export interface Publication {
  publishedVersionId: number | null
  publishingTaskId: string | null
}

export async function findPublication(db: Db, toolRow: string): Promise<Publication> {
  const row = await db
    .select({ publishedVersionId: tool.published_version_id, publishingTaskId: tool.publishing_task_id })
    .from(tool)
    .where(eq(tool.id, toolRow))
    .get()
  return row ?? { publishedVersionId: null, publishingTaskId: null }
}

/**
 * Says which run will publish a version if it passes, in the place of an earlier one. False when another was named
 * since `seen` was read, or the tool was deleted.
 */
export async function beginPublishing(
  db: Db,
  { toolRow }: ToolVersion,
  { taskId, seen }: { taskId: string; seen: string | null },
): Promise<boolean> {
  const begun = await db
    .update(tool)
    .set({ publishing_task_id: taskId })
    .where(
      and(eq(tool.id, toolRow), sql`${tool.publishing_task_id} is ${seen} and ${tool.deleted_at} is null`),
    )
    .returning({ id: tool.id })
  return begun.length > 0
}

/** A version whose sample passed, and the run of it. */
export interface Passed extends Indexed {
  versionId: number
  taskId: string
  now: number
  /** When its sample is next run; null: never. */
  nextCheckAt: number | null
}

/** Publishes a version, if this run is still the one that does. Safe to send twice. */
export async function commitPublishing(db: Db, { versionId, taskId, now, ...passed }: Passed): Promise<void> {
  const { nextCheckAt } = passed
  const isPublished = sql`exists (select 1 from tool where published_version_id = ${versionId})`
  await runBatch(db, [
    sql`update tool set published_version_id = ${versionId}, published_at = ${now}, publishing_task_id = null,
      next_check_at = ${nextCheckAt}, check_failures = 0, check_failed_since = null
      where publishing_task_id = ${taskId} and deleted_at is null
        and id = (select tool_id from tool_version where id = ${versionId})`,
    sql`update tool_version set published_at = coalesce(published_at, ${now}), sample_state = 'passed',
      text_chain = min(text_chain, ${TEXT_CHAIN}) where id = ${versionId} and ${isPublished}`,
    sql`update account set handle_fixed_at = ${now} where handle_fixed_at is null
      and id = (select account_id from tool where published_version_id = ${versionId})`,
    ...indexPublished(versionId, passed),
  ])
}

/** A run that did not pass publishes nothing. */
export async function dropPublishing(db: Db, versionId: number, taskId: string): Promise<void> {
  const isTool = sql`${tool.id} = (select tool_id from tool_version where id = ${versionId})`
  await db
    .update(tool)
    .set({ publishing_task_id: null })
    .where(and(isTool, eq(tool.publishing_task_id, taskId)))
}

/** Withdraws a tool and calls off whatever would publish it. False when neither was there. */
export async function withdraw(db: Db, toolRow: string): Promise<boolean> {
  const [changed] = await runBatch(db, [
    sql`update tool set published_version_id = null, published_at = null, publishing_task_id = null,
      next_check_at = null, check_failures = 0, check_failed_since = null
      where id = ${toolRow} and (published_version_id is not null or publishing_task_id is not null)`,
    unindexPublished(toolRow),
  ])
  return changed !== 0
}

/** Deletes a tool that is not published, with its versions. False when it is. */
export async function deleteUnpublished(db: Db, toolRow: string, now: number): Promise<boolean> {
  const isGone = sql`exists (select 1 from tool where id = ${toolRow} and deleted_at = ${now})`
  const [changed] = await runBatch(db, [
    sql`update tool set deleted_at = ${now}, publishing_task_id = null
      where id = ${toolRow} and deleted_at is null and published_version_id is null`,
    unindexNewest(toolRow),
    sql`delete from file_use where ${isGone}
      and holder in (select 'version:' || id from tool_version where tool_id = ${toolRow})`,
    sql`update tool_version set deleted_at = ${now} where tool_id = ${toolRow} and deleted_at is null and ${isGone}`,
  ])
  return changed !== 0
}

/** How the daily runs of a tool's sample go; null when there is no such tool. */
export function checkQuery(db: Db, toolRow: string) {
  return db
    .select({
      publishedVersionId: tool.published_version_id,
      taskId: tool.check_task_id,
      failures: tool.check_failures,
      failedSince: tool.check_failed_since,
      nextAt: tool.next_check_at,
    })
    .from(tool)
    .where(eq(tool.id, toolRow))
}

/** A published version whose sample is due. */
export interface DueCheck {
  version: ToolVersion
  accountId: string
  dueAt: number
}

/** Samples that are due, the longest overdue first. */
export async function findDueChecks(db: Db, now: number, limit: number): Promise<DueCheck[]> {
  const due = await db
    .select({ versionId: tool.published_version_id, accountId: tool.account_id, dueAt: tool.next_check_at })
    .from(tool)
    .where(and(lte(tool.next_check_at, now), isNotNull(tool.published_version_id)))
    .orderBy(tool.next_check_at)
    .limit(limit)
  const found = await findVersions(
    db,
    due.flatMap(({ versionId }) => versionId ?? []),
  )
  return due.flatMap(({ versionId, accountId, dueAt }) => {
    const version = found.find(({ id }) => id === versionId)
    return version && dueAt !== null ? [{ version, accountId, dueAt }] : []
  })
}

/** A sample that was begun is next due at another time, unless that was changed meanwhile. */
export async function moveCheck(
  db: Db,
  toolRow: string,
  { dueAt, next }: { dueAt: number; next: number },
): Promise<void> {
  await db
    .update(tool)
    .set({ next_check_at: next })
    .where(and(eq(tool.id, toolRow), eq(tool.next_check_at, dueAt)))
}

/** Counts how a daily run of the published version ended. Safe to send twice: ids sort by time. */
export async function countCheck(
  db: Db,
  check: { versionId: number; taskId: string; hasPassed: boolean; now: number },
): Promise<void> {
  const { versionId, taskId, hasPassed, now } = check
  const marks = hasPassed
    ? { check_failures: 0, check_failed_since: null }
    : {
        check_failures: sql`${tool.check_failures} + 1`,
        check_failed_since: sql`coalesce(${tool.check_failed_since}, ${now})`,
      }
  const isNewer = or(isNull(tool.check_task_id), lt(tool.check_task_id, taskId))
  await db
    .update(tool)
    .set({ check_task_id: taskId, ...marks })
    .where(and(eq(tool.published_version_id, versionId), isNewer))
}
