import { readBundle, textFiles, type ShownFile } from '../bundle.ts'
import { openCode } from '../tool.ts'

/** Most bytes of code that one answer shows. */
const SHOWN_CODE = 16_000

/** Listings that an isolate keeps, and the longest of them, in files: a few megabytes in all. */
const KEPT = 100
const KEPT_FILES = 20

/** Those asked for lately, the last one last. Code is named by its hash, so that none of them is ever out of date. */
const kept = new Map<string, ShownFile[]>()

/** The files of a version's code as a reader is shown them. Whether the reader may is asked before. */
export async function shownCode(bytes: R2Bucket, codeHash: string): Promise<ShownFile[]> {
  const files = kept.get(codeHash) ?? (await readCode(bytes, codeHash))
  kept.delete(codeHash)
  if (files.length <= KEPT_FILES) kept.set(codeHash, files)
  const [oldest] = kept.keys()
  if (kept.size > KEPT && oldest !== undefined) kept.delete(oldest)
  return files
}

async function readCode(bytes: R2Bucket, codeHash: string): Promise<ShownFile[]> {
  const object = await openCode(bytes, codeHash)
  return textFiles(await readBundle(new Uint8Array(await object.arrayBuffer())), SHOWN_CODE)
}
