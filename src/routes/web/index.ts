import { Hono } from 'hono'
import { bodyLimit } from 'hono/body-limit'
import { Problem } from '../../core/problem.ts'
import { readSettings } from '../../env.ts'
import { appPages } from '../oauth/pages/index.ts'
import { accountPages } from './account/index.ts'
import { refusal } from './answer.tsx'
import { connections } from './connections.tsx'
import { home } from './home.tsx'
import { pricing } from './prices/index.ts'
import { knowBrowser, type Web } from './session.ts'
import { signInPages } from './sign-in/index.ts'

/** Pages for people. Each module tells its own paths. */
export const web = new Hono<Web>()

web.onError(refusal)

/** What browsers load. A deployment answers these itself before the Worker; the local start asks here. */
web.get('/:file{[a-z]+\\.(?:css|js|svg)}', (c) => c.env.ASSETS.fetch(c.req.raw))

/** One address alone: cookies and passkeys belong to it. */
web.use(async (c, next) => {
  const url = new URL(c.req.url)
  const { origin } = readSettings(c.env)
  if (url.origin === origin) return next()
  return c.redirect(origin + url.pathname + url.search, 307)
})

web.use(async (c, next) => {
  await next()
  for (const [name, value] of Object.entries(HEADERS)) c.header(name, value)
  c.header('Content-Security-Policy', policy(c.get('formTarget')))
})

web.use(knowBrowser)

web.use(
  bodyLimit({
    maxSize: 1024 * 1024,
    onError: () => {
      throw new Problem('too_large', 'This form holds more than 1 MB.')
    },
  }),
)

web.route('/', home)
web.route('/', signInPages)
web.route('/', pricing)
web.route('/', appPages)
web.route('/', accountPages)
web.route('/', connections)

web.get('*', async (c, next) => {
  if (!c.req.header('accept')?.includes('text/html')) return next()
  throw new Problem('not_found', 'There is no page at this address.')
})

/** What no page is sent without. A page may hold secrets, so none is kept by the browser or on the way. */
const HEADERS = {
  'Cache-Control': 'no-store',
  'X-Content-Type-Options': 'nosniff',
  'X-Frame-Options': 'DENY',
  'Strict-Transport-Security': 'max-age=31536000',
  // Not `no-referrer`: browsers would send forms with `Origin: null`.
  'Referrer-Policy': 'same-origin',
}

/** Browsers hold the redirect that answers a form to `form-action` too: a page may name where its forms lead. */
const policy = (formTarget = '') =>
  [
    "default-src 'none'",
    "style-src 'self'",
    "script-src 'self'",
    "img-src 'self'",
    "connect-src 'self'",
    `form-action 'self' ${formTarget}`.trimEnd(),
    "base-uri 'none'",
    "frame-ancestors 'none'",
  ].join('; ')
