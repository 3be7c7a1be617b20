/** A browser without a screen: it keeps cookies, and sends the forms of our pages as they are. */
export class FormBrowser {
  #cookies = new Map<string, string>()
  readonly #url: string

  private constructor(url: string) {
    this.#url = url
  }

  static async signUp(url: string, handle: string): Promise<FormBrowser> {
    const browser = new FormBrowser(url)
    const typed = { handle, email: `${handle}@example.org`, password: 'a long enough secret' }
    const { status, page } = await browser.post('/sign-up/password', typed)
    if (status !== 303) throw new Error(`signing up was answered with ${status}: ${page}`)
    return browser
  }

  async get(path: string): Promise<string> {
    return (await this.#send(path)).text()
  }

  async post(path: string, fields: Record<string, string>) {
    const from = path.startsWith('/prices') ? '/prices' : path
    const [, csrf = ''] = /name="csrf" value="([^"]+)"/.exec(await this.get(from)) ?? []
    const response = await this.#send(path, {
      method: 'POST',
      body: new URLSearchParams({ csrf, ...fields }),
    })
    return {
      status: response.status,
      location: response.headers.get('location'),
      page: await response.text(),
    }
  }

  async #send(path: string, init: RequestInit = {}): Promise<Response> {
    const cookie = [...this.#cookies].map(([name, value]) => `${name}=${value}`).join('; ')
    const headers = { cookie, origin: this.#url }
    const response = await fetch(this.#url + path, { ...init, headers, redirect: 'manual' })
    for (const set of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(set) ?? []
      this.#cookies.set(name, value)
    }
    return response
  }
}
