import { Hono } from 'hono'
import { composeBooks } from '../../../compose.ts'
import type { Act } from '../../../core/accounts/audit/act.ts'
import { listActs } from '../../../core/accounts/audit/list.ts'
import type { NotedAct } from '../../../core/accounts/audit/store.ts'
import { Page } from '../page.tsx'
import { When } from '../parts.tsx'
import { callerOf, requirePerson, type Web } from '../session.ts'

/** What was done in the account, newest first, for a year. */
export const activityPage = new Hono<Web>()

const PAGE = 50

const WORDS: Record<Act, string> = {
  signed_up: 'Signed up',
  signed_in: 'Signed in',
  sign_in_failed: 'A sign-in failed',
  signed_out: 'Signed out',
  session_ended: 'Signed a browser out',
  passkey_added: 'Added a passkey',
  passkey_removed: 'Removed a passkey',
  password_changed: 'Changed the password',
  recovery_codes_made: 'Made recovery codes',
  recovery_code_used: 'Used a recovery code',
  identity_linked: 'Connected a way to sign in',
  identity_unlinked: 'Removed a way to sign in',
  handle_changed: 'Changed the handle',
  token_made: 'Made an access token',
  token_revoked: 'Revoked an access token',
  app_connected: 'Connected an app',
  app_revoked: 'Revoked an app',
  connection_set: 'Set a connection',
  connection_removed: 'Removed a connection',
  tool_saved: 'Saved a tool',
  tool_published: 'Published a tool',
  tool_unpublished: 'Withdrew a tool',
  tool_deleted: 'Deleted a tool',
  file_deleted: 'Deleted a file',
  price_set: 'Set a price',
  price_withdrawn: 'Withdrew a price',
  offer_granted: 'Took an offer',
}

activityPage.get('/', async (c) => {
  const person = await requirePerson(c)
  const page = { cursor: c.req.query('before'), limit: PAGE }
  const { acts, nextCursor } = await listActs({ ...composeBooks(c.env), caller: callerOf(person) }, page)
  return c.html(
    <Page title="Activity" person={person}>
      <p>Sign-ins, apps, and what was saved, published and deleted. Kept for a year.</p>
      {acts.length === 0 && <p>Nothing{page.cursor !== undefined && ' older'}.</p>}
      <ul class="rows">
        {acts.map((act) => (
          <Row act={act} />
        ))}
      </ul>
      {nextCursor !== undefined && (
        <p>
          <a href={`/activity?before=${encodeURIComponent(nextCursor)}`}>Older</a>
        </p>
      )}
    </Page>,
  )
})

function Row({ act: { act, subject, via, at } }: { act: NotedAct }) {
  return (
    <li>
      <p>
        <strong>{WORDS[act]}</strong> {subject}
        <br />
        <small>
          <When at={at} />
          {via && `, by ${via.name}`}
        </small>
      </p>
    </li>
  )
}
