import { vi } from 'vitest'

/**
 * Stands for github.com, which no test can reach: what its documentation says of the code grant with PKCE, for one
 * person. Everything else that is fetched goes its way.
 */
export class FakeGithub {
  /** Codes that were given out, and what each must be redeemed with. */
  readonly #codes = new Map<string, { challenge: string; redirectUri: string }>()
  person: { id: number; login: string; email: string } = { id: 0, login: '', email: '' }
  isDown = false

  /** Takes over the Worker's own way to the outside until the test has ended. */
  install(): void {
    const outside = globalThis.fetch
    vi.spyOn(globalThis, 'fetch').mockImplementation(async (to, init) => {
      const request = new Request(to, init)
      const { host, pathname } = new URL(request.url)
      if (host !== 'github.com' && host !== 'api.github.com') return outside(request)
      if (this.isDown) return new Response('<html>', { status: 503 })
      if (pathname === '/login/oauth/access_token') return this.#redeem(await request.formData())
      if (pathname === '/user' && request.headers.get('authorization') === 'Bearer gho_1') {
        return Response.json(this.person)
      }
      return Response.json({ message: 'Bad credentials' }, { status: 401 })
    })
  }

  /** What GitHub answers to a person who says yes on the page that they were sent to: the way back. */
  agree(authorizeUrl: string): string {
    const asked = new URL(authorizeUrl)
    if (asked.origin + asked.pathname !== 'https://github.com/login/oauth/authorize')
      throw new Error(authorizeUrl)
    const { client_id, redirect_uri = '', state = '', ...more } = Object.fromEntries(asked.searchParams)
    if (client_id !== 'test-github-client' || more.code_challenge_method !== 'S256')
      throw new Error(authorizeUrl)
    const code = crypto.randomUUID()
    this.#codes.set(code, { challenge: more.code_challenge ?? '', redirectUri: redirect_uri })
    const back = new URL(redirect_uri)
    back.search = new URLSearchParams({ code, state }).toString()
    return back.pathname + back.search
  }

  async #redeem(form: FormData): Promise<Response> {
    const code = textOf(form, 'code')
    const given = this.#codes.get(code)
    this.#codes.delete(code)
    const hash = await crypto.subtle.digest(
      'SHA-256',
      new TextEncoder().encode(textOf(form, 'code_verifier')),
    )
    const challenge = btoa(String.fromCharCode(...new Uint8Array(hash)))
    const isRight =
      given?.redirectUri === form.get('redirect_uri') &&
      given?.challenge === challenge.replaceAll('+', '-').replaceAll('/', '_').replaceAll('=', '') &&
      form.get('client_secret') === 'test-github-secret'
    // GitHub answers 200 also when it refuses.
    return Response.json(isRight ? { access_token: 'gho_1' } : { error: 'bad_verification_code' })
  }
}

function textOf(form: FormData, name: string): string {
  const value = form.get(name)
  return typeof value === 'string' ? value : ''
}
