import { spawn } from 'node:child_process'
import { mkdtempSync, rmSync } from 'node:fs'
import { tmpdir } from 'node:os'
import { join, resolve } from 'node:path'
import type { Browser, Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { openBrowser, openPage } from '../support/browser.ts'
import { DesktopApp, GENERATIONS } from '../support/desktop-app.ts'
import { freePort } from '../support/ports.ts'

const ROOT = resolve(import.meta.dirname, '../..')
const { url, mcpUrl } = inject('workshop')

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

let people = 0

/** Signs somebody new up by password, on the way to an address. */
async function signUpAndGo(page: Page, address: string): Promise<void> {
  people += 1
  await page.goto(address)
  await page.click('text=Make an account')
  await page.click('text=E-mail and password')
  await page.fill('[name=handle]', `apps-person-${people}`)
  await page.fill('[name=email]', `apps-person-${people}@example.com`)
  await page.fill('[name=password]', 'correct horse battery')
  await page.click('main button')
}

const statusWith = async (token = '') => {
  const headers = { authorization: `Bearer ${token}`, 'content-type': 'application/json' }
  const body = JSON.stringify({ jsonrpc: '2.0', id: 1, method: 'tools/list', params: {} })
  return (
    await fetch(mcpUrl, {
      method: 'POST',
      headers: { ...headers, accept: 'application/json, text/event-stream' },
      body,
    })
  ).status
}

describe.each(GENERATIONS)('an app on the SDK client %s', (generation) => {
  let app: DesktopApp
  let page: Page
  beforeAll(async () => {
    app = await DesktopApp.start(generation)
    page = await openPage(browser)
  })
  afterAll(() => app.stop())

  test('walks from the 401 to a call, its person clicking Allow', async () => {
    await expect(app.connect(mcpUrl)).rejects.toThrow(/unauthorized/i)
    expect(app.asked?.searchParams.get('resource')).toBe(mcpUrl)
    await signUpAndGo(page, String(app.asked))
    expect(await page.locator('h1').innerText()).toBe(`Connect Desktop app ${generation}?`)
    expect(await page.locator('main').innerText()).toContain('a program on this computer')
    await page.uncheck('[value=write]')
    await page.click('[value=allow]')
    const returned = await app.finish(mcpUrl)
    expect(returned.get('iss')).toBe(url)
    const client = await app.connect(mcpUrl)
    expect((await client.listTools()).tools.map(({ name }) => name)).toContain('run_tool')
    const listed = await client.callTool({ name: 'list_files', arguments: {} })
    expect(listed.structuredContent).toMatchObject({ files: [] })
    await client.close()
  })

  test('asks for more when it comes to that', async () => {
    const client = await app.connect(mcpUrl)
    const write = { name: 'write_file', arguments: { path: 'x.txt', text: 'x' } }
    await expect(client.callTool(write)).rejects.toThrow()
    expect(app.asked?.searchParams.get('scope')?.split(' ')).toEqual(
      expect.arrayContaining(['read', 'write']),
    )
    await page.goto(String(app.asked))
    await page.click('[value=allow]')
    await app.finish(mcpUrl)
    const again = await app.connect(mcpUrl)
    expect((await again.callTool(write)).structuredContent).toMatchObject({ path: 'x.txt' })
    await again.close()
  })

  test('refreshes its tokens by itself', async () => {
    const before = app.tokens
    app.tokens = { ...before, access_token: 'spent' }
    const client = await app.connect(mcpUrl)
    expect((await client.listTools()).tools.length).toBeGreaterThan(0)
    await client.close()
    expect(app.tokens.access_token).not.toBe(before?.access_token)
    expect(app.tokens.refresh_token).not.toBe(before?.refresh_token)
  })

  test('is refused from the next call on, once its person revoked it', async () => {
    expect(await statusWith(app.tokens?.access_token)).toBe(200)
    await page.goto(`${url}/apps`)
    expect(await page.locator('main').innerText()).toContain(`Desktop app ${generation} (unverified name)`)
    await page.click(`[aria-label="Revoke Desktop app ${generation}"]`)
    expect(await page.locator('main').innerText()).toContain('No app is connected')
    expect(await statusWith(app.tokens?.access_token)).toBe(401)
    await expect(app.connect(mcpUrl)).rejects.toThrow(/unauthorized/i)
  })
})

test('the authorization server conforms', async () => {
  const port = await freePort()
  const redirect = `http://127.0.0.1:${port}/callback`
  const registered = await fetch(`${url}/register`, {
    method: 'POST',
    headers: { 'content-type': 'application/json' },
    body: JSON.stringify({
      client_name: 'Suite',
      redirect_uris: [redirect],
      token_endpoint_auth_method: 'none',
    }),
  })
  const { client_id }: { client_id: string } = await registered.json()
  const results = mkdtempSync(join(tmpdir(), 'workshop-results-'))
  const args = ['authorization', '--url', url, '--client-id', client_id, '--resource', mcpUrl]
  const program = 'node_modules/conformance-v2/dist/index.js'
  const suite = spawn(process.execPath, [program, ...args, '--port', String(port), '-o', results], {
    cwd: ROOT,
    env: { ...process.env, NO_COLOR: '1' },
  })
  let said = ''
  const ended = new Promise<number | null>((done) => suite.once('exit', done))
  const address = new Promise<string>((done, fail) => {
    suite.stdout.on('data', (piece: Buffer) => {
      said += piece.toString()
      const [found] = /http\S+\/authorize\?\S+/.exec(said) ?? []
      if (found) done(found)
    })
    suite.once('exit', () => fail(new Error(said)))
  })
  const page = await openPage(browser)
  await signUpAndGo(page, await address)
  await page.click('[value=allow]')
  expect(await ended, said).toBe(0)
  expect(said).not.toContain('✗')
  rmSync(results, { recursive: true, force: true })
})
