import { connectionsOf } from '../connections/needs.ts'
import type { Context } from '../context.ts'
import { defineOperation } from '../operation.ts'
import { PLACEMENTS } from './descriptor/descriptor.ts'
import { priceAnswer } from '../prices/price.ts'
import { pricesOfVersions } from '../prices/store.ts'
import { EXAMPLE } from './example.ts'
import { nothingFits, type Ranked } from './search/rank.ts'
import { searchTools } from './search/search.ts'
import { answersOf, readDescriptor } from './search/shown/answer.ts'
import { readShown } from './search/shown/store.ts'

/** Characters of JSON that an answer takes at most for each candidate asked for; of five, 2,000 tokens. */
const CHARS_A_CANDIDATE = 1_590

interface FindTool {
  job: string
  limit?: number
  runs_on?: string
}

export const findToolForJob = defineOperation({
  name: 'find_tool_for_job',
  title: 'Find a tool for a job',
  description: `Finds Workshop's tools that do a job, described in plain words. Returns candidates, best first, each with tool_id, job, input_schema, where it runs, who made it, what became of earlier runs, and next_call, the call that runs it. nothing_fits is true when no tool does the job (candidates are near misses then): make_one.save_tool is a complete working example to write one from. It runs nothing.
Example: {"job": "count the words in a text"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      job: {
        type: 'string',
        minLength: 1,
        maxLength: 2_000,
        description: 'What must be done, in plain words; or the id or label of a tool',
      },
      limit: { type: 'integer', minimum: 1, maximum: 10, description: 'Most candidates (5)' },
      runs_on: { enum: PLACEMENTS, description: 'Only this placement' },
    },
    required: ['job'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      candidates: { type: 'array' },
      nothing_fits: { type: 'boolean' },
      error: { type: 'object' },
    },
  },
  async run(ctx, { job, limit = 5, runs_on }: FindTool) {
    const searcher = { accountId: ctx.caller.accountId, now: ctx.now() }
    const ranked = await searchTools(ctx.db, searcher, { job, placement: runs_on })
    const isNothing = nothingFits(ranked)
    const rest = {
      nothing_fits: isNothing,
      ...(isNothing && { make_one: { offers: [], save_tool: EXAMPLE } }),
    }
    const chars = Math.max(5, limit) * CHARS_A_CANDIDATE - JSON.stringify(rest).length
    return { candidates: await showCandidates(ctx, ranked.slice(0, limit), chars), ...rest }
  },
})

async function showCandidates(
  ctx: Context,
  ranked: Ranked[],
  chars: number,
): Promise<Record<string, unknown>[]> {
  const versions = await readShown(
    ctx.db,
    ranked.map(({ id }) => id),
  )
  const whole = ranked.flatMap((one) => {
    const version = versions.find(({ id }) => id === one.id)
    const descriptor = version && readDescriptor(version.descriptor)
    return descriptor ? [{ ranked: one, version, descriptor }] : []
  })
  if (whole.length < ranked.length) ctx.log('damaged_versions', { among: ranked.map(({ id }) => id) })
  const ids = whole.map(({ version }) => version.id)
  const [needs, prices] = await Promise.all([
    connectionsOf(
      ctx,
      whole.map(({ descriptor }) => descriptor),
    ),
    pricesOfVersions(ctx.db, ids),
  ])
  const shown = whole.map((one, i) => {
    const price = prices.get(one.version.id)
    return { ...one, needs: needs[i] ?? [], price: price && priceAnswer(price, ctx.origin) }
  })
  return answersOf(ctx, shown, chars)
}
