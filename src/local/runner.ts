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

/** Starts the runner and waits until it listens. It ends with this process, however that ends. */
export async function startRunner(folder: DataFolder, secret: string): Promise<LocalRunner> {
  const child = spawn(process.execPath, [SERVER], {
    stdio: ['pipe', 'pipe', 'inherit'],
    env: {
      ...process.env,
      ...folder.childEnv,
      RUNNER_SECRET: secret,
      RUNNER_PORT: '0',
      RUNNER_DATA: folder.file('runner'),
      RUNNER_EXIT_WITH_STDIN: '1',
    },
  })
  const port = await listening(child)
  return { url: `http://127.0.0.1:${port}`, stop: () => stop(child) }
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
