import { Hono } from 'hono'
import { composeContext } from '../../compose.ts'
import { removeConnection, setConnection } from '../../core/connections/change.ts'
import { LEAST_CHARS, MOST_BYTES, NAME_SAYS } from '../../core/connections/connection.ts'
import { connectionsListed, type ListedConnection } from '../../core/connections/list.ts'
import { faultsOf, Field, Form, Submit, type Faults } from './form.tsx'
import { Page } from './page.tsx'
import { callerOf, readForm, requirePerson, type Person, type Web, type WebContext } from './session.ts'

/** Where a person sets the secrets that tools use by name. A value goes in and never comes out. */
export const connections = new Hono<Web>()

connections.get('/connections', async (c) => {
  const person = await requirePerson(c)
  const set = c.req.query('set')
  return show(c, person, { name: c.req.query('name'), said: set && `${set} is set.` })
})

connections.post('/connections', async (c) => {
  const person = await requirePerson(c)
  const form = await readForm(c)
  const name = form.text('name')
  try {
    await setConnection(contextOf(c, person), name, form.text('value').replaceAll('\r\n', '\n'))
  } catch (error) {
    return show(c, person, { name, faults: faultsOf(error) })
  }
  return c.redirect(`/connections?set=${encodeURIComponent(name)}`, 303)
})

connections.post('/connections/remove', async (c) => {
  const person = await requirePerson(c)
  const form = await readForm(c)
  await removeConnection(contextOf(c, person), form.text('name'))
  return c.redirect('/connections', 303)
})

const contextOf = (c: WebContext, person: Person) => composeContext(c.env, callerOf(person))

interface Shown {
  /** Filled in already. */
  name?: string
  said?: string
  faults?: Faults
}

async function show(c: WebContext, person: Person, { name, said, faults }: Shown) {
  const listed = await connectionsListed(contextOf(c, person))
  return c.html(
    <Page title="Connections" person={person}>
      <p>
        A connection is a secret with a name, such as an API key. Tools use it by its name when they run for
        you; neither a tool's maker nor an AI app ever sees its value.
      </p>
      {said && <p role="status">{said}</p>}
      {listed.length === 0 && <p>There is none yet.</p>}
      {listed.map((connection) => (
        <Listed c={c} connection={connection} />
      ))}
      <h2>Set a connection</h2>
      <Form c={c} action="/connections" faults={faults}>
        <Field
          label="Name"
          name="name"
          value={name}
          maxlength={64}
          hint={`As tools name it: ${NAME_SAYS}.`}
          faults={faults}
          autocomplete="off"
        />
        <Value faults={faults} />
        <Submit>Set</Submit>
      </Form>
    </Page>,
    faults ? 400 : 200,
  )
}

function Listed({ c, connection }: { c: WebContext; connection: ListedConnection }) {
  const { name, is_set, named_by, updated_at, note } = connection
  return (
    <section>
      <h2>{name}</h2>
      <p>
        {is_set ? `Set on ${updated_at?.slice(0, 10)}.` : 'Not set.'} {note}
        {named_by.length > 0 && ` Named by ${named_by.join(', ')}.`}
      </p>
      {updated_at ? (
        <Form c={c} action="/connections/remove">
          <input type="hidden" name="name" value={name} />
          <Submit kind="danger">Remove {name}</Submit>
        </Form>
      ) : (
        <a href={`/connections?name=${name}`}>Set {name}</a>
      )}
    </section>
  )
}

/** Several lines, as keys may have; what was typed is never sent back. */
function Value({ faults }: { faults?: Faults }) {
  const fault = faults?.value
  return (
    <div class="field">
      <label for="value">Value</label>
      <p class="hint" id="value-hint">
        {LEAST_CHARS} characters to {MOST_BYTES / 1024} KB, a text or JSON. It is not shown again.
      </p>
      <textarea
        id="value"
        name="value"
        rows={3}
        required
        autocomplete="off"
        autocapitalize="none"
        spellcheck={false}
        aria-describedby={fault ? 'value-hint value-fault' : 'value-hint'}
        aria-invalid={fault ? 'true' : undefined}
      ></textarea>
      {fault && (
        <p class="fault" id="value-fault" role="alert">
          {fault}
        </p>
      )}
    </div>
  )
}
