import { defineOperation } from '../operation.ts'
import type { Context } from '../context.ts'
import { readBundle, textFiles } from './bundle.ts'
import { loadVersion } from './load.ts'
import { listVersions } from './store.ts'
import { openCode, type ToolVersion } from './tool.ts'

/** Most bytes of code that one answer shows. */
const SHOWN_CODE = 16_000

export const describeTool = defineOperation({
  name: 'describe_tool',
  title: "Read a tool's descriptor",
  description: `Reads one tool's whole descriptor (job, schemas, invoke, placements, licence_class, verify), its version and hash, and the text of its files. Use it to learn how working tools are written before save_tool, or to change one. It does not run the tool.
Example: {"tool_id": "tool:count-words"}`,
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      tool_id: {
        type: 'string',
        maxLength: 200,
        description: 'tool:count-words; @3 at its end names version 3',
      },
    },
    required: ['tool_id'],
    additionalProperties: false,
  },
  output: {
    type: 'object',
    properties: {
      tool_id: { type: 'string' },
      version: { type: 'integer' },
      descriptor: { type: 'object' },
      files: { type: 'array' },
      error: { type: 'object' },
    },
  },
  async run(ctx, { tool_id }: { tool_id: string }) {
    const version = await loadVersion(ctx, tool_id)
    const versions = await listVersions(ctx.db, version)
    return {
      tool_id: version.toolId,
      version: version.version,
      hash: version.hash,
      descriptor: version.descriptor,
      files: await readFiles(ctx, version),
      made_by: version.maker,
      sample: { state: version.sampleState, ...(version.isOwn && { task_id: version.sampleTaskId }) },
      saved_at: timeOf(version.createdAt),
      published_at: timeOf(version.publishedAt),
      versions: versions.map(({ savedAt, publishedAt, ...row }) => ({
        ...row,
        saved_at: timeOf(savedAt),
        published_at: timeOf(publishedAt),
      })),
    }
  },
})

const timeOf = (at: number | null): string | null => (at === null ? null : new Date(at).toISOString())

async function readFiles({ bytes }: Context, { codeHash }: ToolVersion) {
  if (codeHash === null) return []
  const object = await openCode(bytes, codeHash)
  return textFiles(await readBundle(new Uint8Array(await object.arrayBuffer())), SHOWN_CODE)
}
