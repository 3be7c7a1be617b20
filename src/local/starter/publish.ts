import { call, type Address, type Answer } from '../call.ts'
import { readSamples, readTools, type StarterTool } from './set.ts'

export interface Outcome {
  published: string[]
  unchanged: string[]
  /** What went wrong with a tool, in words. The others are published all the same. */
  failed: { slug: string; message: string }[]
}

/** Saves and publishes what is new or changed, by the operations that everybody has. An abort ends it between tools. */
export async function publishStarterSet(address: Address, signal?: AbortSignal): Promise<Outcome> {
  for (const { name, bytes } of readSamples()) {
    await call(address, 'write_file', { path: `samples/${name}`, bytes_base64: bytes.toString('base64') })
  }
  const outcome: Outcome = { published: [], unchanged: [], failed: [] }
  for (const tool of readTools()) {
    signal?.throwIfAborted()
    try {
      outcome[(await publish(address, tool)) ? 'published' : 'unchanged'].push(tool.slug)
    } catch (error) {
      const message = error instanceof Error ? error.message : String(error)
      outcome.failed.push({ slug: tool.slug, message })
    }
  }
  return outcome
}

/** False when this very version was published before. */
async function publish(address: Address, { descriptor, files }: StarterTool): Promise<boolean> {
  const saved = await call(address, 'save_tool', { descriptor, files })
  const { tool_id, version } = saved
  await needPassed(address, saved)
  if (await isPublished(address, saved)) return false
  await needPassed(address, await call(address, 'publish_tool', { tool_id, version }))
  if (!(await isPublished(address, saved))) throw new Error('it was not published')
  return true
}

async function isPublished(address: Address, { tool_id, version }: Answer): Promise<boolean> {
  const { versions } = await call(address, 'describe_tool', { tool_id })
  return versions.some((each) => each.version === version && each.is_published)
}

/** Waits for a sample that the answer did not wait for. Throws when it fails. */
async function needPassed(address: Address, { sample_check }: Answer): Promise<void> {
  const { passed, task_id } = sample_check
  if (passed) return
  let task: Answer
  do task = await call(address, 'read_task', { task_id, wait_seconds: 50 })
  while (task.state === 'working')
  if (task.contract.passed) return
  const why = task.error?.message ?? 'a check did not hold'
  throw new Error(`its sample failed: ${why} ${task.stderr ?? ''}`)
}

export function tell({ published, unchanged, failed }: Outcome): string {
  const kept = unchanged.length > 0 ? `, ${unchanged.length} unchanged` : ''
  const faults = failed.map(({ slug, message }) => `\n  ${slug} FAILED: ${message.trim()}`)
  return `${published.length} tools published${kept}${faults.join('')}`
}

/** `npm run starter -- <url>` publishes the set to any Workshop, by the account of `WORKSHOP_TOKEN`. */
async function main(url?: string, token?: string): Promise<number> {
  if (!url || !token) {
    console.error(
      'Give an address and a token: WORKSHOP_TOKEN=<token> npm run starter -- https://example.org',
    )
    return 1
  }
  try {
    const outcome = await publishStarterSet({ mcpUrl: new URL('/mcp', url).href, token })
    console.log(tell(outcome))
    return outcome.failed.length > 0 ? 1 : 0
  } catch (error) {
    console.error(error instanceof Error ? error.message : error)
    return 1
  }
}

if (import.meta.main) process.exitCode = await main(process.argv[2], process.env.WORKSHOP_TOKEN)
