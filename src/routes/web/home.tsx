import { Hono } from 'hono'
import { Page } from './page.tsx'
import { readSession, type Web } from './session.ts'

/** What Workshop is, and where to go. */
export const home = new Hono<Web>()

home.get('/', async (c) => {
  const person = await readSession(c)
  return c.html(
    <Page title="Workshop" person={person}>
      <p class="lead">
        Small tools that your AI apps find, run, check and share. Ask Claude, ChatGPT or Cursor for a job; it
        finds a tool here, runs it sealed, and reads the checked result.
      </p>
      {!person && (
        <p>
          <a class="button" href="/sign-up">
            Make an account
          </a>
        </p>
      )}
    </Page>,
  )
})
