import type { Context } from '../../context.ts'
import { Problem, type Fault } from '../../problem.ts'
import { readBundle, textFiles } from '../bundle.ts'
import { findSecretInCode } from '../descriptor/secrets.ts'
import { LIMITS } from '../../limits.ts'
import type { Price } from '../../prices/price.ts'
import { checkRoom } from '../room.ts'
import { openCode, type ToolVersion } from '../tool.ts'
import { hiddenFaults, nearNames } from './near-names.ts'
import { namesLike, setSimilar } from './store.ts'

/** Most published tools that a flag names. */
const NAMED = 5

/**
 * Refuses a version that may not be shared, with every reason at once. Returns published tools of other makers that it
 * could be mixed up with.
 */
export async function mayPublish(
  ctx: Context,
  version: ToolVersion,
  price?: Price | Fault,
): Promise<string[]> {
  const { descriptor, toolId } = version
  const near = nearNames(
    { handle: version.maker, slug: toolId.replace(/^tool:/, ''), label: descriptor.label ?? null },
    await namesLike(ctx.db, version),
  )
  const faults = [
    ...(price && 'path' in price ? [price] : []),
    ...licenceFaults(version),
    ...sampleFaults(version),
    ...hiddenFaults({ 'descriptor.label': descriptor.label, 'descriptor.job': descriptor.job }),
    ...near.refused.slice(0, NAMED).map(lookAlike),
    ...(await codeFaults(ctx, version)),
  ]
  const [first] = faults
  if (!first) {
    await checkRoom(ctx, { descriptor, isNew: false })
    const similar = near.similar.slice(0, NAMED)
    await setSimilar(ctx.db, version.id, similar)
    return similar
  }
  const more = faults.length > 1 ? ` (and ${faults.length - 1} more, in problems)` : ''
  throw new Problem('cannot_publish', `Nothing was published: ${first.path} ${first.message}${more}.`, {
    field: first.path,
    hint: first.hint,
    problems: faults,
  })
}

const lookAlike = (other: string): Fault => ({
  path: 'tool_id',
  message: `looks like ${other}, a published tool of another maker`,
  hint: 'save the tool under another id and label',
})

const licenceFaults = ({ descriptor }: ToolVersion): Fault[] =>
  descriptor.licence_class === 'licence:own-computer-only'
    ? [
        {
          path: 'descriptor.licence_class',
          message: 'is licence:own-computer-only, which may never be published',
        },
      ]
    : []

/** A tool that others have, and whose daily runs fail, may be published anew: that is how a maker mends it. */
const sampleFaults = ({ sampleState, failingSince, sampleTaskId }: ToolVersion): Fault[] =>
  sampleState === 'failed' && failingSince === null
    ? [
        {
          path: 'descriptor.verify',
          message: `has a sample that failed when this version was saved (${sampleTaskId})`,
          hint: 'read that task, correct the tool and save it again',
        },
      ]
    : []

/** Keys and passwords in code that everybody could read from then on. */
async function codeFaults({ bytes }: Context, { codeHash }: ToolVersion): Promise<Fault[]> {
  if (codeHash === null) return []
  const code = await openCode(bytes, codeHash)
  const files = textFiles(await readBundle(new Uint8Array(await code.arrayBuffer())), LIMITS.code)
  return files.flatMap((file) => {
    const says = 'text' in file ? findSecretInCode(file.text) : undefined
    return says === undefined
      ? []
      : [
          {
            path: `files[${JSON.stringify(file.path)}]`,
            message: `holds what looks like ${says}`,
            hint: 'take it out and save again; a connection is named by secret_name',
          },
        ]
  })
}
