import type { PasskeyRow } from '../../../core/accounts/sign-in/passkeys/store.ts'
import { PROVIDERS } from '../../../core/accounts/sign-in/providers/provider.ts'
import type { Ways } from '../../../core/accounts/sign-in/store.ts'
import { Field, Form, Submit, type Faults } from '../form.tsx'
import { When } from '../parts.tsx'
import { PasskeyForm } from '../passkey-form.tsx'
import type { WebContext } from '../session.ts'
import { providersOf } from '../sign-in/other-ways.tsx'

/** What every part of the account's page is told. */
interface About {
  c: WebContext
  /** Whether the person proved a moment ago who they are: only then are there forms. */
  mayChange: boolean
  faults: Faults
  /** What was typed into a form that was refused. */
  typed: (field: string) => string | undefined
}

export function Handle({
  c,
  mayChange,
  faults,
  typed,
  handle,
  isFixed,
}: About & { handle: string; isFixed: boolean }) {
  return (
    <section id="handle">
      <h2>Handle</h2>
      <p>
        Your tools are <code>tool:{handle}/…</code> to others.
        {isFixed ? ' It stays, because tools were published under it.' : ' It can change until you publish.'}
      </p>
      {mayChange && !isFixed && (
        <Form c={c} action="/account/handle" faults={faults}>
          <Field
            label="New handle"
            name="handle"
            value={typed('handle') ?? handle}
            faults={faults}
            autocomplete="nickname"
            maxlength={31}
          />
          <Submit kind="quiet">Change the handle</Submit>
        </Form>
      )}
    </section>
  )
}

export function Passkeys({ c, mayChange, faults, passkeys }: About & { passkeys: PasskeyRow[] }) {
  return (
    <section id="passkeys">
      <h2>Passkeys</h2>
      {passkeys.length === 0 && <p>None yet. A passkey signs you in with a finger, face or PIN.</p>}
      <ul class="rows">
        {passkeys.map(({ id, name, createdAt, lastUsedAt }) => (
          <li>
            <p>
              <strong>{name}</strong>
              <br />
              <small>
                Added <When at={createdAt} />
                {lastUsedAt && (
                  <>
                    , used <When at={lastUsedAt} />
                  </>
                )}
              </small>
            </p>
            {mayChange && (
              <Form c={c} action="/account/remove-passkey">
                <input type="hidden" name="id" value={id} />
                <Submit kind="danger">Remove</Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {mayChange && (
        <PasskeyForm c={c} action="/account/passkeys" kind="create" faults={faults}>
          <Field
            label="Name of the new passkey"
            name="name"
            hint="Where it is kept: “Phone”, “Work laptop”."
            required={false}
            maxlength={60}
          />
          <Submit kind="quiet">Add a passkey</Submit>
        </PasskeyForm>
      )}
    </section>
  )
}

export function Password({ c, mayChange, faults, typed, email }: About & { email: string | undefined }) {
  return (
    <section id="password">
      <h2>Password</h2>
      <p>{email ? `You sign in with ${email} and a password.` : 'None: you sign in without one.'}</p>
      {mayChange && (
        <Form c={c} action="/account/password" faults={faults}>
          {!email && (
            <Field
              label="E-mail"
              name="email"
              type="email"
              value={typed('email')}
              faults={faults}
              hint="To sign in with. Nothing is sent to it."
              autocomplete="username"
            />
          )}
          <Field
            label="New password"
            name="password"
            type="password"
            faults={faults}
            hint="At least 10 characters. Other browsers are signed out."
            autocomplete="new-password"
          />
          <Submit kind="quiet">{email ? 'Change the password' : 'Set a password'}</Submit>
        </Form>
      )}
    </section>
  )
}

export function Codes({ c, mayChange, left }: About & { left: number }) {
  return (
    <section id="codes">
      <h2>Recovery codes</h2>
      <p>
        {left === 0
          ? 'None. Without them, a lost passkey or password means a lost account.'
          : `${left} of 10 are left. Each opens your account once.`}
      </p>
      {mayChange && (
        <Form c={c} action="/account/codes">
          <Submit kind="quiet">{left === 0 ? 'Make recovery codes' : 'Replace them by ten new ones'}</Submit>
        </Form>
      )}
    </section>
  )
}

export function Providers({ c, mayChange, faults, linked }: About & { linked: Ways['identities'] }) {
  const offered = providersOf(c).filter((provider) => !linked.some((each) => each.provider === provider))
  if (linked.length === 0 && offered.length === 0) return null
  return (
    <section id="unlink">
      <h2>Sign-in elsewhere</h2>
      {faults[''] && (
        <p class="fault" role="alert">
          {faults['']}
        </p>
      )}
      <ul class="rows">
        {linked.map(({ provider, name }) => (
          <li>
            <p>
              <strong>{PROVIDERS[provider].label}</strong> {name}
            </p>
            {mayChange && (
              <Form c={c} action="/account/unlink">
                <input type="hidden" name="provider" value={provider} />
                <Submit kind="danger">Unlink</Submit>
              </Form>
            )}
          </li>
        ))}
      </ul>
      {mayChange &&
        offered.map((provider) => (
          <p>
            <a class="button quiet" href={`/sign-in/with/${provider}/link`}>
              Link {PROVIDERS[provider].label}
            </a>
          </p>
        ))}
    </section>
  )
}
