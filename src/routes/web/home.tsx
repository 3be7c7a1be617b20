import { Hono } from 'hono'
import { composeBooks } from '../../compose.ts'
import { findWays } from '../../core/accounts/sign-in/store.ts'
import { readSettings } from '../../env.ts'
import { Page } from './page.tsx'
import { readSession, type Person, type Web, type WebContext } from './session.ts'

/** What Workshop is, and where to go. */
export const home = new Hono<Web>()

home.get('/', async (c) => {
  const person = await readSession(c)
  return c.html(
    <Page title="Workshop" person={person}>
      <p class="lead">
        Small tools that your AI apps find, run, check and share. Ask Claude, ChatGPT or Cursor for a job: it
        finds a tool here, runs it sealed, and reads the checked result. Where none fits, it writes one and
        keeps it.
      </p>
      {person ? <Inside c={c} person={person} /> : <Outside />}
    </Page>,
  )
})

function Outside() {
  return (
    <p class="buttons">
      <a class="button" href="/sign-up">
        Make an account
      </a>
      <a class="button quiet" href="/sign-in">
        Sign in
      </a>
    </p>
  )
}

async function Inside({ c, person }: { c: WebContext; person: Person }) {
  const { codes } = await findWays(composeBooks(c.env).db, person.accountId)
  return (
    <>
      <h2>Connect an AI app</h2>
      <p>Give it this address as an MCP server; it asks you here for leave.</p>
      <pre>{readSettings(c.env).origin}/mcp</pre>
      <p>
        There are <a href="/connect">lines to copy</a> for each app. A program that cannot ask is given an{' '}
        <a href="/tokens">access token</a>.
      </p>
      {codes === 0 && (
        <>
          <h2>Keep a way back in</h2>
          <p>
            You have no recovery codes. <a href="/account#codes">Make ten</a>: without them a lost device or
            password means a lost account.
          </p>
        </>
      )}
    </>
  )
}
