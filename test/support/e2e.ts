import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join } from 'node:path'
import type { TestProject } from 'vitest/node'
import { startWorkshop, type Workshop } from './workshop.ts'

declare module 'vitest' {
  interface ProvidedContext {
    workshop: Pick<Workshop, 'data' | 'url' | 'mcpUrl' | 'printed'>
  }
}

/** One start of the very program of `npm start` for all end-to-end suites; each suite makes its own accounts. */
export async function setup(project: TestProject): Promise<() => Promise<void>> {
  const data = mkdtempSync(join(tmpdir(), 'workshop-e2e-'))
  const workshop = await startWorkshop({ data })
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
