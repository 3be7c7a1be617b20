import { Hono } from 'hono'
import { composeBooks } from '../../../compose.ts'
import { endOther, endOthers } from '../../../core/accounts/sessions/session.ts'
import { listSessions, type SessionRow } from '../../../core/accounts/sessions/store.ts'
import { Form, Submit } from '../form.tsx'
import { Page } from '../page.tsx'
import { ConfirmFirst, When } from '../parts.tsx'
import { isRecent, readForm, requirePerson, requireRecent } from '../session.ts'
import type { Person, Web, WebContext } from '../session.ts'
import { deviceName } from './device.ts'

/** The browsers that are signed in. */
export const sessionsPage = new Hono<Web>()

const own = ({ accountId, sessionId }: Person) => ({ accountId, id: sessionId })

sessionsPage.get('/', async (c) => {
  const person = await requirePerson(c)
  const { db, now } = composeBooks(c.env)
  const sessions = await listSessions(db, person.accountId, now())
  return c.html(
    <Page title="Signed-in browsers" person={person}>
      <p>Each stays signed in for 30 days after its last use.</p>
      {!isRecent(person) && sessions.length > 1 && <ConfirmFirst next="/sessions" to="sign one out" />}
      <ul class="rows">
        {sessions.map((session) => (
          <Row c={c} session={session} person={person} />
        ))}
      </ul>
      {isRecent(person) && sessions.length > 1 && (
        <Form c={c} action="/sessions/end-others">
          <Submit kind="danger">Sign out all others</Submit>
        </Form>
      )}
    </Page>,
  )
})

sessionsPage.post('/end', async (c) => {
  const person = await requireRecent(c)
  const form = await readForm(c)
  await endOther(composeBooks(c.env), own(person), form.exact('id'))
  return c.redirect('/sessions', 303)
})

sessionsPage.post('/end-others', async (c) => {
  const person = await requireRecent(c)
  await readForm(c)
  await endOthers(composeBooks(c.env), own(person))
  return c.redirect('/sessions', 303)
})

function Row({ c, session, person }: { c: WebContext; session: SessionRow; person: Person }) {
  const { id, device, createdAt, lastUsedAt } = session
  const isThis = id === person.sessionId
  return (
    <li>
      <p>
        <strong>{deviceName(device)}</strong> {isThis && <small>this browser</small>}
        <br />
        <small>
          Signed in <When at={createdAt} />, used <When at={lastUsedAt} />
        </small>
      </p>
      {!isThis && isRecent(person) && (
        <Form c={c} action="/sessions/end">
          <input type="hidden" name="id" value={id} />
          <Submit kind="danger">Sign out</Submit>
        </Form>
      )}
    </li>
  )
}
