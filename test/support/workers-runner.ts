import { Runner } from '../containers/runner.ts'

/** What the Worker of the `workers` project and its runner prove themselves with. */
export const RUNNER_SECRET = 'test-secret'

/** The real runner for the suites inside the Worker's runtime, on the port that the config chose. */
export async function setup(): Promise<() => void> {
  const { child } = await Runner.start({
    RUNNER_SECRET,
    RUNNER_PORT: process.env.TEST_RUNNER_PORT ?? '0',
    RUNNER_POOL: '1',
  })
  return () => {
    child.kill('SIGTERM')
  }
}
