import type { ErrorHandler } from 'hono'
import { Problem } from '../../core/problem.ts'
import { statusOf } from './form.tsx'
import { Page } from './page.tsx'
import { Instead, readSession, type Web, type WebContext } from './session.ts'

/** A refusal as a page, in the words of a problem; anything else is a defect, logged under an id that the page names. */
export const refusal: ErrorHandler<Web> = async (error, c) => {
  if (error instanceof Instead) return error.response
  const problem = error instanceof Problem ? error : defect(error)
  const { code, message, details } = problem
  const title = code === 'internal' ? 'Something went wrong' : 'That did not work'
  return c.html(
    <Page title={title} person={await personOrNull(c)}>
      <p>{message}</p>
      {details.hint && <p>{details.hint}</p>}
    </Page>,
    statusOf(c, problem),
  )
}

/** A page about a defect is shown also where the database is what fails. */
const personOrNull = (c: WebContext) => readSession(c).catch(() => null)

function defect(error: Error): Problem {
  const id = crypto.randomUUID()
  console.error(JSON.stringify({ event: 'defect', id, error: error.stack ?? String(error) }))
  return new Problem('internal', `It is our fault, and noted as ${id}. Try it again.`)
}
