import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import { migrate } from 'drizzle-orm/d1/migrator'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { createAccount } from '../../src/core/accounts/create.ts'
import { openDb } from '../../src/db/client.ts'
import { source } from '../../src/local/accounts.ts'
import { DataFolder } from '../../src/local/folder.ts'
import { buildWorker } from '../../src/local/worker.ts'
import { freePort } from './ports.ts'

/** A fake of Workers AI, bound in its place: it thinks nothing, and answers and fails in the real one's shapes. */
const FAKE_AI = `
import { WorkerEntrypoint } from 'cloudflare:workers'
export class FakeAi extends WorkerEntrypoint {
  async run(model, { messages, response_format }) {
    const asked = messages.at(-1).content
    if (asked === 'overload') throw new Error('3040: Capacity temporarily exceeded, please try again.')
    const usage = { prompt_tokens: 11, completion_tokens: 7, total_tokens: 18 }
    if (response_format) return { response: { summary: asked }, usage }
    return { response: 'The text says: ' + asked, tool_calls: [], usage }
  }
  async models() {
    return [{ name: '@cf/meta/llama-3.1-8b-instruct-fp8' }, { name: '@cf/meta/llama-3.3-70b-instruct-fp8-fast' }]
  }
}
export default { fetch: () => new Response('fake') }`

interface Flags {
  compatibilityDate: string
  compatibilityFlags: string[]
}

export interface Deployed {
  mcpUrl: string
  token: string
  stop(): Promise<void>
}

/** The Worker as it is deployed, with a Workers AI binding, and an account on it. It has no machine for scripts. */
export async function deployWithAi(): Promise<Deployed> {
  const data = mkdtempSync(join(tmpdir(), 'workshop-ai-'))
  const folder = await DataFolder.take(data)
  const built = await buildWorker(folder)
  const { ai: _, ...bound } = built.options
  const { compatibilityDate, compatibilityFlags: flags } = bound as unknown as Flags
  // The real binding takes a signal; one that is another Worker takes it only so.
  const compatibilityFlags = [...flags, 'enable_abortsignal_rpc']
  const port = await freePort()
  const url = `http://localhost:${port}`
  const secret = 'ab'.repeat(32)
  const worker = {
    ...bound,
    compatibilityFlags,
    bindings: {
      ORIGIN: url,
      RUNNER_URL: 'http://127.0.0.1:9',
      RUNNER_SECRET: secret,
      LINK_SECRET: secret,
      PASSWORD_PEPPER: secret,
      CONNECTION_KEYS: `k1:${secret}`,
    },
    serviceBindings: { AI: { name: 'fake-ai', entrypoint: 'FakeAi' } },
    rootPath: built.path,
    modules: [{ type: 'ESModule', path: `${built.path}/index.js` }],
  }
  const fake = { name: 'fake-ai', compatibilityDate, compatibilityFlags, modules: true, script: FAKE_AI }
  const options = convertV4MiniflareOptions({
    host: '127.0.0.1',
    port,
    cf: false,
    log: new Log(LogLevel.ERROR),
    workers: [worker, fake],
  } as unknown as Parameters<typeof convertV4MiniflareOptions>[0])
  const miniflare = new Miniflare(options)
  await miniflare.ready
  const db = openDb(await miniflare.getD1Database('DB'))
  await migrate(db, { migrationsFolder: 'migrations' })
  const { token } = await createAccount(db, source, 'models')
  return {
    mcpUrl: `${url}/mcp`,
    token,
    async stop() {
      await miniflare.dispose()
      folder.release()
      rmSync(data, { recursive: true, force: true })
    },
  }
}
