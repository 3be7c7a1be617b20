import { chromium, type Browser, type Page } from 'playwright-core'

/** Chromium as it is installed on this machine. */
const PROGRAM = process.env.CHROMIUM ?? '/usr/bin/chromium'

const ALONE = [
  '--no-sandbox',
  '--disable-gpu',
  '--disable-quic',
  '--no-first-run',
  '--disable-background-networking',
  '--disable-component-update',
  '--disable-sync',
]

export const openBrowser = (): Promise<Browser> => chromium.launch({ executablePath: PROGRAM, args: ALONE })

let addresses = 0

/** A window with nothing kept from others, at an address of its own: tries to sign in are counted by address. */
export async function openPage(browser: Browser): Promise<Page> {
  const context = await browser.newContext()
  context.setDefaultTimeout(15_000)
  await context.setExtraHTTPHeaders({ 'cf-connecting-ip': `198.51.100.${(addresses += 1)}` })
  return context.newPage()
}

/** A device that keeps passkeys and agrees to everything: Chromium's own virtual authenticator. */
export async function addAuthenticator(page: Page): Promise<{ remove(): Promise<void> }> {
  const devtools = await page.context().newCDPSession(page)
  await devtools.send('WebAuthn.enable')
  const { authenticatorId } = await devtools.send('WebAuthn.addVirtualAuthenticator', {
    options: {
      protocol: 'ctap2',
      transport: 'internal',
      hasResidentKey: true,
      hasUserVerification: true,
      isUserVerified: true,
      automaticPresenceSimulation: true,
    },
  })
  return {
    async remove() {
      await devtools.send('WebAuthn.removeVirtualAuthenticator', { authenticatorId })
    },
  }
}
