import { rmSync } from 'node:fs'
import { migrate } from 'drizzle-orm/d1/migrator'
import type { Miniflare } from 'miniflare'
import { openDb } from '../db/client.ts'
import { firstAccount, serveAccounts, writeLocalFile } from './accounts.ts'
import { StartFailure } from './failure.ts'
import { DataFolder } from './folder.ts'
import { doMainJob } from './main-job.ts'
import { ensurePackages } from './packages.ts'
import { startRunner } from './runner.ts'
import { secretsOf, takenFromEnvironment } from './secrets.ts'
import { offerStarterSet } from './starter/offer.ts'
import { buildWorker, serveWorker } from './worker.ts'

/** `npm start`: everything on this machine, on loopback, without an account anywhere. */
const MIGRATIONS = new URL('../../migrations', import.meta.url).pathname

/** What must be undone, in the order in which it was done. */
const undo: (() => unknown)[] = []

async function start(): Promise<void> {
  const port = readPort('PORT', process.env.PORT ?? '8787')
  const inspector = process.env.INSPECTOR_PORT
  const inspectorPort = inspector ? readPort('INSPECTOR_PORT', inspector) : undefined
  ensurePackages()
  const folder = await DataFolder.take(process.env.WORKSHOP_DATA ?? '.workshop')
  undo.push(() => folder.release())
  const secret = crypto.randomUUID()
  const [built, runner] = await Promise.all([buildWorker(folder), startRunner(folder, secret)])
  undo.push(() => runner.stop())
  const url = `http://localhost:${port}`
  const secrets = secretsOf(folder)
  const bindings = {
    ORIGIN: url,
    RUNNER_URL: runner.url,
    RUNNER_SECRET: secret,
    CALLS_AT_ONCE: '1',
    ...secrets,
    ...takenFromEnvironment(),
  }
  const miniflare = await serveWorker(folder, built, { port, inspectorPort, bindings })
  undo.push(() => miniflare.dispose())
  stopOnSignal()
  const ticking = setInterval(() => void tick(miniflare), 60_000)
  undo.push(() => clearInterval(ticking))
  const db = openDb(await miniflare.getD1Database('DB'))
  await migrate(db, { migrationsFolder: MIGRATIONS })
  const accounts = await serveAccounts(db, folder)
  undo.push(
    () => accounts.close(),
    () => rmSync(folder.file('control.sock'), { force: true }),
  )
  const account = await firstAccount(db, folder)
  const { handle, token } = account
  const mcpUrl = `${url}/mcp`
  writeLocalFile(folder, { url, mcp_url: mcpUrl, token, handle, pid: process.pid })
  console.log(`Workshop listens on ${url} (data in ${folder.path})`)
  if (account.isNew) {
    introduce(`${url}/set-up?code=${secrets.SETUP_CODE}`, { mcpUrl, token })
    await doMainJob({ mcpUrl, token }).catch((error: unknown) => {
      console.error(`  ${error instanceof Error ? error.message : String(error)}`)
    })
  } else {
    console.log(`MCP address ${mcpUrl}, account "${handle}"; its token is in ${folder.file('local.json')}`)
  }
  console.log('\nReady. Stop with Ctrl-C.')
  if (process.env.WORKSHOP_STARTER === 'off') return
  const offering = new AbortController()
  undo.push(() => offering.abort())
  await offerStarterSet({ db, folder }, mcpUrl, offering.signal)
}

/** The cron trigger of each minute, which nobody else fires on this machine. */
async function tick(miniflare: Miniflare): Promise<void> {
  try {
    const worker = await miniflare.getWorker()
    await worker.scheduled({ cron: '* * * * *' })
  } catch (error) {
    console.error(`The watchdog failed: ${error instanceof Error ? error.message : String(error)}`)
  }
}

function introduce(setUpUrl: string, { mcpUrl, token }: { mcpUrl: string; token: string }): void {
  console.log(`
MCP address   ${mcpUrl}
Token         ${token}   (shown once; also in local.json of the data folder)
In a browser  ${setUpUrl}   (once: this account becomes yours)

Claude Code   claude mcp add --transport http workshop ${mcpUrl} --header "Authorization: Bearer ${token}"
Cursor        {"mcpServers": {"workshop": {"url": "${mcpUrl}", "headers": {"Authorization": "Bearer ${token}"}}}}
curl          curl -s ${mcpUrl} -H "Authorization: Bearer ${token}" -H "Content-Type: application/json" -H "Accept: application/json, text/event-stream" -d '{"jsonrpc":"2.0","id":1,"method":"tools/call","params":{"name":"find_tool_for_job","arguments":{"job":"count the words in a text"}}}'`)
}

function readPort(name: string, text: string): number {
  const port = Number(text)
  if (/^\d+$/.test(text) && port > 0 && port < 65_536) return port
  throw new StartFailure(`${name} must be a number from 1 to 65535, not "${text}".`)
}

/** Miniflare's own exit hook would end the process before all is undone, so ours takes its place. */
function stopOnSignal(): void {
  for (const signal of ['SIGINT', 'SIGTERM', 'SIGHUP']) {
    process.removeAllListeners(signal)
    process.once(signal, () => void stop(0))
  }
}

async function stop(code: number): Promise<never> {
  for (const step of undo.toReversed()) {
    try {
      await step()
    } catch (error) {
      console.error(error)
    }
  }
  process.exit(code)
}

try {
  await start()
} catch (error) {
  console.error(error instanceof StartFailure ? error.message : error)
  await stop(1)
}
