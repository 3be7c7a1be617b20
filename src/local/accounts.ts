import { chmodSync, existsSync, readFileSync, rmSync, writeFileSync } from 'node:fs'
import { createServer, request, type Server } from 'node:http'
import { relative } from 'node:path'
import { text } from 'node:stream/consumers'
import { addToken, createAccount } from '../core/accounts/create.ts'
import type { Source } from '../core/ids.ts'
import { Problem } from '../core/problem.ts'
import type { Db } from '../db/client.ts'
import { StartFailure } from './failure.ts'
import type { DataFolder } from './folder.ts'

export const source: Source = {
  now: () => Date.now(),
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
}

/** What a start prints for people, for programs: `<data>/local.json`, readable by its owner alone. */
export interface LocalFile {
  url: string
  mcp_url: string
  token: string
  handle: string
  pid: number
}

/** The first account of this folder, made when there is none; `isNew` when its token was just made. */
export async function firstAccount(db: Db, folder: DataFolder) {
  const path = folder.file('local.json')
  if (existsSync(path)) {
    const { handle, token }: LocalFile = JSON.parse(readFileSync(path, 'utf8'))
    return { handle, token, isNew: false }
  }
  const made = await createAccount(db, source, 'local').catch((error: unknown) => {
    if (!(error instanceof Problem)) throw error
    throw new StartFailure(`${path} is gone, and with it the token. Remove ${folder.path} to begin anew.`)
  })
  return { ...made, isNew: true }
}

export function writeLocalFile(folder: DataFolder, local: LocalFile): void {
  writeFileSync(folder.file('local.json'), `${JSON.stringify(local, null, 2)}\n`, { mode: 0o600 })
}

/** A socket file has a short longest path, so the shorter spelling is used. */
function socketPath(dataPath: string): string {
  const absolute = `${dataPath}/control.sock`
  const near = relative(process.cwd(), absolute)
  return near.length < absolute.length ? near : absolute
}

const ORDERS = { '/accounts': createAccount, '/tokens': addToken }

/** Takes orders for further accounts and tokens from the owner of the data folder, by a socket file in it. */
export function serveAccounts(db: Db, folder: DataFolder): Promise<Server> {
  const path = socketPath(folder.path)
  rmSync(path, { force: true })
  const server = createServer(async (incoming, response) => {
    try {
      const make = incoming.url === '/tokens' ? ORDERS['/tokens'] : ORDERS['/accounts']
      const made = await make(db, source, (await text(incoming)).trim())
      response.end(JSON.stringify(made))
    } catch (error) {
      response.statusCode = error instanceof Problem ? 400 : 500
      const hint = error instanceof Problem ? (error.details.hint ?? '') : ''
      response.end(`${error instanceof Error ? error.message : String(error)} ${hint}`.trim())
    }
  })
  return new Promise((done, fail) => {
    server.once('error', fail)
    server.listen(path, () => {
      chmodSync(path, 0o600)
      done(server)
    })
  })
}

/** Sends an order to the start that runs on a data folder; the answer as it is printed. */
export function order(dataPath: string, path: keyof typeof ORDERS, handle: string): Promise<string> {
  return new Promise((done, fail) => {
    const call = request({ socketPath: socketPath(dataPath), path, method: 'POST' }, async (response) => {
      const answer = await text(response)
      if (response.statusCode === 200) done(answer)
      else fail(new StartFailure(answer))
    })
    call.once('error', () =>
      fail(new StartFailure(`Nothing runs on ${dataPath}. Start it first, with: npm start`)),
    )
    call.end(handle)
  })
}
