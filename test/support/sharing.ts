import { expect } from 'vitest'
import type { App } from './clients.ts'
import { makeAccount, newKey, toolOf } from './suite.ts'

/** A maker and two strangers, whose accounts are older than every tool, so that what they report counts. */
export interface Sharing {
  own: App
  one: App
  two: App
  /** What everyone calls a tool of the maker. */
  publicId: (slug: string) => string
  maker: string
  handleOfTwo: string
}

export async function makeSharing(): Promise<Sharing> {
  const one = await makeAccount('stranger')
  const two = await makeAccount('stranger')
  const maker = await makeAccount('maker')
  return {
    own: await maker.app(),
    one: await one.app(),
    two: await two.app(),
    publicId: (slug) => `tool:${maker.handle}/${slug}`,
    maker: maker.handle,
    handleOfTwo: two.handle,
  }
}

/** A tool that says which text it is, and takes `s` seconds. */
export const saying = (id: string, text: string, given: Record<string, unknown> = {}) =>
  toolOf(
    `tool:${id}`,
    {
      'main.py': `import json, sys, time
args = json.load(sys.stdin)
time.sleep(args.get("s", 0))
print(json.dumps({"said": ${JSON.stringify(text)}, "got": args}))
`,
    },
    { job: `Say ${id} to whoever wants to hear it`, ...given },
  )

export async function save(app: App, tool: ReturnType<typeof toolOf>) {
  const { answer } = await app.call('save_tool', tool)
  expect(answer.sample_check).toMatchObject({ passed: true })
  return answer
}

export const publish = (app: App, tool_id: string, more: Record<string, unknown> = {}) =>
  app.call('publish_tool', { tool_id, ...more })

export async function run(app: App, tool_id: string, input: Record<string, unknown> = {}) {
  const { answer } = await app.call('run_tool', { tool_id, input, request_key: newKey(), wait_seconds: 30 })
  return answer
}

export const describeTool = async (app: App, tool_id: string) =>
  (await app.call('describe_tool', { tool_id })).answer
