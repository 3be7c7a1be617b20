import { and, eq, isNull, lt, or } from 'drizzle-orm'
import type { Db } from '../../../db/client.ts'
import { fileUpload, fileUploadPart } from '../../../db/schema/file.ts'
import { TEMPORARY } from '../bytes/keep.ts'

/** A one-time upload link. */
export interface Upload {
  id: string
  accountId: string
  path: string
  /** The multipart upload in R2, once a part came. */
  r2Upload: string | null
  /** What it became: then it is used. */
  hash: string | null
  expiresAt: number
}

const columns = {
  id: fileUpload.id,
  accountId: fileUpload.account_id,
  path: fileUpload.path,
  r2Upload: fileUpload.r2_upload,
  hash: fileUpload.hash,
  expiresAt: fileUpload.expires_at,
}

/** Where the parts of an upload come together. */
export const uploadKey = (id: string): string => `${TEMPORARY}${id}`

export async function insertUpload(
  db: Db,
  { id, accountId, path, expiresAt }: Pick<Upload, 'id' | 'accountId' | 'path' | 'expiresAt'>,
): Promise<void> {
  await db.insert(fileUpload).values({ id, account_id: accountId, path, expires_at: expiresAt })
}

export async function findUpload(db: Db, id: string): Promise<Upload | undefined> {
  return db.select(columns).from(fileUpload).where(eq(fileUpload.id, id)).get()
}

/** Takes the link for one file. Of two at once one gets it; for the same file it may be taken again. */
export async function takeUpload(db: Db, id: string, hash: string): Promise<boolean> {
  const rows = await db
    .update(fileUpload)
    .set({ hash })
    .where(and(eq(fileUpload.id, id), or(isNull(fileUpload.hash), eq(fileUpload.hash, hash))))
    .returning({ id: fileUpload.id })
  return rows.length > 0
}

/** Gives a link back whose file could not be named after all. */
export async function giveBackUpload(db: Db, id: string): Promise<void> {
  await db.update(fileUpload).set({ hash: null }).where(eq(fileUpload.id, id))
}

/** The multipart upload of a link: of two begun at once the first holds. */
export async function setR2Upload(db: Db, id: string, r2Upload: string): Promise<string> {
  await db
    .update(fileUpload)
    .set({ r2_upload: r2Upload })
    .where(and(eq(fileUpload.id, id), isNull(fileUpload.r2_upload)))
  return (await findUpload(db, id))?.r2Upload ?? r2Upload
}

/** Notes a part, or the one that takes its place, and moves the end of the link on. */
export async function putPart(
  db: Db,
  part: { uploadId: string; number: number; etag: string; size: number; expiresAt: number },
): Promise<void> {
  const { uploadId: upload_id, number, etag, size, expiresAt } = part
  await db.batch([
    db
      .insert(fileUploadPart)
      .values({ upload_id, number, etag, size })
      .onConflictDoUpdate({
        target: [fileUploadPart.upload_id, fileUploadPart.number],
        set: { etag, size },
      }),
    db.update(fileUpload).set({ expires_at: expiresAt }).where(eq(fileUpload.id, upload_id)),
  ])
}

/** Parts that came, by their numbers. */
export async function listParts(
  db: Db,
  uploadId: string,
): Promise<{ number: number; etag: string; size: number }[]> {
  const { number, etag, size } = fileUploadPart
  return db
    .select({ number, etag, size })
    .from(fileUploadPart)
    .where(eq(fileUploadPart.upload_id, uploadId))
    .orderBy(number)
}

export async function findStaleUploads(db: Db, before: number) {
  const rows = await db.select(columns).from(fileUpload).where(lt(fileUpload.expires_at, before)).limit(500)
  return rows.map(({ id, r2Upload, hash }) => ({ id, key: uploadKey(id), r2Upload, isUsed: hash !== null }))
}

export async function dropUpload(db: Db, id: string): Promise<void> {
  await db.batch([
    db.delete(fileUploadPart).where(eq(fileUploadPart.upload_id, id)),
    db.delete(fileUpload).where(eq(fileUpload.id, id)),
  ])
}
