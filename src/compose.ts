import type { Books, Site } from './core/accounts/books.ts'
import type { Caller } from './core/caller.ts'
import { keyringOf } from './core/connections/keyring.ts'
import { secretsIn } from './core/connections/secrets.ts'
import type { Context, Log } from './core/context.ts'
import { linksOf } from './core/files/link.ts'
import { newId, type Source } from './core/ids.ts'
import { lookUpBy } from './core/net/look-up.ts'
import { webOf, type Web } from './core/net/web.ts'
import { payForRun } from './core/prices/offers.ts'
import { taskFilesIn } from './core/tasks/files/port.ts'
import { outputsIn } from './core/tasks/work/outputs.ts'
import type { Wheel } from './core/tasks/work/wheel.ts'
import { isVersionLive } from './core/tools/store.ts'
import { openCode } from './core/tools/tool.ts'
import { openDb } from './db/client.ts'
import { readSettings } from './env.ts'
import type { Runner } from './invokes/container/index.ts'
import { invokesOf } from './invokes/index.ts'
import { openAi, workersAi, type AiBinding, type ModelServer } from './invokes/model/index.ts'

export const source: Source = {
  now: () => Date.now(),
  random: (count) => crypto.getRandomValues(new Uint8Array(count)),
}

const log: Log = (event, details) => console.log(JSON.stringify({ event, ...details }))

/** The sockets of this deployment that belong to nobody in particular. */
export type Place = ReturnType<typeof composePlace>

export function composePlace(env: Env) {
  const { origin, quotas, connectionKeys } = readSettings(env)
  const web = composeWeb(env)
  return {
    ...source,
    log,
    db: openDb(env.DB),
    bytes: env.FILES,
    quotas,
    keyring: () => keyringOf(connectionKeys(), source.random),
    connectionsPage: `${origin}/connections`,
    origin,
    web,
    invokes: invokesOf({ runner: runnerOf(env), web, models: modelsOf(env) }),
  }
}

/** How long one question to a machine may take. */
const SLICE_MS = 15_000

/** What the work on one account's tasks needs. */
export function composeWheel(place: Place, own: Pick<Wheel, 'accountId' | 'store' | 'take'>): Wheel {
  const { now, bytes, invokes, db, connectionsPage } = place
  const files = taskFilesIn(place)
  return {
    ...own,
    invokes,
    sleep: (ms) => scheduler.wait(ms),
    newTaskId: () => newId('task', place),
    pay: (task, spec) => payForRun(place, task, spec),
    isWithdrawn: async ({ versionId }) => !(await isVersionLive(db, versionId, own.accountId)),
    outputs: outputsIn(place),
    files,
    secrets: secretsIn(place, connectionsPage),
    host: {
      sliceMs: SLICE_MS,
      now,
      async code(hash) {
        const { size, body } = await openCode(bytes, hash)
        return { size, body }
      },
      file: (identity) => files.open(identity),
    },
  }
}

/** What an operation gets, for one caller. */
export function composeContext(env: Env, caller: Caller): Context {
  const place = composePlace(env)
  const tasks = env.ACCOUNT_TASKS.getByName(caller.accountId)
  return { ...place, ...composeFiles(env), caller, tasks, outputs: outputsIn(place) }
}

/** What accounts are kept with. */
export const composeBooks = (env: Env): Books => ({ ...source, db: openDb(env.DB) })

/** This deployment, as passkeys and passwords know it. */
export function composeSite(env: Env): Site {
  const { origin, passwordPepper } = readSettings(env)
  return { origin, pepper: passwordPepper }
}

/** What files are kept, named and linked with. */
export function composeFiles(env: Env) {
  const { origin, linkSecret, quotas } = readSettings(env)
  const links = linksOf({ origin, secret: linkSecret })
  return { ...source, db: openDb(env.DB), bytes: env.FILES, links, quotas }
}

/** The way to addresses that other people named. On this machine its own socket reaches public addresses alone. */
function composeWeb(env: Env): Web {
  const { origin, httpAllowed } = readSettings(env)
  const fetcher: typeof fetch = (input, init) => (env.OUTSIDE ?? globalThis).fetch(input, init)
  const rules = { ownHosts: [new URL(origin).hostname], allowed: httpAllowed }
  return webOf({ rules, lookUp: lookUpBy(fetcher), fetch: fetcher })
}

/** Workers AI where it is bound, else the operator's own address; null: this deployment has no models. */
function modelsOf(env: Env): ModelServer | null {
  // The binding takes any model's name and input; its types know some of them alone.
  const ai = env.AI as unknown as AiBinding | undefined
  if (ai) return workersAi(ai)
  const { modelAddress } = readSettings(env)
  return modelAddress && openAi(modelAddress)
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
