import { defineOperation } from '../operation.ts'
import { listedFile } from './name.ts'
import { searchKey } from './path.ts'
import { searchNames } from './store.ts'

/** Words of a search that count. */
const MOST_WORDS = 8

export const findFile = defineOperation({
  name: 'find_file',
  title: 'Find a file',
  description: `Finds files of this account whose path holds every word, newest first, with their identities.
Example: {"words": "interview wav"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      words: { type: 'string', minLength: 1, maxLength: 500, description: 'Words or parts of them' },
      limit: { type: 'integer', minimum: 1, maximum: 100, description: 'Most files (20)' },
    },
    required: ['words'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: { files: { type: 'array' }, error: { type: 'object' } } },
  async run(ctx, { words, limit = 20 }: { words: string; limit?: number }) {
    const wanted = searchKey(words).split(/\s+/).filter(Boolean).slice(0, MOST_WORDS)
    const found = await searchNames(ctx.db, ctx.caller.accountId, { words: wanted, limit })
    return { files: found.map(listedFile) }
  },
})
