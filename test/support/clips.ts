import { execFileSync } from 'node:child_process'
import { createHash } from 'node:crypto'
import { mkdtempSync, readFileSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { App, CallResult } from './clients.ts'

/** A file of moving pictures, or of sound alone, with a tone of 440 Hz. */
export function makeMedia(ending: 'mp4' | 'wav', seconds: number): Buffer {
  const folder = mkdtempSync(join(tmpdir(), 'media-'))
  try {
    const at = join(folder, `media.${ending}`)
    const pictures = ['-f', 'lavfi', '-i', `testsrc=duration=${seconds}:size=160x120:rate=10`]
    const sound = ['-f', 'lavfi', '-i', `sine=frequency=440:duration=${seconds}`]
    const inputs = ending === 'mp4' ? [...pictures, ...sound] : sound
    execFileSync('ffmpeg', ['-v', 'error', ...inputs, '-shortest', at])
    return readFileSync(at)
  } finally {
    rmSync(folder, { recursive: true })
  }
}

/** One picture of a source of ffmpeg, like `color=c=red:size=64x16`. */
export function makePicture(ending: 'bmp' | 'png', source: string): Buffer {
  const codec = ['-c:v', ending, '-f', 'image2pipe', '-frames:v', '1', '-']
  return execFileSync('ffmpeg', ['-v', 'error', '-f', 'lavfi', '-i', source, ...codec])
}

export const identityOf = (data: Uint8Array): string =>
  `1f:${createHash('sha256').update(data).digest('hex')}`

/** Puts a file to a link, as a person or a program does; answers what the server says of it. */
export async function upload(app: App, path: string, data: Uint8Array): Promise<CallResult['answer']> {
  const { answer } = await app.call('write_file', { path })
  const put = await fetch(answer.upload_url, { method: 'PUT', body: data as BodyInit })
  return put.json()
}

/** All the bytes of an identity, by its link. */
export async function download(app: App, identity: string): Promise<Buffer> {
  const { answer } = await app.call('read_file', { identity, max_bytes: 1 })
  return Buffer.from(await (await fetch(answer.download_url)).arrayBuffer())
}
