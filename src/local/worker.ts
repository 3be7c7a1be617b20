import { execFile } from 'node:child_process'
import { createServer } from 'node:net'
import { promisify } from 'node:util'
import { convertV4MiniflareOptions, Log, LogLevel, Miniflare } from 'miniflare'
import { StartFailure } from './failure.ts'
import type { DataFolder } from './folder.ts'

const ROOT = new URL('../..', import.meta.url).pathname
const run = promisify(execFile)

/** Wrangler without questions, telemetry or look-ups. */
export const QUIET = {
  CI: '1',
  NO_COLOR: '1',
  WRANGLER_SEND_METRICS: 'false',
  WRANGLER_SEND_ERROR_REPORTS: 'false',
  WRANGLER_HIDE_BANNER: 'true',
  CLOUDFLARE_CF_FETCH_ENABLED: 'false',
}

/** What `wrangler.toml` says of the Worker, in Miniflare's words. Read in a process of its own: wrangler is big. */
const READ_OPTIONS = `
import wrangler from 'wrangler'
const { workerOptions } = wrangler.unstable_getMiniflareWorkerOptions('wrangler.toml')
process.stdout.write(JSON.stringify(workerOptions))`

export interface BuiltWorker {
  options: Record<string, unknown>
  /** Folder of the built modules. */
  path: string
}

/** Builds the Worker as it is deployed and reads its bindings, both at once. */
export async function buildWorker(folder: DataFolder): Promise<BuiltWorker> {
  const out = folder.file('build')
  const env = { ...process.env, ...QUIET }
  const bundle = ['deploy', '--dry-run', '--containers-rollout=none', '--outdir', out]
  const [, read] = await Promise.all([
    run('wrangler', bundle, { cwd: ROOT, env }),
    run(process.execPath, ['--input-type=module', '-e', READ_OPTIONS], { cwd: ROOT, env }),
  ]).catch((error: Error & { stderr?: string }) => {
    throw new StartFailure(`The Worker could not be built: ${error.stderr ?? error.message}`)
  })
  return { options: JSON.parse(read.stdout), path: out }
}

export interface Serve {
  port: number
  /** Where developer tools may attach to the Worker. */
  inspectorPort?: number
  bindings: Record<string, string>
}

/** Serves a built Worker on loopback, its data kept in the folder. */
export async function serveWorker(folder: DataFolder, built: BuiltWorker, serve: Serve): Promise<Miniflare> {
  await assertFree(serve.port)
  // What Miniflare starts inherits this, so that a later start can tell it as ours.
  Object.assign(process.env, folder.childEnv)
  // There are no models on this machine: the binding would be there and throw.
  const { ai: _, assets, ...bound } = built.options
  const worker = {
    ...bound,
    name: 'workshop',
    bindings: serve.bindings,
    serviceBindings: { OUTSIDE: outside(serve.bindings), ASSETS: 'assets' },
    rootPath: built.path,
    modules: [{ type: 'ESModule', path: `${built.path}/index.js` }],
    // Miniflare's own entry and its router of assets cost each request more than the Worker does.
    unsafeDirectSockets: [{ host: '127.0.0.1', port: serve.port }],
  }
  const options = convertV4MiniflareOptions({
    host: '127.0.0.1',
    inspectorPort: serve.inspectorPort,
    cf: false,
    log: new Log(LogLevel.ERROR),
    resourcePersistencePath: folder.file('state'),
    workers: [worker, { name: 'assets', assets, modules: true, script: 'export default {}' }],
  } as unknown as Parameters<typeof convertV4MiniflareOptions>[0])
  const miniflare = new Miniflare(options)
  await miniflare.ready
  return miniflare
}

/** A socket that connects to public addresses alone, whatever a name stands for by then; in tests to theirs too. */
function outside({ TEST_HTTP_ALLOW = '' }: Record<string, string>) {
  const ofTests = TEST_HTTP_ALLOW.split(',').flatMap((each) => /^([\d.]+):/.exec(each.trim())?.[1] ?? [])
  const allow = ['public', ...ofTests.map((address) => `${address}/32`)]
  return { network: { allow, tlsOptions: { trustBrowserCas: true } } }
}

function assertFree(port: number): Promise<void> {
  return new Promise((done, fail) => {
    const probe = createServer()
    probe.once('error', (error: NodeJS.ErrnoException) =>
      fail(
        new StartFailure(
          error.code === 'EADDRINUSE'
            ? `Port ${port} is taken. Stop what listens there, or set PORT to another one.`
            : `Port ${port} cannot be used: ${error.message}`,
        ),
      ),
    )
    probe.listen(port, '127.0.0.1', () => probe.close(() => done()))
  })
}
