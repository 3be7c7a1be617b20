import { cloudflareTest, readD1Migrations } from '@cloudflare/vitest-plugin'
import { resolve } from 'node:path'
import { defineConfig } from 'vitest/config'

const root = resolve(import.meta.dirname, '..')

/** `node`: pure logic, the runner, guards. `workers`: inside the Worker's own runtime. `e2e`: the program of `npm start`. */
export default defineConfig({
  root,
  test: {
    projects: [
      {
        root,
        test: {
          name: 'node',
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
                RUNNER_SECRET: 'test-secret',
                RUNNER_URL: 'http://runner.test',
              },
            },
          }),
        ],
        test: {
          name: 'workers',
          include: ['test/{routes,durable-objects}/**/*.test.ts'],
          setupFiles: ['test/support/workers.ts'],
          isolate: false,
          testTimeout: 30_000,
        },
      },
      {
        root,
        test: {
          name: 'e2e',
          include: ['test/e2e/**/*.test.ts'],
          globalSetup: ['test/support/e2e.ts'],
          fileParallelism: false,
          testTimeout: 60_000,
          hookTimeout: 120_000,
        },
      },
    ],
  },
})
