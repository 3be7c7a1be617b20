import { newId, type Source } from '../../../ids.ts'
import { isRecord } from '../../../json-schema/path.ts'
import type { NextCall } from '../../../problem.ts'
import { sampleOf } from '../../../tasks/work/settle.ts'
import type { Descriptor } from '../../descriptor/descriptor.ts'
import type { Ranked } from '../rank.ts'
import { shortSchema } from './short-schema.ts'
import type { ShownVersion } from './store.ts'

const SHOWN_INPUT_CHARS = 500

interface Cut {
  schema: number
  input: number
  job: number
}

/** How a candidate is cut when it is too long, mildest first, and when it still is. */
const CUTS: Cut[] = [
  { schema: 900, input: SHOWN_INPUT_CHARS, job: Infinity },
  { schema: 400, input: SHOWN_INPUT_CHARS, job: Infinity },
  { schema: 400, input: 100, job: Infinity },
  { schema: 80, input: 0, job: 300 },
]
const SHORTEST: Cut = { schema: 80, input: 0, job: 100 }

export interface Shown {
  ranked: Ranked
  version: ShownVersion
  descriptor: Descriptor
  /** Connections that the tool takes, and whether the caller has them. */
  needs: unknown[]
  /** What it costs; undefined: nothing. */
  price?: Record<string, unknown>
}

/**
 * Candidates as the answer of a search shows them, all within so many characters of JSON: what one does not take of its
 * share, the next ones may.
 */
export function answersOf(source: Source, shown: Shown[], chars: number): Record<string, unknown>[] {
  let left = chars
  return shown.map((one, i) => {
    const room = left / (shown.length - i)
    const [answer, taken] = withinRoom(room, (cut) => answerOf(source, one, cut))
    left -= taken
    return answer
  })
}

function withinRoom<T>(room: number, make: (cut: Cut) => T): [T, number] {
  for (const cut of CUTS) {
    const made = make(cut)
    const chars = JSON.stringify(made).length
    if (chars <= room) return [made, chars]
  }
  const made = make(SHORTEST)
  return [made, JSON.stringify(made).length]
}

/** A stored descriptor; undefined when what is stored is none. */
export function readDescriptor(text: string): Descriptor | undefined {
  try {
    const value: unknown = JSON.parse(text)
    const isWhole =
      isRecord(value) &&
      typeof value.job === 'string' &&
      isRecord(value.input_schema) &&
      isRecord(value.invoke) &&
      Array.isArray(value.placements) &&
      Array.isArray(value.verify)
    return isWhole ? (value as unknown as Descriptor) : undefined
  } catch {
    return undefined
  }
}

function answerOf(
  source: Source,
  { ranked, version, descriptor, needs, price }: Shown,
  cut: Cut,
): Record<string, unknown> {
  const { slug, handle } = version
  const toolId = ranked.isOwn ? `tool:${slug}` : `tool:${handle}/${slug}`
  const { runs, contract_passed, reported_met, reported_failed, accounts } = ranked.evidence
  return {
    tool_id: toolId,
    version: version.version,
    label: descriptor.label ?? slug,
    job: descriptor.job.length <= cut.job ? descriptor.job : `${descriptor.job.slice(0, cut.job)}…`,
    input_schema: shortSchema(descriptor.input_schema, cut.schema),
    runs_on: descriptor.placements,
    made_by: handle,
    ...(price && { price }),
    needs_connections: needs,
    sample_state: ranked.hasFailed ? 'failed' : version.sampleState,
    earlier_runs: { runs, contract_passed, reported_met, reported_failed, accounts },
    match: { score: ranked.score, matched_on: ranked.matchedOn },
    next_call: nextCall(source, { toolId, isOwn: ranked.isOwn, descriptor }, cut),
  }
}

/** Names a file; one of another account cannot be given to a run. */
const NAMES_FILE = /"1f:[0-9a-f]{64}"/

/** The run of the tool's own sample, or where to read about a tool whose sample the caller cannot run or is too long. */
function nextCall(
  source: Source,
  { toolId, isOwn, descriptor }: { toolId: string; isOwn: boolean; descriptor: Descriptor },
  cut: Cut,
): NextCall {
  const input = sampleOf(descriptor)?.input ?? {}
  const text = JSON.stringify(input)
  return text.length <= cut.input && (isOwn || !NAMES_FILE.test(text))
    ? { tool: 'run_tool', arguments: { tool_id: toolId, input, request_key: newId('run', source) } }
    : { tool: 'describe_tool', arguments: { tool_id: toolId } }
}
