import type { Caller } from './core/caller.ts'
import type { Context, Log } from './core/context.ts'
import type { Source } from './core/ids.ts'
import { openDb } from './db/client.ts'
import { readSettings } from './env.ts'
import type { Runner } from './invokes/container/index.ts'
import { invokesOf } from './invokes/index.ts'

export const source: Source = {
  now: () => Date.now(),
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
}

const log: Log = (event, details) => console.log(JSON.stringify({ event, ...details }))

/** The sockets of this deployment that belong to nobody in particular. */
export function composePlace(env: Env) {
  return {
    ...source,
    log,
    db: openDb(env.DB),
    bytes: env.FILES,
    invokes: invokesOf({ runner: runnerOf(env) }),
  }
}

/** What an operation gets, for one caller. */
export function composeContext(env: Env, caller: Caller): Context {
  return { ...composePlace(env), caller, tasks: env.ACCOUNT_TASKS.getByName(caller.accountId) }
}

/** One machine an account: the runner beside this Worker, or the account's own container. */
function runnerOf(env: Env): Runner {
  const { runnerUrl, runnerSecret } = readSettings(env)
  return {
    fetch(accountId, path, init = {}) {
      const request = new Request(new URL(path, runnerUrl ?? 'http://runner'), init)
      request.headers.set('authorization', `Bearer ${runnerSecret}`)
      return runnerUrl === null ? env.TOOL_CONTAINER.getByName(accountId).fetch(request) : fetch(request)
    },
  }
}
