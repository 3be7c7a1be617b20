import { Hono } from 'hono'
import { composePlace } from '../../../compose.ts'
import { noteAct } from '../../../core/accounts/audit/act.ts'
import { Form, Submit } from '../../web/form.tsx'
import { Page } from '../../web/page.tsx'
import {
  callerOf,
  readForm,
  requirePerson,
  requireRecent,
  type Web,
  type WebContext,
} from '../../web/session.ts'
import { connectionsOf, type Connection } from '../connections.ts'
import { oauthApi } from '../server.ts'
import { SCOPE_WORDS } from './scopes.tsx'

/** Which apps act for a person, and how to end it. */
export const apps = new Hono<Web>()

apps.get('/apps', async (c) => {
  const person = await requirePerson(c)
  const { db, now } = composePlace(c.env)
  const connected = await connectionsOf(db, person.accountId, now())
  return c.html(
    <Page title="Connected apps" person={person}>
      {connected.length === 0 ? (
        <p>
          No app is connected. <a href="/connect">Connect one</a>.
        </p>
      ) : (
        <>
          <p>These apps act for you. What you revoke is refused from its next call on.</p>
          <ul class="rows">
            {connected.map((connection) => (
              <Row c={c} connection={connection} />
            ))}
          </ul>
          <Form c={c} action="/apps/revoke">
            {connected.flatMap(({ grantIds }) => grantIds).map(hiddenGrant)}
            <Submit kind="danger">Revoke all</Submit>
          </Form>
        </>
      )}
    </Page>,
  )
})

apps.post('/apps/revoke', async (c) => {
  const person = await requireRecent(c)
  const chosen = (await readForm(c)).all('grant')
  const place = composePlace(c.env)
  const { accountId } = person
  const { via } = callerOf(person)
  for (const { app, grantIds } of await connectionsOf(place.db, accountId, place.now())) {
    const ended = grantIds.filter((id) => chosen.includes(id))
    for (const id of ended) await oauthApi(c.env).revokeGrant(id, accountId)
    if (ended.length > 0) await noteAct(place, { accountId, act: 'app_revoked', subject: app, via })
  }
  return c.redirect('/apps', 303)
})

function Row({ c, connection }: { c: WebContext; connection: Connection }) {
  const { app, domain, redirectHost, scopes, grantIds, firstAt, lastUsedAt } = connection
  const times = grantIds.length > 1 ? `, ${grantIds.length} times` : ''
  return (
    <li>
      <div>
        <p>
          <strong>{app}</strong> {domain ? `of ${domain}` : '(unverified name)'}
        </p>
        <p class="hint">
          Sends access to {redirectHost}. May:{' '}
          {scopes.map((scope) => SCOPE_WORDS[scope].toLowerCase()).join('; ')}.
        </p>
        <p class="hint">
          Connected <Day at={firstAt} />
          {times},{' '}
          {lastUsedAt === null ? (
            'not used yet'
          ) : (
            <>
              last used <Day at={lastUsedAt} />
            </>
          )}
          .
        </p>
      </div>
      <Form c={c} action="/apps/revoke">
        {grantIds.map(hiddenGrant)}
        <button type="submit" class="danger" aria-label={`Revoke ${app}`}>
          Revoke
        </button>
      </Form>
    </li>
  )
}

const hiddenGrant = (id: string) => <input type="hidden" name="grant" value={id} />

/** Uses are noted by the hour. */
function Day({ at }: { at: number }) {
  const text = new Date(at).toISOString()
  return <time datetime={text}>{`${text.slice(0, 10)} ${text.slice(11, 16)} UTC`}</time>
}
