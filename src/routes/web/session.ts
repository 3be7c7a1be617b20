import type { Context, MiddlewareHandler } from 'hono'
import { getCookie, setCookie } from 'hono/cookie'
import { composeBooks, source } from '../../compose.ts'
import {
  endSession,
  findSession,
  SESSION_MS,
  startSession,
  viaOf,
} from '../../core/accounts/sessions/session.ts'
import { SCOPES, type Caller } from '../../core/caller.ts'
import { sha256Hex, toHex } from '../../core/ids.ts'
import { Problem } from '../../core/problem.ts'
import { readSettings } from '../../env.ts'

/**
 * What pages are made with. `csrf` is what every form of this browser carries. A page whose form is answered with a
 * redirect to another origin sets `formTarget` to that origin when it shows the form.
 */
export type Web = { Bindings: Env; Variables: { csrf: string; person?: Person | null; formTarget?: string } }
export type WebContext = Context<Web>

/** Who is signed in. `confirmedAt`: when they last proved who they are. */
export interface Person {
  accountId: string
  handle: string
  sessionId: string
  confirmedAt: number
}

/** Thrown by what a handler asks first: the request is answered with this response instead. */
export class Instead extends Error {
  override name = 'Instead'
  readonly response: Response

  constructor(response: Response) {
    super('answered with another response')
    this.response = response
  }
}

const RECENT_MS = 600_000
const HOST_COOKIE = { prefix: 'host', path: '/', secure: true, httpOnly: true, sameSite: 'Lax' } as const

const sessionCookie = (c: WebContext) => getCookie(c, 'session', 'host') || null

/** Gives every browser something that its forms are bound to: its session, or a cookie that means nothing else. */
export const knowBrowser: MiddlewareHandler<Web> = async (c, next) => {
  let known = sessionCookie(c) ?? getCookie(c, 'visit', 'host')
  if (!known) {
    known = toHex(source.random(32))
    setCookie(c, 'visit', known, HOST_COOKIE)
  }
  c.set('csrf', await sha256Hex(`csrf ${known}`))
  await next()
}

/** Who is signed in; null when nobody is. Asked of the database once a request. */
export async function readSession(c: WebContext): Promise<Person | null> {
  const known = c.get('person')
  if (known !== undefined) return known
  const token = sessionCookie(c)
  return token ? readPerson(c, token) : null
}

async function readPerson(c: WebContext, token: string): Promise<Person | null> {
  const found = await findSession(composeBooks(c.env), token)
  if (found?.isMoved) keepCookie(c, token)
  const person = found && {
    accountId: found.session.accountId,
    handle: found.session.handle,
    sessionId: found.session.id,
    confirmedAt: found.session.confirmedAt,
  }
  c.set('person', person)
  return person
}

/** Who is signed in. A browser that is not is sent to sign in, and from there back to this page. */
export async function requirePerson(c: WebContext): Promise<Person> {
  const person = await readSession(c)
  if (person) return person
  throw new Instead(c.redirect(`/sign-in?next=${encodeURIComponent(herePath(c))}`, 303))
}

/** Whether who is signed in has proved it within 10 minutes. */
export const isRecent = ({ confirmedAt }: Person): boolean => confirmedAt > source.now() - RECENT_MS

/** Who is signed in and has proved it within 10 minutes; else they are asked again, and come back to this page. */
export async function requireRecent(c: WebContext): Promise<Person> {
  const person = await requirePerson(c)
  if (isRecent(person)) return person
  throw new Instead(c.redirect(`/sign-in/again?next=${encodeURIComponent(herePath(c))}`, 303))
}

/** What a person may do on pages: everything that their account may. */
export function callerOf({ accountId, handle, sessionId }: Person): Caller {
  return { accountId, handle, scopes: new Set(SCOPES), via: viaOf(sessionId) }
}

/** Signs this browser in by a new session, whatever it held before. `by`: what the person proved it with, in words. */
export async function signIn(c: WebContext, accountId: string, by: string): Promise<void> {
  const start = { accountId, by, device: c.req.header('user-agent') ?? '', earlier: sessionCookie(c) }
  const token = await startSession(composeBooks(c.env), start)
  keepCookie(c, token)
  await readPerson(c, token)
}

/** Ends this browser's session. */
export async function signOut(c: WebContext): Promise<void> {
  const person = await readSession(c)
  if (person) await endSession(composeBooks(c.env), { accountId: person.accountId, id: person.sessionId })
  setCookie(c, 'session', '', { ...HOST_COOKIE, maxAge: 0 })
}

function keepCookie(c: WebContext, token: string): void {
  setCookie(c, 'session', token, { ...HOST_COOKIE, maxAge: SESSION_MS / 1000 })
}

/** The fields of a sent form. */
export interface Fields {
  /** A field without the blanks around it; empty when it was not sent. */
  text(name: string): string
  /** A field as it was typed. */
  exact(name: string): string
  /** Every value of a field that may be sent more than once, such as ticks. */
  all(name: string): string[]
}

/** Reads a form that one of our own pages sent. Refuses one that came from elsewhere, or from a page too old. */
export async function readForm(c: WebContext): Promise<Fields> {
  const isOurs = c.req.header('origin') === readSettings(c.env).origin
  if (!isOurs) throw new Problem('invalid_request', 'This form was not sent from a page of Workshop.')
  const form = await c.req.formData().catch(() => new FormData())
  if (form.get('csrf') !== c.get('csrf')) {
    throw new Problem('invalid_request', 'This form was opened before you signed in or out.', {
      hint: 'Go back, reload the page and send it again.',
    })
  }
  const exact = (name: string) => textOf(form.get(name))
  return { exact, text: (name) => exact(name).trim(), all: (name) => form.getAll(name).map(textOf) }
}

const textOf = (value: unknown): string => (typeof value === 'string' ? value : '')

/** A path of ours to go on to, from what an address said; the home page when it leads anywhere else. */
export function localPath(c: WebContext, text: string | undefined): string {
  const { origin } = readSettings(c.env)
  // A browser reads `\` as `/` and drops tabs and line ends: none of them is in a path of ours.
  if (!text || !/^\/(?![/\\])[\x21-\x5b\x5d-\x7e]*$/.test(text)) return '/'
  const url = URL.parse(text, origin)
  if (url?.origin !== origin) return '/'
  // What was `/.//elsewhere` is `//elsewhere` by now.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search
}

/** The page that a person should come back to: this one, or for a form that page which it was on. */
function herePath(c: WebContext): string {
  const { pathname, search } = new URL(c.req.url)
  if (c.req.method === 'GET' || c.req.method === 'HEAD') return pathname + search
  const from = URL.parse(c.req.header('referer') ?? '')
  return from ? localPath(c, from.pathname + from.search) : '/'
}
