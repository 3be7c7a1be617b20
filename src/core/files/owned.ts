import type { Context } from '../context.ts'
import type { Fault } from '../problem.ts'
import { fileIdentities, type Descriptor } from '../tools/descriptor/descriptor.ts'
import { hashOf } from './identity.ts'
import { ownedHashes } from './store.ts'

/** A fault for each file of an input that the caller's account does not have; unknown and foreign read the same. */
export async function fileFaults(
  { db, caller }: Context,
  descriptor: Descriptor,
  input: Record<string, unknown>,
): Promise<Fault[]> {
  const named = fileIdentities(descriptor, input)
  if (named.length === 0) return []
  const hashes = named.flatMap(({ identity }) => hashOf(identity) ?? [])
  const owned = await ownedHashes(db, caller.accountId, hashes)
  return named
    .filter(({ identity }) => !owned.has(hashOf(identity) ?? ''))
    .map(({ path }) => ({
      path,
      message: 'names no file of this account',
      hint: 'use an identity that write_file, list_files or a task returned',
    }))
}
