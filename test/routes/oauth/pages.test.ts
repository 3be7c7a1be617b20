import { env } from 'cloudflare:workers'
import { afterEach, describe, expect, test, vi } from 'vitest'
import { codeFor, ORIGIN, redeem, registeredId, send, statusWith, type Tokens } from '../../support/oauth.ts'
import { signUp, Visitor } from '../../support/visitor.ts'

afterEach(() => {
  vi.useRealTimers()
})

/** A person with apps, each by its name. */
async function personWith(...names: string[]) {
  const { visitor, handle } = await signUp('apps')
  const accountId = await env.DB.prepare('select id from account where handle = ?')
    .bind(handle)
    .first<string>('id')
  const tokens: Tokens[] = []
  for (const client_name of names) {
    const client_id = await registeredId({ client_name })
    const code = await codeFor(accountId ?? '', { client_id })
    tokens.push(await (await redeem(client_id, code)).json<Tokens>())
  }
  return { visitor, tokens, handle }
}

const grantsIn = (page: string) =>
  [...page.matchAll(/name="grant" value="([^"]+)"/g)].map(([, id = '']) => id)

/** Revokes grants by the form of the page of connected apps. */
function revoke(visitor: Visitor, grants: string[]): Promise<Response> {
  const body = new URLSearchParams([['csrf', visitor.csrf], ...grants.map((id) => ['grant', id])])
  const headers = { origin: ORIGIN, referer: `${ORIGIN}/apps` }
  return visitor.get('/apps/revoke', { method: 'POST', body, headers })
}

describe('connected apps', () => {
  test('are listed with what they may do, when they came and when they called last', async () => {
    const { visitor, tokens } = await personWith('Claude', 'Claude', '<i>Cursor</i>')
    await visitor.get('/apps')
    expect(visitor.page.match(/not used yet/g)).toHaveLength(2)
    expect(await statusWith(tokens[2]?.access_token ?? '')).toBe(200)
    await visitor.get('/apps')
    expect(visitor.page).toMatch(/&lt;i&gt;Cursor&lt;\/i&gt;[^]*Claude/)
    expect(visitor.page).toMatch(/, 2 times/)
    expect(visitor.page).toContain('Sends access to app.example. May: find and read tools')
    expect(visitor.page.match(/last used <time/g)).toHaveLength(1)
  })

  test('that wait for their first token are not connected', async () => {
    const { visitor, handle } = await personWith()
    const id = await env.DB.prepare('select id from account where handle = ?')
      .bind(handle)
      .first<string>('id')
    await codeFor(id ?? '', { client_id: await registeredId() })
    await visitor.get('/apps')
    expect(visitor.page).toContain('No app is connected')
  })

  test('are refused from the next call on once they are revoked, and the others go on', async () => {
    const { visitor, tokens } = await personWith('One', 'Two')
    const [one, two] = tokens.map(({ access_token }) => access_token)
    await visitor.get('/apps')
    const last = /<strong>Two<\/strong>[^]*?name="grant" value="([^"]+)"/.exec(visitor.page)?.[1] ?? ''
    expect((await revoke(visitor, [last])).headers.get('location')).toBe('/apps')
    expect([await statusWith(one ?? ''), await statusWith(two ?? '')]).toEqual([200, 401])
    const activity = await send('/v1/activity', { headers: { authorization: `Bearer ${one}` } })
    expect((await activity.json<{ acts: unknown[] }>()).acts).toContainEqual(
      expect.objectContaining({ act: 'app_revoked', subject: 'Two' }),
    )
  })

  test('are all ended by one button', async () => {
    const { visitor, tokens } = await personWith('One', 'Two', 'Two')
    await visitor.get('/apps')
    await revoke(visitor, grantsIn(visitor.page.slice(visitor.page.lastIndexOf('<form'))))
    for (const { access_token } of tokens) expect(await statusWith(access_token)).toBe(401)
    await visitor.get('/apps')
    expect(visitor.page).toContain('No app is connected')
  })

  test('of somebody else stay as they are', async () => {
    const theirs = await personWith('Theirs')
    await theirs.visitor.get('/apps')
    const { visitor } = await personWith('Mine')
    await visitor.get('/apps')
    await revoke(visitor, grantsIn(theirs.visitor.page))
    expect(await statusWith(theirs.tokens[0]?.access_token ?? '')).toBe(200)
  })

  test('are revoked only by who proved lately who they are', async () => {
    const { visitor, tokens } = await personWith('One')
    vi.useFakeTimers({ toFake: ['Date'], now: Date.now() + 11 * 60_000 })
    await visitor.get('/apps')
    const response = await revoke(visitor, grantsIn(visitor.page))
    expect(response.headers.get('location')).toBe('/sign-in/again?next=%2Fapps')
    expect(await statusWith(tokens[0]?.access_token ?? '')).toBe(200)
  })

  test('are shown to nobody who is not signed in', async () => {
    expect((await new Visitor().get('/apps')).headers.get('location')).toBe('/sign-in?next=%2Fapps')
  })
})

test('each app finds a line to copy, with our address', async () => {
  const page = (await (await send('/connect')).text()).replaceAll('&quot;', '"').replaceAll('&#39;', "'")
  for (const line of [
    `claude mcp add --transport http workshop ${ORIGIN}/mcp`,
    `{"mcpServers":{"workshop":{"url":"${ORIGIN}/mcp"}}}`,
    `code --add-mcp '{"name":"workshop","type":"http","url":"${ORIGIN}/mcp"}'`,
    `codex mcp add workshop --url ${ORIGIN}/mcp && codex mcp login workshop`,
    `gemini mcp add --transport http workshop ${ORIGIN}/mcp`,
  ]) {
    expect(page).toContain(`<code>${line.replace('&&', '&amp;&amp;')}</code>`)
  }
  expect(page.match(/cannot reach a Workshop on this machine/g)).toHaveLength(2)
})
