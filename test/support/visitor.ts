import { env, exports } from 'cloudflare:workers'
import { composeBooks } from '../../src/compose.ts'
import { createAccount } from '../../src/core/accounts/create.ts'
import { startSession } from '../../src/core/accounts/sessions/session.ts'
import { findAccount } from '../../src/core/accounts/store.ts'

export const ORIGIN = 'http://localhost:8787'

let addresses = 0

/** A browser without script, on the Worker's pages: it keeps cookies and sends the forms that it was shown. */
export class Visitor {
  readonly cookies = new Map<string, string>()
  /** Each visitor comes from an address of their own. */
  readonly address = `192.0.2.${(addresses += 1)}`
  /** The page that was shown last. */
  page = ''

  async get(path: string, init: RequestInit = {}): Promise<Response> {
    const headers = new Headers(init.headers)
    headers.set('cookie', [...this.cookies].map(([name, value]) => `${name}=${value}`).join('; '))
    headers.set('cf-connecting-ip', this.address)
    const request = new Request(new URL(path, ORIGIN), { ...init, headers, redirect: 'manual' })
    const response = await exports.default.fetch(request)
    for (const line of response.headers.getSetCookie()) {
      const [, name = '', value = ''] = /^([^=]+)=([^;]*)/.exec(line) ?? []
      if (value) this.cookies.set(name, value)
      else this.cookies.delete(name)
    }
    if (response.headers.get('content-type')?.startsWith('text/html')) {
      this.page = await response.clone().text()
    }
    return response
  }

  /** Sends a form to a path, with what the last shown page's forms carry. */
  post(
    path: string,
    fields: Record<string, string>,
    headers: Record<string, string> = {},
  ): Promise<Response> {
    const body = new URLSearchParams({ csrf: this.csrf, ...fields })
    return this.get(path, { method: 'POST', body, headers: { origin: ORIGIN, ...headers } })
  }

  get csrf(): string {
    return /name="csrf" value="([0-9a-f]+)"/.exec(this.page)?.[1] ?? ''
  }
}

export const PASSWORD = 'a quiet green lamp'

let made = 0

/** Somebody new who is signed in already: quicker than a sign-up by password, which takes its time. */
export async function signedIn(
  prefix: string,
): Promise<{ visitor: Visitor; handle: string; accountId: string }> {
  made += 1
  const handle = `${prefix}-${made}`
  const books = composeBooks(env)
  await createAccount(books.db, books, handle)
  const accountId = (await findAccount(books.db, handle))?.id ?? ''
  const visitor = new Visitor()
  await signInAgain(visitor, accountId)
  return { visitor, handle, accountId }
}

/** Signs a visitor in to an account by a new session. */
export async function signInAgain(
  visitor: Visitor,
  accountId: string,
  device = 'Test browser',
): Promise<void> {
  const start = { accountId, by: 'test', device, earlier: null }
  visitor.cookies.set('__Host-session', await startSession(composeBooks(env), start))
}

/** Somebody new, signed up with an e-mail address and `PASSWORD`, and signed in. */
export async function signUp(prefix: string): Promise<{ visitor: Visitor; handle: string; email: string }> {
  made += 1
  const handle = `${prefix}-${made}`
  const email = `${handle}@example.com`
  const visitor = new Visitor()
  await visitor.get('/sign-up/password')
  const response = await visitor.post('/sign-up/password', { handle, email, password: PASSWORD })
  if (response.status !== 303) throw new Error(`not signed up: ${visitor.page}`)
  return { visitor, handle, email }
}
