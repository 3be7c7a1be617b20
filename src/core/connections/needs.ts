import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { secretNames, type Descriptor } from '../tools/descriptor/descriptor.ts'
import { findConnections } from './store.ts'

/** A connection that a tool names, and whether the caller has it. */
export interface Need {
  name: string
  connected: boolean
}

type Asker = Pick<Context, 'caller' | 'db' | 'keyring' | 'connectionsPage'>

/** For each tool, in the same order, the connections that it needs of the caller. One query, none when none does. */
export async function connectionsOf(
  ctx: Asker,
  descriptors: Pick<Descriptor, 'invoke'>[],
): Promise<Need[][]> {
  const names = descriptors.map(secretNames)
  const all = [...new Set(names.flat())]
  const have = all.length === 0 ? new Set<string>() : await readable(ctx, all)
  return names.map((each) => each.map((name) => ({ name, connected: have.has(name) })))
}

/** Refuses what would need a connection that the caller has not set. */
export async function assertConnected(ctx: Asker, descriptor: Descriptor): Promise<void> {
  const missing = await findMissing(ctx, descriptor)
  if (!missing) return
  throw new Problem('connection_missing', `Nothing was run: ${missing.message}`, { hint: missing.hint })
}

/** What to say of connections that a tool needs and the caller has not set, and what to do `then`; null: all are. */
export async function findMissing(
  ctx: Asker,
  descriptor: Descriptor,
  then?: string,
): Promise<MissingWords | null> {
  const [needs = []] = await connectionsOf(ctx, [descriptor])
  const missing = needs.filter(({ connected }) => !connected).map(({ name }) => name)
  return missing.length === 0 ? null : missingWords(missing, ctx.connectionsPage, then)
}

export interface MissingWords {
  message: string
  hint: string
}

/** What is said of connections that are not set, and where a person sets them. */
export function missingWords(names: string[], page: string, then = 'run the tool again'): MissingWords {
  const [first = ''] = names
  const what =
    names.length === 1
      ? `the connection ${first}, which is`
      : `the connections ${names.join(', ')}, which are`
  return {
    message: `the tool needs ${what} not set in this account.`,
    hint: `A person sets it at ${page}?name=${first}, never in a chat. Then ${then}.`,
  }
}

/** What was encrypted with a key that is gone counts as not set. */
async function readable({ caller, db, keyring }: Asker, names: string[]): Promise<Set<string>> {
  const known = keyring().names
  const rows = await findConnections(db, caller.accountId, names)
  return new Set(rows.flatMap(({ name, keyName }) => (known.includes(keyName) ? [name] : [])))
}
