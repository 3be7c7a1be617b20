import type { PropsWithChildren } from 'hono/jsx'
import { Form, type Faults } from './form.tsx'
import type { WebContext } from './session.ts'

type PasskeyFormProps = PropsWithChildren<{
  c: WebContext
  action: string
  /** A new passkey, or one that the person has. */
  kind: 'create' | 'get'
  faults: Faults
}>

/** A form that is sent with a passkey: the one thing on our pages that needs script. */
export function PasskeyForm({ c, action, kind, faults, children }: PasskeyFormProps) {
  const ask = kind === 'create' ? '/passkeys/new' : '/passkeys/known'
  return (
    <>
      <Form c={c} action={action} data={{ 'data-passkey': kind, 'data-ask': ask }}>
        <input type="hidden" name="credential" />
        {children}
        <p class="fault" role="alert" hidden={!faults['']}>
          {faults['']}
        </p>
      </Form>
      <noscript>
        <p class="hint">Passkeys need script, which this browser has switched off. The other ways do not.</p>
      </noscript>
      <script src="/simplewebauthn.js" defer></script>
      <script src="/passkeys.js" defer></script>
    </>
  )
}
