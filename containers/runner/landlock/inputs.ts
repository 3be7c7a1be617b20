import { copyFile, link, mkdir } from 'node:fs/promises'
import { dirname, join } from 'node:path'
import type { Machine } from '../sandbox/machine.ts'
import type { Slot } from '../sandbox/slots.ts'
import type { JobInput, JobRequest } from '../wire.ts'

/** Where the files that a run reads lie in its slot. */
export function inputsFolder(slot: Slot): string {
  return join(slot.disk, 'inputs')
}

/** Puts files where the slot's user can read them: linked, or copied from another file system. */
export async function placeInputs(machine: Machine, slot: Slot, inputs: JobInput[]): Promise<void> {
  for (const { sha256, name } of inputs) {
    const from = join(machine.folder, 'inputs', sha256)
    const to = join(inputsFolder(slot), sha256, name)
    await mkdir(dirname(to), { recursive: true })
    await link(from, to).catch(async () => copyFile(from, to))
  }
}

/** The request with the paths of its own inputs put right wherever the program may read them. */
export function moveInputs(request: JobRequest, slot: Slot): JobRequest {
  const hashes = new Set(request.inputs?.map(({ sha256 }) => sha256))
  if (hashes.size === 0) return request
  const move = (text: string): string =>
    [...hashes].reduce(
      (moved, hash) => moved.replaceAll(`/inputs/${hash}/`, `${inputsFolder(slot)}/${hash}/`),
      text,
    )
  return {
    ...request,
    argv: request.argv.map(move),
    env: Object.fromEntries(Object.entries(request.env).map(([name, value]) => [name, move(value)])),
    stdin: request.stdin === null ? null : move(request.stdin),
  }
}
