import { afterAll, beforeAll, describe, expect, test, vi } from 'vitest'
import { app } from '../../src/routes/app.ts'
import { FakeGithub } from '../support/fake-github.ts'
import { makeNeighbour, makeShop, program, rowsOf, type Ids, type Neighbour } from '../support/neighbours.ts'
import { send } from '../support/oauth.ts'
import { TAKES, type Ask, type Takes } from '../support/takes.ts'
import { Visitor } from '../support/visitor.ts'

/** Both have all there is. The stranger is who asks for what is the owner's. */
let owner: Neighbour
let stranger: Neighbour

beforeAll(async () => {
  const github = new FakeGithub()
  github.install()
  github.person = { id: 77, login: 'Octo-Somebody', email: 'octo@example.com' }
  const shop = await makeShop()
  owner = await makeNeighbour({ mark: 'ada-canary', fileBytes: 7_321, runsLeft: 31 }, shop, github)
  stranger = await makeNeighbour({ mark: 'bob-canary', fileBytes: 4_517, runsLeft: 47 }, shop, github)
})
afterAll(() => vi.restoreAllMocks())

interface Answer {
  status: number
  location: string | null
  body: string
}

/** Sends a request as one of the two, or as nobody. */
async function ask(as: Neighbour | null, method: string, asked: Ask): Promise<Answer> {
  const response = await request(as, method === 'ALL' ? 'POST' : method, asked)
  return { status: response.status, location: response.headers.get('location'), body: await response.text() }
}

async function request(as: Neighbour | null, method: string, asked: Ask): Promise<Response> {
  const { via, path, fields, body } = asked
  if (via === 'program') return program(as, method, asked)
  if (via === 'link') return send(path, { method, body: fields ? new URLSearchParams(fields) : body })
  const visitor = { browser: as?.visitor, spare: as?.spare, new: undefined }[via] ?? new Visitor()
  if (method === 'GET') return visitor.get(path, { headers: { accept: 'text/html' } })
  // A page with a form, for what every form carries.
  await visitor.get(via === 'browser' && as ? '/connections' : '/sign-in')
  return visitor.post(path, fields ?? {})
}

/** What of an account may stand in no answer to anybody else. */
const tracesOf = ({ mark, accountId, ids, fileBytes, runsLeft }: Neighbour): string[] => [
  mark,
  accountId,
  ids.token,
  ids.session,
  ids.grant,
  `"used":${fileBytes}`,
  `${fileBytes.toLocaleString('en')} of`,
  `${runsLeft} runs left`,
]

function expectNothingOf(other: Neighbour, { body, location }: Answer): void {
  for (const trace of tracesOf(other)) expect(`${location} ${body}`).not.toContain(trace)
}

/** These end in a secret: what they name stands before it. */
const SECRETS = ['refreshToken', 'download', 'upload', 'parts']

/** Ids like an account's own that nobody has. */
const nobodys = (ids: Ids): Ids =>
  Object.fromEntries(
    Object.entries<string>({ ...ids }).map(([name, id]) => {
      const at = SECRETS.includes(name) ? 8 : id.length - 1
      return [name, id.slice(0, at) + (id[at] === 'q' ? 'z' : 'q') + id.slice(at + 1)]
    }),
  ) as unknown as Ids

/** What whoever knows an owner's ids and none of their secrets would send. */
const guessed = (ids: Ids): Ids => {
  const wrong = (secret: string) => secret.replace(/.{9}$/, 'wrong-end')
  const { password, refreshToken, download, upload, parts, spentState, spentArrival } = ids
  return {
    ...ids,
    password: `${password}?`,
    refreshToken: wrong(refreshToken),
    download: wrong(download),
    upload: wrong(upload),
    parts: wrong(parts),
    state: spentState,
    arrival: spentArrival,
  }
}

/** An answer without the ids that were asked for, which it may give back, and without what each browser has its own. */
function bare({ status, location, body }: Answer, asked: Ids[]): string {
  let text = `${status} ${location} ${body}`
  for (const [name, id] of asked.flatMap((ids) => Object.entries<string>({ ...ids }))) {
    for (const spelt of [id, encodeURIComponent(id)]) text = text.replaceAll(spelt, `<${name}>`)
  }
  text = text.replaceAll(/name="csrf" value="[0-9a-f]+"/g, '<csrf>')
  return text.replaceAll(/\d{4}-\d\d-\d\d[T ][\d:.]+(Z| UTC)/g, '<time>')
}

const ROUTES = Object.entries(TAKES).map(([route, takes]) => ({
  route,
  takes,
  method: route.split(' ')[0] ?? '',
}))

test('every route says what it takes of an account', () => {
  // What stands in the way of many routes is no route.
  const routes = app.routes.filter(({ method, path }) => method !== 'ALL' || !path.endsWith('*'))
  const named = new Set(routes.map(({ method, path }) => `${method} ${path}`))
  expect(Object.keys(TAKES).toSorted()).toEqual([...named].toSorted())
})

type Row<Kind> = { route: string; method: string; takes: Extract<Takes, { takes: Kind }> }
const rows = <Kind extends Takes['takes']>(kind: Kind) =>
  ROUTES.filter(({ takes }) => takes.takes === kind) as Row<Kind>[]

describe('takes nothing of an account', () => {
  test.each(rows('nothing'))('$route', async ({ method, takes }) => {
    for (const asked of takes.asks) {
      expectNothingOf(owner, await ask(stranger, method, asked))
      expectNothingOf(stranger, await ask(owner, method, asked))
      const unknown = await ask(null, method, asked)
      expectNothingOf(owner, unknown)
      expectNothingOf(stranger, unknown)
    }
  })
})

/** Asks as each of the two. */
async function checkOwn({ method, takes }: Row<'own'>): Promise<void> {
  for (const asked of takes.asks) {
    for (const [own, other] of [
      [stranger, owner],
      [owner, stranger],
    ] as const) {
      const [mine, theirs] = [await rowsOf(own.accountId), await rowsOf(other.accountId)]
      const answer = await ask(own, method, asked)
      expectNothingOf(other, answer)
      for (const text of takes.shows(own)) expect(answer.body).toContain(text)
      if (takes.shows(own).length === 0) expect(await rowsOf(own.accountId)).not.toBe(mine)
      expect(await rowsOf(other.accountId)).toBe(theirs)
    }
    const unknown = await ask(null, method, asked)
    expectNothingOf(owner, unknown)
    expectNothingOf(stranger, unknown)
  }
}

/** They sign browsers out, so they come last. */
const LEAVING = ['POST /sessions/end-others', 'POST /sign-out']
const isLeaving = ({ route }: { route: string }) => LEAVING.includes(route)

describe("takes the caller's own account", () => {
  test.each(rows('own').filter((row) => !isLeaving(row)))('$route', checkOwn)
})

describe('takes an id', () => {
  test.each(rows('id'))('$route', async ({ method, takes }) => {
    const before = await rowsOf(owner.accountId)
    const [theirs, nobody] = [guessed(owner.ids), nobodys(guessed(owner.ids))]
    const tried = [theirs, nobody]
    const unknown = takes.asks(nobody, stranger)
    for (const [i, asked] of takes.asks(theirs, stranger).entries()) {
      const foreign = await ask(stranger, method, asked)
      const missing = await ask(stranger, method, unknown[i] ?? asked)
      expect(bare(foreign, tried)).toBe(bare(missing, tried))
      expect(bare(foreign, tried)).not.toContain(owner.mark)
      if (takes.own === 'answers') expect(foreign.status).toBeGreaterThanOrEqual(400)
      expectNothingOf(stranger, await ask(null, method, asked))
    }
    expect(await rowsOf(owner.accountId)).toBe(before)
    for (const asked of takes.asks(owner.ids, owner)) {
      const { status, body } = await ask(owner, method, asked)
      expect(status, body.replace(/^.*<main>/, '')).toBeLessThan(400)
    }
    if (takes.own === 'changes') expect(await rowsOf(owner.accountId)).not.toBe(before)
  })
})

test.each(rows('own').filter(isLeaving))('$route', checkOwn)

test('POST /sign-in/passkey: a passkey of somebody and one of nobody', async () => {
  const visitor = new Visitor()
  const answers = []
  for (const id of [owner.ids.passkey, nobodys(owner.ids).passkey]) {
    await visitor.get('/sign-in')
    const { challenge } = await (await visitor.post('/passkeys/known', {})).json<{ challenge: string }>()
    const clientDataJSON = btoa(
      JSON.stringify({ type: 'webauthn.get', challenge, origin: 'http://localhost:8787' }),
    )
    const response = { clientDataJSON, authenticatorData: 'AA', signature: 'AA' }
    const credential = JSON.stringify({
      id,
      rawId: id,
      type: 'public-key',
      response,
      clientExtensionResults: {},
    })
    const answer = await visitor.post('/sign-in/passkey', { credential })
    answers.push([answer.status, await answer.text()])
  }
  expect(answers[0]).toEqual(answers[1])
  expect(answers[0]).toEqual([401, expect.stringContaining('no passkey that opens an account')])
})
