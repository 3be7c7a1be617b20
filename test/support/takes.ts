import { type Ids, type Neighbour } from './neighbours.ts'

/**
 * A request, all but its method: of a signed-in browser, one that is not (the same each time, or a new one), a program,
 * or whoever holds a link.
 */
export interface Ask {
  via: 'browser' | 'spare' | 'new' | 'program' | 'link'
  path: string
  /** What a form carries. */
  fields?: Record<string, string>
  json?: unknown
  body?: string
}

/** What a route takes of an account. */
export type Takes =
  /** Nothing: whoever asks gets nothing of anybody else. */
  | { takes: 'nothing'; asks: Ask[] }
  /** The caller's own account alone. `shows`: what of it stands in each answer; nothing means that it changes. */
  | { takes: 'own'; asks: Ask[]; shows: (own: Neighbour) => string[] }
  /** An id. `own`: how its owner sees that it is done. */
  | { takes: 'id'; asks: (ids: Ids, as: Neighbour) => Ask[]; own: 'changes' | 'answers' }

const page = (path: string): Ask => ({ via: 'browser', path })
const form = (path: string, fields: Record<string, string> = {}): Ask => ({ via: 'browser', path, fields })
const spare = (path: string, fields?: Record<string, string>): Ask => ({ via: 'spare', path, fields })
const call = (path: string, json?: unknown): Ask => ({ via: 'program', path, json })
const link = (path: string, body?: string): Ask => ({ via: 'link', path, body })

const nothing = (...asks: Ask[]): Takes => ({ takes: 'nothing', asks })
const own = (shows: (own: Neighbour) => string[], ...asks: Ask[]): Takes => ({ takes: 'own', asks, shows })
const id = (does: 'changes' | 'answers', asks: (ids: Ids, as: Neighbour) => Ask[]): Takes => ({
  takes: 'id',
  asks,
  own: does,
})

const handle = ({ handle: name }: Neighbour) => [name]
const price = { amount: 250, currency: 'EUR', per: 'run' }
const noPrice = { amount: '', currency: '', per: 'run' }
const tool = (name: string, args: unknown) =>
  call('/mcp', { jsonrpc: '2.0', id: 1, method: 'tools/call', params: { name, arguments: args } })
const authorize =
  '/authorize?response_type=code&redirect_uri=https%3A%2F%2Fapp.example%2Fcallback&scope=read&state=s' +
  `&code_challenge=${'c'.repeat(43)}&code_challenge_method=S256&client_id=`

/**
 * Every route, by its method and path. Those that take no id are asked first, so that nothing stands in anybody's lists
 * because they named it.
 */
export const TAKES: Record<string, Takes> = {
  'GET /healthz': nothing(link('/healthz')),
  'GET /:file{[a-z]+\\.(?:css|js|svg)}': nothing(page('/style.css')),
  'GET /*': nothing(page('/nowhere')),
  'GET /.well-known/oauth-protected-resource/mcp': nothing(link('/.well-known/oauth-protected-resource/mcp')),
  'GET /.well-known/oauth-protected-resource': nothing(link('/.well-known/oauth-protected-resource')),
  'ALL /.well-known/oauth-authorization-server': nothing(link('/.well-known/oauth-authorization-server')),
  // Goes on to the line below it.
  'POST /register': nothing(call('/register', { redirect_uris: ['https://app.example/callback'] })),
  'ALL /register': nothing(call('/register', {})),
  // Takes what Stripe has signed.
  'POST /stripe/webhook': nothing(call('/stripe/webhook', {})),
  'GET /set-up': nothing(page('/set-up?code=no-code')),
  // A handle or an address that is taken is told to newcomers: they must choose another one.
  'GET /sign-up': nothing(page('/sign-up')),
  'GET /sign-up/password': nothing(page('/sign-up/password')),
  'POST /sign-up': nothing(form('/sign-up', { handle: 'new-here', credential: '' })),
  'POST /sign-up/password': nothing(form('/sign-up/password', { handle: 'x', email: '', password: '' })),
  'GET /sign-in/with/:provider': nothing(page('/sign-in/with/github')),
  'GET /sign-in/with/:provider/link': nothing(page('/sign-in/with/github/link')),
  'GET /sign-in': nothing(page('/sign-in')),
  'GET /sign-in/again': nothing(page('/sign-in/again')),
  'GET /sign-in/recovery': nothing(page('/sign-in/recovery')),
  // A recovery code is a secret, and names no account.
  'POST /sign-in/recovery': nothing(form('/sign-in/recovery', { code: 'no-such-code' })),
  'POST /passkeys/known': nothing(form('/passkeys/known')),
  // The id of a passkey takes a challenge with it: a test of its own.
  'POST /sign-in/passkey': nothing(form('/sign-in/passkey', { credential: '' })),

  'ALL /mcp': own(
    ({ mark }) => [mark],
    tool('list_connections', {}),
    tool('list_files', {}),
    tool('list_tasks', {}),
    tool('find_tool_for_job', { job: 'Do what the test tool does' }),
  ),
  'GET /v1/activity': own(
    ({ mark }) => [`${mark}-set`, `${mark}-token`, `${mark}-tool`],
    call('/v1/activity'),
  ),
  'GET /v1/limits': own(({ fileBytes }) => [`"used":${fileBytes}`], call('/v1/limits')),
  'GET /v1/prices': own(({ mark }) => [`${mark}-set`, `${mark}-given`], call('/v1/prices')),
  'GET /': own(handle, page('/')),
  'GET /sign-out': own(handle, page('/sign-out')),
  'GET /connect': own(handle, page('/connect')),
  'GET /authorize': own(handle, page(`${authorize}unknown`)),
  'GET /apps': own(({ mark }) => [`${mark}-app`], page('/apps')),
  'GET /account': own(
    ({ mark }) => [`${mark}-passkey`, `${mark}-github`, `${mark}@example.com`],
    page('/account'),
  ),
  'POST /account/handle': own(({ mark }) => [`${mark}-passkey`], form('/account/handle', { handle: '!' })),
  'POST /account/passkeys': own(({ mark }) => [`${mark}-passkey`], form('/account/passkeys')),
  'POST /account/password': own(
    ({ mark }) => [`${mark}@example.com`],
    form('/account/password', { password: 'short' }),
  ),
  'POST /account/codes': own(handle, form('/account/codes')),
  'POST /account/unlink': own(() => [], form('/account/unlink', { provider: 'github' })),
  'POST /passkeys/new': own(handle, form('/passkeys/new')),
  'GET /tokens': own(({ mark }) => [`${mark}-token`], page('/tokens')),
  'POST /tokens': own(({ mark }) => [`${mark}-token`], form('/tokens', { name: '', days: '9' })),
  'GET /sessions': own(({ mark, ids }) => [`${mark} browser`, ids.session], page('/sessions')),
  'GET /activity': own(({ mark }) => [`${mark}-set`, `${mark}-token`, `${mark}-tool`], page('/activity')),
  'GET /limits': own(({ fileBytes }) => [`${fileBytes.toLocaleString('en')} of`], page('/limits')),
  'GET /connections': own(({ mark }) => [`${mark}-set`], page('/connections')),
  'GET /prices': own(({ mark }) => [`${mark}-given`], page('/prices')),
  // The offer is for everybody; how much of it somebody holds is their own.
  'GET /offers/:handle/:slug': own(
    ({ runsLeft }) => [`You have ${runsLeft} runs left`],
    page('/offers/corner-shop/tea'),
  ),
  'POST /offers/:handle/:slug': own(
    ({ runsLeft }) => [`You have ${runsLeft} runs left`],
    form('/offers/corner-shop/tea', { quantity: '1' }),
  ),

  'ALL /token': id('answers', ({ refreshToken }, { clientId }) => [
    {
      via: 'link',
      path: '/token',
      fields: { grant_type: 'refresh_token', client_id: clientId, refresh_token: refreshToken },
    },
  ]),
  'GET /files/:token': id('answers', ({ download }) => [link(`/files/${download}`)]),
  'GET /files/upload/:token': id('answers', ({ upload }) => [link(`/files/upload/${upload}`)]),
  'PUT /files/upload/:token': id('changes', ({ upload }) => [link(`/files/upload/${upload}`, 'whole')]),
  'PUT /files/upload/:token/:part{[0-9]{1,5}}': id('answers', ({ parts }) => [
    link(`/files/upload/${parts}/1`, 'part'),
  ]),
  'POST /files/upload/:token': id('changes', ({ parts }) => [link(`/files/upload/${parts}`, '')]),
  'PUT /v1/connections/:name': id('changes', ({ setConnection }) => [
    call(`/v1/connections/${setConnection}`, { value: 'another value' }),
  ]),
  'DELETE /v1/connections/:name': id('changes', ({ deletedConnection }) => [
    call(`/v1/connections/${deletedConnection}`),
  ]),
  'POST /connections': id('changes', ({ setConnection }) => [
    form('/connections', { name: setConnection, value: 'a third value' }),
  ]),
  'POST /connections/remove': id('changes', ({ removedConnection }) => [
    form('/connections/remove', { name: removedConnection }),
  ]),
  'PUT /v1/prices/:slug': id('changes', ({ setPrice }) => [call(`/v1/prices/${setPrice}`, price)]),
  'DELETE /v1/prices/:slug': id('changes', ({ deletedPrice }) => [call(`/v1/prices/${deletedPrice}`)]),
  'PUT /v1/prices/:slug/offers/:handle': id('changes', ({ grantedPrice }) => [
    call(`/v1/prices/${grantedPrice}/offers/corner-shop`, { runs: 5 }),
  ]),
  'POST /prices': id('changes', ({ setPrice }) => [
    form('/prices', { ...noPrice, slug: setPrice, amount: '300', currency: 'EUR' }),
  ]),
  'POST /prices/:slug/withdraw': id('changes', ({ withdrawnPrice }) => [
    form(`/prices/${withdrawnPrice}/withdraw`),
  ]),
  'POST /prices/:slug/offers': id('changes', ({ givenPrice }) => [
    form(`/prices/${givenPrice}/offers`, { handle: 'corner-shop', runs: '5' }),
  ]),
  'POST /authorize': id('answers', ({ consent }) => [
    form('/authorize', { handle: consent, decision: 'allow', scope: 'read' }),
  ]),
  'POST /apps/revoke': id('changes', ({ grant }) => [form('/apps/revoke', { grant })]),
  'POST /account/remove-passkey': id('changes', ({ passkey }) => [
    form('/account/remove-passkey', { id: passkey }),
  ]),
  'POST /tokens/revoke': id('changes', ({ token }) => [form('/tokens/revoke', { id: token })]),
  'POST /sessions/end': id('changes', ({ session }) => [form('/sessions/end', { id: session })]),
  'GET /sign-in/with/:provider/back': id('answers', ({ state }) => [
    spare(`/sign-in/with/github/back?${state}`),
  ]),
  'POST /sign-in/with/new': id('answers', ({ arrival }) => [
    spare('/sign-in/with/new', { arrival, handle: 'somebody-new' }),
  ]),
  'POST /sign-in': id('answers', ({ email, password }) => [
    { via: 'new', path: '/sign-in', fields: { email, password } },
  ]),

  'POST /sessions/end-others': own(() => [], form('/sessions/end-others')),
  'POST /sign-out': own(() => [], form('/sign-out')),
}
