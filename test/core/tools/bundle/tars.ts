import { execFileSync } from 'node:child_process'
import { mkdirSync, mkdtempSync, rmSync, symlinkSync, writeFileSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { dirname, join } from 'node:path'
import { gzipSync } from 'node:zlib'
import { readBundle, type BundleResult } from '../../../../src/core/tools/bundle.ts'

export const MAIN = "import json\nprint(json.dumps({'words': 2}))\n"

/** The texts of a bundle by path; `*` marks what is executable. */
export async function contentOf(result: BundleResult): Promise<Record<string, string>> {
  if (!result.ok) throw new Error(JSON.stringify(result.faults))
  const files = await readBundle(result.bundle.tar)
  return Object.fromEntries(
    files.map(({ path, bytes, executable }) => [
      `${path}${executable ? '*' : ''}`,
      new TextDecoder().decode(bytes),
    ]),
  )
}

/** One entry of a tar, as a test wants it. */
export interface TarEntry {
  name: string
  body?: string
  type?: string
  mode?: number
  size?: number
  link?: string
}

/** A tar header and its body, byte by byte, so that a test can lie in it. */
export function entry({ name, body = '', type = '0', mode = 0o644, size, link = '' }: TarEntry): Buffer {
  const header = Buffer.alloc(512)
  header.write(name, 0, 100)
  header.write(`${mode.toString(8).padStart(7, '0')}\0`, 100)
  header.write(`0000000\x000000000\0`, 108)
  header.write(`${(size ?? Buffer.byteLength(body)).toString(8).padStart(11, '0')}\0`, 124)
  header.write(`00000000000\0        ${type}`, 136)
  header.write(link, 157, 100)
  header.write('ustar\x0000', 257)
  header.write(
    `${header
      .reduce((sum, byte) => sum + byte, 0)
      .toString(8)
      .padStart(6, '0')}\0 `,
    148,
  )
  const padding = Buffer.alloc(-Buffer.byteLength(body) & 511)
  return Buffer.concat([header, Buffer.from(body), padding])
}

export const END = Buffer.alloc(1024)

export function archive(...entries: TarEntry[]): string {
  return gzipSync(Buffer.concat([...entries.map(entry), END])).toString('base64')
}

/** Packs files with the tar of this machine, as base64 of gzip. A value `-> x` makes a symbolic link to `x`. */
export function realTar(files: Record<string, string | Uint8Array>, ...flags: string[]): string {
  const folder = mkdtempSync(join(tmpdir(), 'tar-'))
  try {
    for (const [path, content] of Object.entries(files)) {
      const at = join(folder, path)
      mkdirSync(dirname(at), { recursive: true })
      if (typeof content === 'string' && content.startsWith('-> ')) symlinkSync(content.slice(3), at)
      else writeFileSync(at, content, { mode: path.endsWith('.sh') ? 0o700 : 0o600 })
    }
    return execFileSync('tar', ['-cz', '-C', folder, ...flags], { encoding: 'base64' })
  } finally {
    rmSync(folder, { recursive: true })
  }
}
