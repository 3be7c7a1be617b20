import { spawn, type ChildProcess } from 'node:child_process'
import { createInterface } from 'node:readline'
import { StartFailure } from './failure.ts'
import type { DataFolder } from './folder.ts'

/** The runner as a program of its own on loopback. */
export interface LocalRunner {
  url: string
  stop(): Promise<void>
}

const SERVER = new URL('../../containers/runner/server.ts', import.meta.url).pathname

/** How long after its death the runner is started again. */
const REST_MS = 500

/** Starts the runner and waits until it listens. It ends with this process, however that ends, and lives while it does. */
export async function startRunner(folder: DataFolder, secret: string): Promise<LocalRunner> {
  let isWanted = true
  let child = spawnRunner(folder, { secret, port: 0 })
  const port = await listening(child)
  const keepAlive = () => {
    child.once('exit', (code, signal) => {
      if (!isWanted) return
      console.error(`The runner ended (${signal ?? code}); it is started again.`)
      setTimeout(() => {
        if (!isWanted) return
        child = spawnRunner(folder, { secret, port })
        keepAlive()
      }, REST_MS)
    })
  }
  keepAlive()
  return {
    url: `http://127.0.0.1:${port}`,
    stop() {
      isWanted = false
      return stop(child)
    },
  }
}

function spawnRunner(folder: DataFolder, { secret, port }: { secret: string; port: number }) {
  return spawn(process.execPath, [SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...folder.childEnv,
      RUNNER_SECRET: secret,
      RUNNER_PORT: String(port),
      RUNNER_DATA: folder.file('runner'),
      RUNNER_EXIT_WITH_STDIN: '1',
    },
  })
}

async function listening(child: ChildProcess): Promise<number> {
  if (!child.stdout) throw new Error('the runner has no stdout')
  for await (const line of createInterface(child.stdout)) {
    const ready: { listening?: number } = JSON.parse(line)
    if (ready.listening) return ready.listening
  }
  throw new StartFailure('The runner did not start; what it said is above.')
}

function stop(child: ChildProcess): Promise<void> {
  if (child.exitCode !== null || child.signalCode !== null) return Promise.resolve()
  return new Promise((done) => {
    child.once('exit', () => done())
    child.kill('SIGTERM')
  })
}
