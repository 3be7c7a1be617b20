import { createHash } from 'node:crypto'
import { readdirSync, readFileSync } from 'node:fs'
import { join } from 'node:path'

/**
 * The starter set: every folder of `src/starter` but `samples` is a tool. Its `tool.json` is the descriptor, its other
 * files are the code. Sample runs name the files of `samples` by their identities.
 */
const FOLDER = new URL('../../starter', import.meta.url).pathname
const SAMPLES = 'samples'

export interface StarterTool {
  slug: string
  descriptor: Record<string, unknown>
  files: Record<string, string>
}

export function readTools(): StarterTool[] {
  const slugs = readdirSync(FOLDER).filter((slug) => slug !== SAMPLES)
  return slugs.map((slug) => {
    const texts = readFolder(slug).map(({ name, bytes }) => [name, bytes.toString('utf8')] as const)
    const { 'tool.json': descriptor = '', ...files } = Object.fromEntries(texts)
    return { slug, descriptor: JSON.parse(descriptor) as StarterTool['descriptor'], files }
  })
}

export const readSamples = (): { name: string; bytes: Buffer }[] => readFolder(SAMPLES)

/** Changes whenever anything of the set does. */
export function setDigest(): string {
  const samples = readSamples().map(({ name, bytes }) => [name, bytes.toString('base64')])
  return createHash('sha256')
    .update(JSON.stringify([samples, readTools()]))
    .digest('hex')
}

function readFolder(folder: string): { name: string; bytes: Buffer }[] {
  const names = readdirSync(join(FOLDER, folder)).filter((name) => /\.(json|py|mjs|mp4|png)$/.test(name))
  return names.toSorted().map((name) => ({ name, bytes: readFileSync(join(FOLDER, folder, name)) }))
}
