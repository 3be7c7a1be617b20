import { defineOperation } from '../operation.ts'
import { listedFile } from './name.ts'
import { listNames } from './store.ts'

interface ListFiles {
  folder?: string
  cursor?: string
  limit?: number
}

export const listFiles = defineOperation({
  name: 'list_files',
  title: 'List files',
  description: `Lists this account's files below a folder, by path. Files that tools made are in outputs/<task_id>. next_cursor, when there is one, gives the next page.
Example: {"folder": "clips"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      folder: { type: 'string', description: 'All files when left out' },
      cursor: { type: 'string', description: 'next_cursor of the page before' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most files (50)' },
    },
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: { files: { type: 'array' }, next_cursor: { type: 'string' }, error: { type: 'object' } },
  },
  async run(ctx, { folder = '', cursor = '', limit = 50 }: ListFiles) {
    const below = folder === '' ? '' : `${folder.replace(/\/+$/, '')}/`
    const found = await listNames(ctx.db, ctx.caller.accountId, { folder: below, cursor, limit: limit + 1 })
    const shown = found.slice(0, limit)
    const last = found.length > limit ? shown.at(-1)?.path : undefined
    return { files: shown.map(listedFile), ...(last !== undefined && { next_cursor: last }) }
  },
})
