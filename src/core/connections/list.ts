import type { Context } from '../context.ts'
import { defineOperation } from '../operation.ts'
import { secretNames } from '../tools/descriptor/descriptor.ts'
import type { ConnectionKind } from './connection.ts'
import { listConnectionRows, listNamingInvokes } from './store.ts'

/** A connection that an account has or that its own tools name. */
export interface ListedConnection {
  name: string
  kind?: ConnectionKind
  is_set: boolean
  /** Own tools that name it. */
  named_by: string[]
  updated_at?: string
  note?: string
}

export const listConnections = defineOperation({
  name: 'list_connections',
  title: 'List connections',
  description: `Lists the account's connections: named secrets that tools use by secret_name, such as an API key. Says which are set, which own tools name them, and the page where a person sets one. Values are never shown, and never set here: do not ask for one in a chat.
Example: {}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: { type: 'object', properties: {}, additionalProperties: false },
  output: {
    type: 'object',
    properties: {
      connections: { type: 'array' },
      page: { type: 'string' },
      error: { type: 'object' },
    },
  },
  async run(ctx) {
    return { connections: await connectionsListed(ctx), page: ctx.connectionsPage }
  },
})

export async function connectionsListed({
  caller,
  db,
  keyring,
}: Pick<Context, 'caller' | 'db' | 'keyring'>): Promise<ListedConnection[]> {
  const [rows, naming] = await Promise.all([
    listConnectionRows(db, caller.accountId),
    listNamingInvokes(db, caller.accountId),
  ])
  const listed = new Map<string, ListedConnection>()
  for (const { name, kind, keyName, updatedAt } of rows) {
    const isKnown = keyring().names.includes(keyName)
    listed.set(name, {
      name,
      kind,
      is_set: isKnown,
      named_by: [],
      updated_at: new Date(updatedAt).toISOString(),
      ...(!isKnown && { note: 'The key that it was encrypted with is gone: set it again.' }),
    })
  }
  for (const { toolId, invoke } of naming) {
    for (const name of secretNames({ invoke })) {
      const entry = listed.get(name) ?? { name, is_set: false, named_by: [] }
      entry.named_by.push(toolId)
      listed.set(name, entry)
    }
  }
  return [...listed.values()].toSorted((a, b) => (a.name < b.name ? -1 : 1))
}
