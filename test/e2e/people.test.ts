import { type Browser, type Page } from 'playwright-core'
import { afterAll, beforeAll, describe, expect, inject, test } from 'vitest'
import { addAuthenticator, openBrowser, openPage } from '../support/browser.ts'
import { APPS } from '../support/clients.ts'

const { url, mcpUrl, printed } = inject('workshop')

let browser: Browser
beforeAll(async () => {
  browser = await openBrowser()
})
afterAll(() => browser.close())

const signedInAs = (page: Page) => page.locator('#menu strong').textContent()

async function signOut(page: Page) {
  await page.goto(`${url}/sign-out`)
  await page.click('main button')
}

async function signInByPasskey(page: Page) {
  await page.goto(`${url}/sign-in`)
  await page.click('text=Sign in with a passkey')
  await page.waitForURL(`${url}/`)
}

describe('a person with passkeys', () => {
  let page: Page
  let codes: string[]

  test('signs up, is shown ten recovery codes once, and signs in again', async () => {
    page = await openPage(browser)
    const device = await addAuthenticator(page)
    await page.goto(`${url}/sign-up?next=%2Faccount`)
    await page.fill('[name=handle]', 'passkey-person')
    await page.click('text=Sign up with a passkey')
    codes = (await page.locator('.codes').innerText()).trim().split('\n')
    expect(codes).toHaveLength(10)
    expect(new Set(codes.map((code) => /^([0-9a-hjkmnp-tv-z]{5}-?){4}$/.test(code)))).toEqual(new Set([true]))
    expect(await signedInAs(page)).toBe('passkey-person')
    await page.click('text=I have kept them')
    expect(page.url()).toBe(`${url}/account`)
    expect(await page.content()).not.toContain(codes[0])

    await signOut(page)
    await signInByPasskey(page)
    expect(await signedInAs(page)).toBe('passkey-person')

    await page.goto(`${url}/account`)
    await page.fill('#passkeys [name=name]', 'Same device')
    await page.click('text=Add a passkey')
    await page.getByText('has a passkey of your account already').waitFor()
    await device.remove()
  })

  test('adds one on a second device, and signs in with that', async () => {
    const device = await addAuthenticator(page)
    await page.goto(`${url}/account`)
    await page.fill('#passkeys [name=name]', 'Second device')
    await page.click('text=Add a passkey')
    await page.getByText('Second device').waitFor()
    await signOut(page)
    await signInByPasskey(page)
    expect(await signedInAs(page)).toBe('passkey-person')

    await page.goto(`${url}/account`)
    await page.locator('li', { hasText: 'First passkey' }).getByRole('button').click()
    await page.locator('li', { hasText: 'First passkey' }).waitFor({ state: 'detached' })
    await page.locator('li', { hasText: 'Second device' }).getByRole('button').click()
    await page.getByText('is the only way into your account').waitFor()
    await device.remove()
  })

  test('signs in by a recovery code without a device, once', async () => {
    const lost = await openPage(browser)
    const use = async () => {
      await lost.goto(`${url}/sign-in/recovery`)
      await lost.fill('[name=code]', ` ${codes[3]?.toUpperCase().replaceAll('-', ' ').replaceAll('0', 'O')} `)
      await lost.click('main button')
    }
    await use()
    expect(await signedInAs(lost)).toBe('passkey-person')
    expect(await lost.locator('#codes').textContent()).toContain('9 of 10')
    await signOut(lost)
    await use()
    await lost.getByText('is unknown, or was used').waitFor()
    expect(await lost.locator('#menu').count()).toBe(0)
  })

  test('a device that keeps no passkey is told so, and may try again', async () => {
    const stranger = await openPage(browser)
    await addAuthenticator(stranger)
    await stranger.goto(`${url}/sign-in`)
    await stranger.click('text=Sign in with a passkey')
    await stranger.getByText('gave no passkey').waitFor()
    expect(await stranger.getByRole('button', { name: 'Sign in with a passkey' }).isEnabled()).toBe(true)
  })

  test('a taken handle is told beside it before anything is made', async () => {
    const second = await openPage(browser)
    await addAuthenticator(second)
    await second.goto(`${url}/sign-up`)
    await second.fill('[name=handle]', 'passkey-person')
    await second.click('text=Sign up with a passkey')
    expect(await second.locator('#handle-fault').textContent()).toContain('is taken')
    expect(await second.inputValue('[name=handle]')).toBe('passkey-person')
  })
})

describe('a person with a password', () => {
  test('without script: signs up, makes a token that an app uses, revokes it', async () => {
    const context = await browser.newContext({ javaScriptEnabled: false })
    context.setDefaultTimeout(15_000)
    const page = await context.newPage()
    await page.goto(`${url}/tokens`)
    await page.click('text=Make an account')
    await page.click('text=E-mail and password')
    await page.fill('[name=handle]', 'password-person')
    await page.fill('[name=email]', 'person@example.com')
    await page.fill('[name=password]', 'correct horse battery')
    await page.click('text="Sign up" >> nth=-1')
    expect(page.url()).toBe(`${url}/tokens`)

    await page.fill('[name=name]', 'Nightly build')
    await page.click('text=Make a token')
    const token = (await page.locator('.note pre').textContent()) ?? ''
    const app = await APPS['v2 stateless'](mcpUrl, token)
    expect((await app.call('find_tool_for_job', { job: 'count words' })).isError).toBe(false)

    await page.goto(`${url}/tokens`)
    expect(await page.content()).not.toContain(token)
    const row = page.locator('li', { hasText: 'Nightly build' })
    expect(await row.textContent()).toMatch(/Used \d{4}-/)
    await row.getByRole('button').click()
    expect(await page.locator('li', { hasText: 'Nightly build' }).count()).toBe(0)
    await expect(app.call('find_tool_for_job', { job: 'count words' })).rejects.toThrow(/401|unauthorized/i)
    await context.close()
  })
})

test('the link that the first start printed takes over its account, once', async () => {
  const [link = ''] = /http\S+\/set-up\?code=[0-9a-f]{32}/.exec(printed) ?? []
  const page = await openPage(browser)
  await addAuthenticator(page)
  await page.goto(link)
  await page.click('text=Sign up with a passkey')
  await page.click('text=I have kept them')
  expect(await signedInAs(page)).toBe('local')
  await page.goto(`${url}/tokens`)
  expect(await page.locator('.rows').textContent()).toContain('first token')
  const late = await openPage(browser)
  await late.goto(link)
  await late.getByText('was used already').waitFor()
})

test('every page fits a phone, and names its fields', async () => {
  const page = await openPage(browser)
  await page.setViewportSize({ width: 390, height: 844 })
  await addAuthenticator(page)
  await page.goto(`${url}/sign-up`)
  await page.fill('[name=handle]', 'phone-person')
  await page.click('text=Sign up with a passkey')
  await page.locator('.codes').waitFor()
  for (const path of [
    '/',
    '/account',
    '/tokens',
    '/sessions',
    '/sign-in/again',
    '/sign-out',
    '/sign-in/recovery',
  ]) {
    await page.goto(url + path)
    expect(await page.evaluate('document.documentElement.scrollWidth'), path).toBeLessThanOrEqual(390)
    expect(await page.locator('main h1').count(), path).toBe(1)
    const inputs = '[...document.querySelectorAll("main input:not([type=hidden])")]'
    const unnamed = `${inputs}.filter(({ labels }) => labels.length === 0).map(({ name }) => name)`
    expect(await page.evaluate(unnamed), path).toEqual([])
    const ids = await page.evaluate<string[]>('[...document.querySelectorAll("[id]")].map(({ id }) => id)')
    expect(ids, path).toEqual([...new Set(ids)])
  }
})
