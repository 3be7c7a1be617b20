import { LIMITS } from '../../limits.ts'
import type { Fault } from '../../problem.ts'

export interface BundleFile {
  /** Below `/work`, like `lib/a.py`. */
  path: string
  bytes: Uint8Array
  executable: boolean
}

export const TOO_LARGE = `holds more than ${LIMITS.code / 1024 / 1024} MB`
const NAME_BYTES = { segment: 255, path: 1_000 }

/** The files of a bundle while they are gathered, with every fault so far. `name` is a path as it was sent. */
export class Draft {
  readonly files = new Map<string, BundleFile>()
  readonly faults: Fault[] = []
  size = 0
  private readonly folders = new Set<string>()
  private readonly word: (name: string, message: string) => Fault

  constructor(word: (name: string, message: string) => Fault) {
    this.word = word
  }

  refuse(name: string, message: string): void {
    this.faults.push(this.word(name, message))
  }

  addFile(name: string, path: string, content: Omit<BundleFile, 'path'>): void {
    this.size += content.bytes.length
    if (path === '') this.refuse(name, 'names no file')
    else if (this.files.has(path)) this.refuse(name, 'is there twice')
    else if (this.folders.has(path)) this.refuse(name, 'is a folder too')
    else if (this.addParents(name, path)) this.files.set(path, { path, ...content })
  }

  addFolder(name: string, path: string): void {
    if (this.files.has(path)) this.refuse(name, 'is a file too')
    else if (this.addParents(name, path)) this.folders.add(path)
  }

  /** False, with a fault, when one of the folders above is a file. */
  private addParents(name: string, path: string): boolean {
    for (let folder = parentOf(path); folder !== ''; folder = parentOf(folder)) {
      if (this.files.has(folder)) {
        this.refuse(name, `is below the file ${shown(folder)}`)
        return false
      }
      this.folders.add(folder)
    }
    return true
  }
}

/** The segments of a path, without empty ones and `.`; or why it is no path for a file. */
export function partsOf(name: string): string[] | string {
  if (/[\p{Cc}\\]/u.test(name)) return 'has a backslash or a control character in its path'
  if (!name.isWellFormed() || name.includes('\ufffd')) return 'has a path that is not UTF-8'
  const parts = name.split('/').filter((part) => part !== '' && part !== '.')
  if (parts.includes('..')) return 'has ".." in its path'
  const sizes = parts.map((part) => new TextEncoder().encode(part).length)
  const size = sizes.reduce((sum, part) => sum + part + 1, 0)
  const isTooLong = size > NAME_BYTES.path || sizes.some((part) => part > NAME_BYTES.segment)
  return isTooLong ? `has a path that is too long: at most ${NAME_BYTES.path} bytes are allowed` : parts
}

/** A name in a message: quoted, and cut when it is very long. */
export function shown(name: string): string {
  return JSON.stringify(name.length > 200 ? `${name.slice(0, 200).toWellFormed()}…` : name.toWellFormed())
}

function parentOf(path: string): string {
  return path.slice(0, Math.max(path.lastIndexOf('/'), 0))
}
