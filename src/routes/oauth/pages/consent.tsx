import {
  AuthorizationError,
  CimdFetchError,
  type ConsentDescription,
} from '@cloudflare/workers-oauth-provider'
import { Hono } from 'hono'
import { composePlace } from '../../../compose.ts'
import { noteAct } from '../../../core/accounts/audit/act.ts'
import { Problem } from '../../../core/problem.ts'
import { Form } from '../../web/form.tsx'
import { Page } from '../../web/page.tsx'
import {
  callerOf,
  readForm,
  requirePerson,
  type Person,
  type Web,
  type WebContext,
} from '../../web/session.ts'
import { connectApp, oauthApi, readableName } from '../server.ts'
import { ScopeTicks } from './scopes.tsx'

/** Where a person decides whether an app may act for them. */
export const consent = new Hono<Web>()

consent.get('/authorize', async (c) => {
  const person = await requirePerson(c)
  const api = oauthApi(c.env)
  try {
    const request = await api.parseAuthRequest(c.req.raw)
    const asked = await api.describeConsent(request)
    const { handle, headers } = await api.beginConsent(request)
    for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
    // The app may send the browser on, and browsers hold every further step to what a form may lead to.
    c.set('formTarget', '*')
    return c.html(<Consent c={c} person={person} asked={asked} handle={handle} />)
  } catch (error) {
    return refuse(c, person, error)
  }
})

consent.post('/authorize', async (c) => {
  const person = await requirePerson(c)
  const form = await readForm(c)
  const api = oauthApi(c.env)
  const handle = form.text('handle')
  try {
    if (form.text('decision') !== 'allow') {
      const { headers, redirectTo } = await api.denyConsent(c.req.raw, handle)
      return goTo(c, redirectTo, headers)
    }
    const { request, headers } = await api.approveConsent(c.req.raw, handle, {
      scope: tickedIn(form.all('scope')),
    })
    const { redirectTo, app } = await connectApp(c.env, person.accountId, request)
    const { accountId } = person
    const { via } = callerOf(person)
    await noteAct(composePlace(c.env), { accountId, act: 'app_connected', subject: app, via })
    return goTo(c, redirectTo, headers)
  } catch (error) {
    return refuse(c, person, error)
  }
})

function tickedIn(scopes: string[]): string[] {
  if (scopes.some((scope) => scope !== 'offline_access')) return scopes
  throw new Problem('invalid_request', 'Nothing is ticked, so the app could do nothing.', {
    hint: 'Go back and tick what it may do, or deny it.',
  })
}

function goTo(c: WebContext, redirectTo: string, headers: Headers): Response {
  for (const cookie of headers.getSetCookie()) c.header('Set-Cookie', cookie, { append: true })
  return c.redirect(redirectTo, 303)
}

/**
 * What is wrong is told here and never by sending the browser on unasked: anybody can register an app with an address
 * of theirs, and a link of ours must not lead there. Who wants to goes back by a link.
 */
function refuse(c: WebContext, person: Person, error: unknown) {
  if (!(error instanceof AuthorizationError) && !(error instanceof CimdFetchError)) throw error
  const back = error instanceof AuthorizationError ? error.redirectTo : undefined
  const message =
    error instanceof AuthorizationError
      ? `${error.description.replace(/\.$/, '')}.`
      : `What ${new URL(error.metadataUrl).hostname} says of the app could not be read or is not right.`
  return c.html(
    <Page title="The app cannot be connected" person={person}>
      <p>{message}</p>
      <p>Start again from the app. If that does not help, remove Workshop there and add it again.</p>
      {back && (
        <p>
          <a href={back}>Back to {new URL(back).host}</a>
        </p>
      )}
    </Page>,
    400,
  )
}

interface ConsentProps {
  c: WebContext
  person: Person
  asked: ConsentDescription
  handle: string
}

function Consent({ c, person, asked, handle }: ConsentProps) {
  const name = readableName(asked.clientName)
  return (
    <Page title={`Connect ${name}?`} person={person}>
      <p>
        <strong>{name}</strong> wants to use Workshop as <strong>{person.handle}</strong>.
      </p>
      <Origin asked={asked} />
      <Form c={c} action="/authorize">
        <input type="hidden" name="handle" value={handle} />
        <ScopeTicks asked={asked.scope} />
        <p class="hint">
          It stays connected until you revoke it under Connected apps, or has not been used for 90 days.
        </p>
        <p class="choice">
          <button type="submit" name="decision" value="allow" class="primary">
            Allow
          </button>{' '}
          <button type="submit" name="decision" value="deny" class="quiet">
            Deny
          </button>
        </p>
      </Form>
    </Page>
  )
}

/** Who vouches for the app, and where the browser takes the access. */
function Origin({ asked }: { asked: ConsentDescription }) {
  const { clientDomain, redirectUri, redirectIsLoopback } = asked
  return (
    <>
      <p>
        {clientDomain ? (
          <>
            It is published by <strong>{clientDomain}</strong>.
          </>
        ) : (
          <>
            <strong>Unverified name:</strong> the app calls itself that, and nobody has checked it.
          </>
        )}{' '}
        Access is sent to <strong>{new URL(redirectUri).host}</strong>.
      </p>
      {redirectIsLoopback && (
        <p class="fault">
          This gives access to a program on this computer. Go on only if you just started to connect it
          yourself.
        </p>
      )}
    </>
  )
}
