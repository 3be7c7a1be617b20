import { env } from 'cloudflare:workers'
import { composeBooks } from '../../src/compose.ts'
import { insertOpener, type Opener } from '../../src/core/accounts/sign-in/store.ts'
import type { FakeGithub } from './fake-github.ts'
import { makeInside, makeNamed, type Inside } from './inside.ts'
import { authorizeUrl, codeFor, ORIGIN, redeem, registeredId, send, type Tokens } from './oauth.ts'
import { ECHO } from './tools.ts'
import { PASSWORD, signInAgain, Visitor } from './visitor.ts'

/** What names something of an account, one name for each thing that is done to it. */
export interface Ids {
  email: string
  password: string
  /** Connections: one that is set again, two that are removed. */
  setConnection: string
  deletedConnection: string
  removedConnection: string
  /** Slugs of prices: one that is set again, two that are withdrawn, two that are given. */
  setPrice: string
  deletedPrice: string
  withdrawnPrice: string
  grantedPrice: string
  givenPrice: string
  token: string
  session: string
  passkey: string
  grant: string
  refreshToken: string
  /** An open consent page, a visit to GitHub, somebody whom GitHub knows and no account does. */
  consent: string
  state: string
  arrival: string
  /** The same for whoever is not that browser: a try from elsewhere spends them. */
  spentState: string
  spentArrival: string
  /** Tokens of links: to a file, for one upload whole and for one in parts. */
  download: string
  upload: string
  parts: string
}

/** An account that has something of everything, all of it named so that it would be seen elsewhere. */
export interface Neighbour extends Inside {
  /** Stands in every name that the account gave. */
  mark: string
  visitor: Visitor
  /** A browser that is not signed in. */
  spare: Visitor
  clientId: string
  ids: Ids
  fileBytes: number
  runsLeft: number
}

/** The maker of a price that every neighbour was given runs of. */
export type Shop = Inside

export async function makeShop(): Promise<Shop> {
  const shop = await makeNamed('corner-shop')
  await program(shop, 'PUT', { path: '/v1/prices/tea', json: { amount: 100, currency: 'EUR', per: 'run' } })
  return shop
}

/** A request of a program with the account's token. */
export function program(
  of: Pick<Inside, 'token'> | null,
  method: string,
  { path, json }: { path: string; json?: unknown },
): Promise<Response> {
  const headers = { ...(of && { authorization: `Bearer ${of.token}` }), ...JSON_HEADERS }
  const body = json === undefined ? undefined : JSON.stringify(json)
  const length = body === undefined ? undefined : { 'content-length': String(body.length) }
  return send(path, { method, headers: { ...headers, ...length }, body })
}

const JSON_HEADERS = {
  host: 'localhost:8787',
  'content-type': 'application/json',
  accept: 'application/json, text/event-stream',
}

interface Made {
  mark: string
  /** How many bytes its file has, and how many runs the shop gave it. */
  fileBytes: number
  runsLeft: number
}

export async function makeNeighbour(made: Made, shop: Shop, github: FakeGithub): Promise<Neighbour> {
  const { mark } = made
  const inside = await makeInside(mark)
  const visitor = new Visitor()
  await signInAgain(visitor, inside.accountId)
  const openedBy = await openers(inside, visitor, mark)
  const { clientId, ...granted } = await app(inside, mark)
  const { spare, ...begun } = await visits(visitor, github)
  await visitor.get('/tokens')
  await visitor.post('/tokens', { name: `${mark}-token`, scope: 'read', days: '9' })
  const ids = {
    ...openedBy,
    ...granted,
    ...begun,
    ...(await named(inside, mark)),
    ...(await links(inside, made)),
    token: await idOf('token', inside, 'name'),
    session: await idOf('session', inside, 'device'),
  }
  const tea = { path: `/v1/prices/tea/offers/${inside.handle}`, json: { runs: made.runsLeft } }
  await program(shop, 'PUT', tea)
  return { ...inside, ...made, visitor, spare, clientId, ids }
}

/** The row of the account in a table whose name tells that it is a canary. */
async function idOf(table: string, { accountId }: Inside, column: string): Promise<string> {
  const mine = `select id from ${table} where account_id = ? and ${column} like '%canary%'`
  return (await env.DB.prepare(mine).bind(accountId).first<string>('id')) ?? ''
}

/** All that opens the account, and a second browser that is signed in. */
async function openers({ accountId }: Inside, visitor: Visitor, mark: string) {
  const { db, now } = composeBooks(env)
  const email = `${mark}@example.com`
  await visitor.get('/account')
  await visitor.post('/account/password', { email, password: PASSWORD })
  const passkey = { id: `${mark}-credential`, publicKey: 'AA', counter: 0, transports: [] }
  const added: Opener[] = [
    { kind: 'passkey', passkey, name: `${mark}-passkey`, codeHashes: [] },
    { kind: 'identity', provider: 'github', subject: mark, name: `${mark}-github` },
  ]
  for (const opener of added) await insertOpener(db, accountId, { opener, now: now() })
  await signInAgain(new Visitor(), accountId, `${mark} browser`)
  return { email, password: PASSWORD, passkey: passkey.id }
}

/** Connections, prices and a tool. */
async function named(inside: Inside, mark: string) {
  const ids = {
    setConnection: `${mark}-set`,
    deletedConnection: `${mark}-deleted`,
    removedConnection: `${mark}-removed`,
    setPrice: `${mark}-set`,
    deletedPrice: `${mark}-ended`,
    withdrawnPrice: `${mark}-withdrawn`,
    grantedPrice: `${mark}-granted`,
    givenPrice: `${mark}-given`,
  }
  for (const [id, name] of Object.entries(ids)) {
    const isPrice = id.endsWith('Price')
    const path = isPrice ? `/v1/prices/${name}` : `/v1/connections/${name}`
    const json = isPrice ? { amount: 100, currency: 'EUR', per: 'run' } : { value: `${mark} secret` }
    await program(inside, 'PUT', { path, json })
  }
  await inside.call('save_tool', { ...ECHO, descriptor: { ...ECHO.descriptor, id: `tool:${mark}-tool` } })
  return ids
}

async function links(inside: Inside, { mark, fileBytes }: Made) {
  const path = `${mark}.txt`
  await inside.call('write_file', { path, text: mark.padEnd(fileBytes, '.') })
  const read = await inside.call('read_file', { path, max_bytes: 1 })
  const [whole, parts] = [
    await inside.call('write_file', { path: `${mark}-whole` }),
    await inside.call('write_file', { path: `${mark}-parts` }),
  ]
  const tokenOf = (url: string) => url.replace(/^.*\//, '')
  return {
    download: tokenOf(read.download_url),
    upload: tokenOf(whole.upload_url),
    parts: tokenOf(parts.upload_url),
  }
}

/** An app that is connected, and its tokens. */
async function app({ accountId }: Inside, mark: string) {
  const clientId = await registeredId({ client_name: `${mark}-app` })
  const code = await codeFor(accountId, { client_id: clientId })
  const { refresh_token } = await (await redeem(clientId, code)).json<Tokens>()
  const [, grant = ''] = refresh_token.split(':')
  return { clientId, grant, refreshToken: refresh_token }
}

/** What was begun in the account's browsers and waits to be finished there. */
async function visits(visitor: Visitor, github: FakeGithub) {
  const client_id = await registeredId()
  await visitor.get((await authorizeUrl({ client_id })).slice(ORIGIN.length))
  const consent = /name="handle" value="([^"]+)"/.exec(visitor.page)?.[1] ?? ''
  const spare = new Visitor()
  const leave = async () =>
    github.agree((await spare.get('/sign-in/with/github')).headers.get('location') ?? '')
  const arrive = async () => {
    await spare.get(await leave())
    return /name="arrival" value="([^"]+)"/.exec(spare.page)?.[1] ?? ''
  }
  const state = async () => (await leave()).replace(/^.*\?/, '')
  const [arrival, spentArrival] = [await arrive(), await arrive()]
  return { consent, spare, arrival, spentArrival, state: await state(), spentState: await state() }
}

/** Every row that belongs to an account, as text; without the wrong passwords that it is told of. */
export async function rowsOf(accountId: string): Promise<string> {
  const owned = "select name from sqlite_master where type = 'table' and sql like '%account_id%'"
  const tables = (await env.DB.prepare(owned).all<{ name: string }>()).results
  const rows = [
    env.DB.prepare('select * from account where id = ?').bind(accountId),
    env.DB.prepare("select * from oauth_entry where key like '%' || ? || '%'").bind(accountId),
    ...tables.map(({ name }) => {
      const but = name === 'act' ? "and kind <> 'sign_in_failed'" : ''
      return env.DB.prepare(`select * from ${name} where account_id = ? ${but}`).bind(accountId)
    }),
  ]
  return JSON.stringify((await env.DB.batch(rows)).map(({ results }) => results))
}
