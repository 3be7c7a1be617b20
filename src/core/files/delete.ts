import { defineOperation } from '../operation.ts'
import { identityOf, unknownFile } from './identity.ts'
import { dropName } from './store.ts'

export const deleteFile = defineOperation({
  name: 'delete_file',
  title: 'Delete a file',
  description: `Removes the path of a file from this account. Tasks and tools that use the file keep its bytes; else they are dropped a day later.
Example: {"path": "notes/plan.txt"}`,
  scope: 'write',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: { path: { type: 'string', description: 'As list_files shows it' } },
    required: ['path'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { path: { type: 'string' }, identity: { type: 'string' }, error: { type: 'object' } },
  },
  async run({ db, caller }, { path }: { path: string }) {
    const hash = await dropName(db, caller.accountId, path)
    if (hash === undefined) throw unknownFile('path')
    return { path, identity: identityOf(hash) }
  },
  audit: { act: 'file_deleted', subject: ({ path }) => path },
})
