import type { Caller } from '../caller.ts'
import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { readName, readValue, type Connection } from './connection.ts'
import { dropConnection, MOST_CONNECTIONS, putConnection } from './store.ts'

/** What it takes to change a connection; an operation's context has it. */
export type Desk = Pick<Context, 'caller' | 'db' | 'keyring' | 'connectionsPage' | 'now'>

/** Keeps a value under a name, in place of an earlier one. It is never shown again. */
export async function setConnection(desk: Desk, name: string, value: unknown): Promise<Connection> {
  assertPerson(desk)
  const owner = { accountId: desk.caller.accountId, name: readName(name) }
  const { text, kind } = readValue(value)
  const made = { name, kind, updatedAt: desk.now() }
  const sealed = await desk.keyring().seal(owner, text)
  if (await putConnection(desk.db, owner.accountId, { ...made, ...sealed })) return made
  throw new Problem(
    'quota_exceeded',
    `This account has ${MOST_CONNECTIONS} connections, as many as it may.`,
    {
      hint: 'Remove one that no tool needs, or give an existing one another value.',
    },
  )
}

/** Removes a connection. Tools that name it no longer run; runs at work keep what they began with. */
export async function removeConnection(desk: Desk, name: string): Promise<void> {
  assertPerson(desk)
  const owner = { accountId: desk.caller.accountId, name: readName(name) }
  if (await dropConnection(desk.db, owner)) return
  throw new Problem('not_found', 'This account has no connection of that name.', { field: 'name' })
}

/** A person, or a program of theirs with a token; never an AI app, which would have to see the value. */
function assertPerson({ caller, connectionsPage }: { caller: Caller; connectionsPage: string }): void {
  if (caller.via.kind === 'app') {
    throw new Problem('insufficient_scope', 'An app may not set or remove connections.', {
      hint: `A person does it at ${connectionsPage}.`,
    })
  }
  if (!caller.scopes.has('write')) {
    throw new Problem('insufficient_scope', 'Changing connections needs the scope "write".', {
      hint: 'Use a token that has it.',
    })
  }
}
