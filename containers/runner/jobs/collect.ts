import { constants, lstatSync, readlinkSync, type Stats } from 'node:fs'
import { open, type FileHandle } from 'node:fs/promises'
import { join } from 'node:path'
import type { Outputs } from '../files/outputs.ts'
import type { JobOutput, JobOutputFault, JobRequest } from '../wire.ts'

/**
 * Takes the files that a job was to make out of its `/work`, once none of its processes is left. Nothing but a plain
 * file is ever opened, and no link is followed.
 */
export async function collect(work: string, request: JobRequest, outputs: Outputs): Promise<JobOutput[]> {
  const collected: JobOutput[] = []
  for (const wanted of request.outputs ?? []) {
    const found = await openPlain(work, wanted.path.replace(/^\/work\//, '').split('/'))
    if (typeof found === 'string') collected.push({ ...wanted, fault: found })
    else collected.push({ ...wanted, ...(await keep(request.id, wanted.name, { found, outputs })) })
  }
  return collected
}

async function keep(
  job: string,
  name: string,
  { found, outputs }: { found: FileHandle; outputs: Outputs },
): Promise<{ size: number; sha256: string } | { fault: JobOutputFault }> {
  try {
    const { size } = await found.stat()
    return size > outputs.maxBytes ? { fault: 'too_large' } : await outputs.keep(job, name, found)
  } catch (error) {
    console.error(`The output ${name} of ${job} could not be kept: ${String(error)}`)
    return { fault: 'not_kept' }
  } finally {
    await found.close()
  }
}

/** The file at a path below a folder, or what is there in its place. */
async function openPlain(folder: string, segments: string[]): Promise<FileHandle | JobOutputFault> {
  let path = folder
  for (const [index, segment] of segments.entries()) {
    path = join(path, segment)
    const fault = faultOf(lstatSync(path, { throwIfNoEntry: false }), index === segments.length - 1)
    if (fault) return fault
  }
  const file = await open(path, constants.O_RDONLY | constants.O_NOFOLLOW | constants.O_NONBLOCK)
  if (readlinkSync(`/proc/self/fd/${file.fd}`) === path) return file
  await file.close()
  return 'link'
}

function faultOf(found: Stats | undefined, isLast: boolean): JobOutputFault | null {
  if (!found) return 'missing'
  if (found.isSymbolicLink()) return 'link'
  if (!isLast) return found.isDirectory() ? null : 'missing'
  if (found.isDirectory()) return 'folder'
  return found.isFile() ? null : 'special'
}
