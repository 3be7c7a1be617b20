import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { freePort } from './ports.ts'
import { startWorkshop, type Workshop } from './workshop.ts'

declare module 'vitest' {
  interface ProvidedContext {
    /** Two places that http tools may reach: `host:port` on which a suite may listen. */
    upstreams: [string, string]
    /** `host:port` on which a suite may stand for the server of models. */
    modelsAt: string
    workshop: Pick<Workshop, 'data' | 'url' | 'mcpUrl' | 'printed'>
  }
}

/** One start of the very program of `npm start` for all end-to-end suites; each suite makes its own accounts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), 'workshop-e2e-'))
  const upstreams: [string, string] = [`127.0.0.1:${await freePort()}`, `127.0.0.2:${await freePort()}`]
  const modelsAt = `127.0.0.1:${await freePort()}`
  const env = { TEST_HTTP_ALLOW: upstreams.join(','), MODEL_BASE_URL: `http://${modelsAt}/v1` }
  const workshop = await startWorkshop({ data, env })
  project.provide('upstreams', upstreams)
  project.provide('modelsAt', modelsAt)
  project.provide('workshop', {
    data,
    url: workshop.url,
    mcpUrl: workshop.mcpUrl,
    printed: workshop.printed,
  })
  return async () => {
    await workshop.stop()
    rmSync(data, { recursive: true, force: true })
  }
}
