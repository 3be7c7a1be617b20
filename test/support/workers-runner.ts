import type { TestProject } from 'vitest/node'
import { Runner } from '../containers/runner.ts'

/** What the Worker of the `workers` project and its runner prove themselves with. */
export const RUNNER_SECRET = 'test-secret'

declare module 'vitest' {
  interface ProvidedContext {
    /** How often the suites of files cut what is on its way, and by which numbers. */
    cuts: { count: number; seed: number }
  }
}

/** The real runner for the suites inside the Worker's runtime, on the port that the config chose. */
export async function setup(project: TestProject): Promise<() => void> {
  const { FILE_CUTS, FILE_SEED } = process.env
  project.provide('cuts', { count: Number(FILE_CUTS ?? 15), seed: Number(FILE_SEED ?? 7) })
  const { child } = await Runner.start({
    RUNNER_SECRET,
    RUNNER_PORT: process.env.TEST_RUNNER_PORT ?? '0',
    RUNNER_POOL: '1',
  })
  return () => {
    child.kill('SIGTERM')
  }
}
