import { connectionsOf } from '../connections/needs.ts'
import type { Context } from '../context.ts'
import { newId } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import type { NextCall } from '../problem.ts'
import { sampleOf } from '../tasks/work/settle.ts'
import { EXAMPLE } from './example.ts'
import { FITS_FROM, matchExpression, rank, type Ranked } from './search/rank.ts'
import { shortSchema } from './search/short-schema.ts'
import { findByName, searchVersions } from './store.ts'
import type { ToolVersion } from './tool.ts'

/** Candidates of the index that are ranked. */
const CANDIDATES = 50
const SHOWN_INPUT_CHARS = 500

interface FindTool {
  job: string
  limit?: number
  runs_on?: string
}

export const findToolForJob = defineOperation({
  name: 'find_tool_for_job',
  title: 'Find a tool for a job',
  description: `Finds Workshop's tools that do a job, described in plain words. Returns candidates, best first, each with tool_id, job, input_schema, where it runs, who made it and next_call, the call that runs it. nothing_fits is true when no tool does the job: then make_one.save_tool is a complete working example to write one from. It runs nothing.
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
        description: 'What must be done, in plain words',
      },
      limit: { type: 'integer', minimum: 1, maximum: 10, description: 'Most candidates (5)' },
      runs_on: { type: 'string', maxLength: 60, description: 'Only this placement' },
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
    const match = matchExpression(job)
    const [named, found] = await Promise.all([
      findByName(ctx.db, ctx.caller.accountId, job.trim()),
      match ? searchVersions(ctx.db, ctx.caller.accountId, { match, limit: CANDIDATES }) : [],
    ])
    const ranked = rank(job, ctx.caller.handle, { named, found }).filter(
      ({ tool }) => runs_on === undefined || tool.descriptor.placements.some((place) => place === runs_on),
    )
    const shown = ranked.slice(0, limit)
    const needs = await connectionsOf(
      ctx,
      shown.map(({ tool }) => tool.descriptor),
    )
    const nothingFits = !ranked.some(({ score }) => score >= FITS_FROM)
    return {
      candidates: shown.map((candidate, i) => ({
        ...candidateAnswer(ctx, candidate),
        needs_connections: needs[i],
      })),
      nothing_fits: nothingFits,
      ...(nothingFits && { make_one: { offers: [], save_tool: EXAMPLE } }),
    }
  },
})

function candidateAnswer(ctx: Context, { tool, score, matchedOn }: Ranked<ToolVersion>) {
  const { descriptor, toolId, version } = tool
  return {
    tool_id: toolId,
    version,
    label: descriptor.label ?? toolId.replace(/^tool:/, ''),
    job: descriptor.job,
    input_schema: shortSchema(descriptor.input_schema),
    runs_on: descriptor.placements,
    made_by: tool.maker,
    sample_state: tool.sampleState,
    match: { score, matched_on: matchedOn },
    next_call: nextCall(ctx, tool),
  }
}

/** The run of the tool's own sample, or where to read about a tool whose sample is too long for a list. */
function nextCall(ctx: Context, { descriptor, toolId }: ToolVersion): NextCall {
  const input = sampleOf(descriptor)?.input ?? {}
  return JSON.stringify(input).length <= SHOWN_INPUT_CHARS
    ? { tool: 'run_tool', arguments: { tool_id: toolId, input, request_key: newId('run', ctx) } }
    : { tool: 'describe_tool', arguments: { tool_id: toolId } }
}
