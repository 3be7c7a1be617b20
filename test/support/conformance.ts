import { execFile } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Miniflare } from 'miniflare'
import { QUIET } from '../../src/local/worker.ts'
import { freePort } from './ports.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const run = promisify(execFile)

/** The Worker of `test/conformance` on a port of loopback. */
export async function serveFixture(): Promise<{ url: string; stop: () => Promise<void> }> {
  const out = mkdtempSync(join(tmpdir(), 'workshop-conformance-'))
  const config = 'test/conformance/wrangler.toml'
  await run('wrangler', ['deploy', '--config', config, '--dry-run', '--outdir', out], {
    cwd: ROOT,
    env: { ...process.env, ...QUIET },
  })
  const port = await freePort()
  const origin = `http://localhost:${port}`
  const options = convertV4MiniflareOptions({
    host: '127.0.0.1',
    port,
    cf: false,
    workers: [
      {
        name: 'conformance',
        compatibilityDate: '2026-11-01',
        bindings: { ORIGIN: origin, RUNNER_SECRET: 'none' },
        rootPath: out,
        modules: [{ type: 'ESModule', path: join(out, 'worker.js') }],
      },
    ],
  } as unknown as Parameters<typeof convertV4MiniflareOptions>[0])
  const miniflare = new Miniflare(options)
  await miniflare.ready
  return {
    url: `${origin}/mcp`,
    async stop() {
      await miniflare.dispose()
      rmSync(out, { recursive: true, force: true })
    },
  }
}
