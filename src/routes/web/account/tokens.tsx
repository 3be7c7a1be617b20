import { Hono } from 'hono'
import { composeBooks } from '../../../compose.ts'
import { listTokens, type ListedToken } from '../../../core/accounts/store.ts'
import { TOKEN_DAYS } from '../../../core/accounts/token.ts'
import { grantToken, revokeToken, type Wanted } from '../../../core/accounts/tokens.ts'
import { SCOPES, type Scope } from '../../../core/caller.ts'
import { faultsOf, Field, Form, statusOf, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { ConfirmFirst, When } from '../parts.tsx'
import { callerOf, isRecent, readForm, requirePerson, requireRecent } from '../session.ts'
import type { Person, Web, WebContext } from '../session.ts'

/** Personal access tokens: for programs, and for apps that are not connected by signing in. */
export const tokensPage = new Hono<Web>()

tokensPage.get('/', async (c) => show(c, await requirePerson(c), {}))

tokensPage.post('/', async (c) => {
  const person = await requireRecent(c)
  const form = await readForm(c)
  const wanted = { name: form.text('name'), scopes: form.all('scope'), days: Number(form.text('days')) }
  try {
    const made = await grantToken(composeBooks(c.env), callerOf(person), wanted)
    return show(c, person, { made })
  } catch (error) {
    return show(c, person, { wanted, error })
  }
})

tokensPage.post('/revoke', async (c) => {
  const person = await requireRecent(c)
  const form = await readForm(c)
  await revokeToken(composeBooks(c.env), callerOf(person), form.exact('id'))
  return c.redirect('/tokens', 303)
})

/** A token that was just made, or what was refused. */
interface Shown {
  made?: string
  wanted?: Wanted
  error?: unknown
}

const MAY: Record<Scope, string> = {
  read: 'find, describe and read',
  write: 'save and run tools, keep files',
  publish: 'publish tools and withdraw them',
}

async function show(c: WebContext, person: Person, { made, wanted, error }: Shown) {
  const { db, now } = composeBooks(c.env)
  const tokens = await listTokens(db, person.accountId, now())
  return c.html(
    <Page title="Access tokens" person={person}>
      <p>
        For programs, and for apps that cannot sign in by themselves. Whoever holds a token acts as you,
        within what it may do.
      </p>
      {made && <Made token={made} />}
      {isRecent(person) ? (
        <Make c={c} wanted={wanted} faults={faultsOf(error)} />
      ) : (
        <ConfirmFirst next="/tokens" to="make or revoke a token" />
      )}
      <h2>Yours</h2>
      {tokens.length === 0 && <p>None that still works.</p>}
      <ul class="rows">
        {tokens.map((token) => (
          <Row c={c} token={token} mayRevoke={isRecent(person)} />
        ))}
      </ul>
    </Page>,
    statusOf(c, error),
  )
}

function Made({ token }: { token: string }) {
  return (
    <div class="note" role="status">
      <p>
        <strong>Copy it now: it is shown this once.</strong>
      </p>
      <pre>{token}</pre>
      <p>
        A program sends it as <code>Authorization: Bearer …</code>.
      </p>
    </div>
  )
}

function Make({ c, wanted, faults }: { c: WebContext; wanted: Wanted | undefined; faults: Faults }) {
  const ticked = wanted?.scopes ?? ['read', 'write']
  return (
    <Form c={c} action="/tokens" faults={faults}>
      <Field
        label="Name"
        name="name"
        value={wanted?.name}
        faults={faults}
        hint="Where you will use it, so that you know what to revoke."
        autocomplete="off"
        maxlength={60}
      />
      <fieldset aria-describedby={faults.scopes && 'scopes-fault'}>
        <legend>It may</legend>
        {SCOPES.map((scope) => (
          <label class="tick">
            <input type="checkbox" name="scope" value={scope} checked={ticked.includes(scope)} />
            <span>{MAY[scope]}</span>
          </label>
        ))}
        {faults.scopes && (
          <p class="fault" id="scopes-fault" role="alert">
            {faults.scopes}
          </p>
        )}
      </fieldset>
      <Field
        label="Days"
        name="days"
        type="number"
        value={wanted ? String(wanted.days) : String(TOKEN_DAYS)}
        faults={faults}
        hint={`How long it works, at most ${TOKEN_DAYS}.`}
        min={1}
        max={TOKEN_DAYS}
      />
      <Submit>Make a token</Submit>
    </Form>
  )
}

function Row({ c, token, mayRevoke }: { c: WebContext; token: ListedToken; mayRevoke: boolean }) {
  const { id, name, scopes, expiresAt, lastUsedAt } = token
  return (
    <li>
      <p>
        <strong>{name}</strong> <small>{scopes.join(', ')}</small>
        <br />
        <small>
          {lastUsedAt ? (
            <>
              Used <When at={lastUsedAt} />
            </>
          ) : (
            'Never used'
          )}
          , ends <When at={expiresAt} />
        </small>
      </p>
      {mayRevoke && (
        <Form c={c} action="/tokens/revoke">
          <input type="hidden" name="id" value={id} />
          <Submit kind="danger">Revoke</Submit>
        </Form>
      )}
    </li>
  )
}
