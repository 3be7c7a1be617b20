import { Hono } from 'hono'
import { composeContext } from '../../../compose.ts'
import { listStandings } from '../../../core/quotas/list.ts'
import type { QuotaName, Standing } from '../../../core/quotas/quota.ts'
import { Page } from '../page.tsx'
import { When } from '../parts.tsx'
import { callerOf, requirePerson, type Web } from '../session.ts'

/** What the account may have and do, and what is left of it. */
export const limitsPage = new Hono<Web>()

const NAMES: Record<QuotaName, string> = {
  calls_a_minute: 'Calls in a minute',
  tasks_at_once: 'Runs at once',
  tasks_waiting: 'Runs waiting for a place',
  schedules: 'Runs and repeats scheduled',
  container_seconds_a_day: 'Seconds of scripts in a day',
  model_tokens_a_day: 'Model tokens in a day',
  tools: 'Tools',
  file_bytes: 'Bytes of files',
}

limitsPage.get('/', async (c) => {
  const person = await requirePerson(c)
  const standings = await listStandings(composeContext(c.env, callerOf(person)))
  return c.html(
    <Page title="Limits" person={person}>
      <p>Past one, a call is refused and says when to come again. Nothing of it is kept.</p>
      <ul class="rows">
        {standings.map((standing) => (
          <Row standing={standing} />
        ))}
      </ul>
    </Page>,
  )
})

const count = (number: number) => number.toLocaleString('en')

function Row({ standing: { name, limit, used, resetsAt } }: { standing: Standing }) {
  return (
    <li>
      <p>
        <strong>{NAMES[name]}</strong>
        <br />
        {count(used)} of {count(limit)} used, {count(Math.max(0, limit - used))} left
        {resetsAt !== null && (
          <small>
            {' '}
            until <When at={resetsAt} />
          </small>
        )}
      </p>
    </li>
  )
}
