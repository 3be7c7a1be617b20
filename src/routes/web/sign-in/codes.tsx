import { Page } from '../page.tsx'
import type { Person } from '../session.ts'

interface CodesProps {
  codes: string[]
  person: Person | null
  next: string
}

/** Recovery codes, shown this once. */
export function CodesPage({ codes, person, next }: CodesProps) {
  return (
    <Page title="Your recovery codes" person={person}>
      <p class="lead">Keep these where you would look for them if your device were gone.</p>
      <p>
        Each opens your account once, without a passkey or a password. They are shown only now; you can make
        new ones at any time.
      </p>
      <pre class="codes">{codes.join('\n')}</pre>
      <p>
        <a class="button" href={next}>
          I have kept them
        </a>
      </p>
    </Page>
  )
}
