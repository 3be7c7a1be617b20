import { readdirSync, readFileSync } from 'node:fs'
import { join, relative, resolve } from 'node:path'

export const ROOT = resolve(import.meta.dirname, '../..')

/** Every file below a folder of the repository, as paths from its root. */
export function filesBelow(folder: string): string[] {
  return readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile() && !entry.parentPath.includes('node_modules'))
    .map((entry) => relative(ROOT, join(entry.parentPath, entry.name)))
}

export const read = (path: string): string => readFileSync(join(ROOT, path), 'utf8')

/** What a source file imports: packages as they are named, files as paths from the root. */
export function importsOf(path: string): string[] {
  const specifiers = [
    ...read(path).matchAll(/^(?:import|export)\s[^;]*?from\s+'([^']+)'|^import\s+'([^']+)'/gm),
  ]
  return specifiers.map(([, from, bare]) => {
    const name = from ?? bare ?? ''
    return name.startsWith('.') ? relative(ROOT, resolve(ROOT, path, '..', name)) : name
  })
}
