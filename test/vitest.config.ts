import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'
import { RUNNER_SECRET } from './support/workers-runner.ts'
import { LastFiles } from './support/last.ts'
import { freePort } from './support/ports.ts'

const root = resolve(import.meta.dirname, '..')

/** Where the runner of the `workers` project listens: the Worker's bindings must name it before it is started. */
const runnerPort = process.env.TEST_RUNNER_PORT ?? String(await freePort())
process.env.TEST_RUNNER_PORT = runnerPort

const SETTINGS = {
  // The pool switches off what lets one request wake another, so none may come to wait for its turn; e2e shows that.
  CALLS_AT_ONCE: '1000',
  LINK_SECRET: 'test-link-secret',
  PASSWORD_PEPPER: 'test-pepper',
  CONNECTION_KEYS: `k1:${'11'.repeat(32)}`,
  SETUP_CODE: 'test-setup-code',
  GITHUB_CLIENT_ID: 'test-github-client',
  GITHUB_CLIENT_SECRET: 'test-github-secret',
}

/**
 * `node`: pure logic, the runner, guards. `workers`: inside the Worker's own runtime. `chaos`: the same, with faults
 * everywhere. `e2e`: the program of `npm start`. `image`: the container's image, by `npm run test:image` alone.
 */
export default defineConfig({
  root,
  test: {
    sequence: { sequencer: LastFiles },
    projects: [
      {
        root,
        test: {
          name: 'node',
          sequence: { groupOrder: 0 },
          include: ['test/{core,containers,guard,invokes,support}/**/*.test.ts'],
          testTimeout: 30_000,
        },
      },
      {
        root,
        plugins: [
          cloudflareTest({
            main: './src/index.ts',
            remoteBindings: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
                RUNNER_SECRET,
                ...SETTINGS,
                RUNNER_URL: `http://127.0.0.1:${runnerPort}`,
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          sequence: { groupOrder: 1 },
          include: ['test/{routes,durable-objects}/**/*.test.ts'],
          exclude: ['test/durable-objects/chaos*.test.ts'],
          globalSetup: ['test/support/workers-runner.ts'],
          setupFiles: ['test/support/workers.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        root,
        plugins: [
          cloudflareTest(async ({ inject }) => ({
            main: './test/support/chaos-worker.ts',
            remoteBindings: false,
            wrangler: { configPath: './wrangler.toml' },
            miniflare: {
              bindings: {
                TEST_MIGRATIONS: await readD1Migrations('migrations'),
                RUNNER_SECRET,
                ...SETTINGS,
                // Apps that insist call often; few places, so that tasks stand in line too.
                LIMIT_CALLS_A_MINUTE: '1000000',
                LIMIT_TASKS_AT_ONCE: '3',
                RUNNER_URL: inject<{ runnerUrl: string }>('chaos').runnerUrl,
              },
            },
          })),
        ],
        test: {
          name: 'chaos',
          sequence: { groupOrder: 2 },
          include: ['test/durable-objects/chaos*.test.ts'],
          globalSetup: ['test/support/chaos-runner.ts'],
          setupFiles: ['test/support/workers.ts'],
          isolate: false,
          fileParallelism: false,
          testTimeout: 120_000,
          hookTimeout: 60_000,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          sequence: { groupOrder: 3 },
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/chromium.ts', 'test/support/e2e.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
      {
        root,
        test: {
          name: 'image',
          sequence: { groupOrder: 4 },
          include: ['test/image/**/*.test.ts'],
          testTimeout: 120_000,
        },
      },
    ],
  },
})
