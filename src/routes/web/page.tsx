import type { PropsWithChildren } from 'hono/jsx'
import { raw } from 'hono/html'
import type { Person } from './session.ts'

/** Where a signed-in person can go, in this order. */
const MENU = [
  { href: '/', label: 'Home' },
  { href: '/connect', label: 'Connect an AI app' },
  { href: '/apps', label: 'Connected apps' },
  { href: '/account', label: 'Account' },
  { href: '/connections', label: 'Connections' },
  { href: '/prices', label: 'Prices' },
  { href: '/tokens', label: 'Access tokens' },
  { href: '/sessions', label: 'Signed-in browsers' },
  { href: '/activity', label: 'Activity' },
  { href: '/limits', label: 'Limits' },
]

type PageProps = PropsWithChildren<{
  title: string
  /** Who is signed in: they get the menu. */
  person: Person | null
}>

/** The one layout. The menu comes after the page itself: on a phone at its foot, on a wide screen beside it. */
export function Page({ title, person, children }: PageProps) {
  return (
    <>
      {raw('<!doctype html>')}
      <html lang="en">
        <head>
          <meta charset="utf-8" />
          <meta name="viewport" content="width=device-width, initial-scale=1" />
          <title>{title === 'Workshop' ? title : `${title} · Workshop`}</title>
          <link rel="icon" href="/favicon.svg" />
          <link rel="stylesheet" href="/style.css" />
        </head>
        <body class={person ? 'with-menu' : undefined}>
          <header>
            <a class="brand" href="/">
              Workshop
            </a>
            {person ? (
              <a class="to-menu" href="#menu">
                Menu
              </a>
            ) : (
              <nav aria-label="Sign in">
                <a href="/sign-in">Sign in</a>
                <a href="/sign-up">Sign up</a>
              </nav>
            )}
          </header>
          <main>
            <h1>{title}</h1>
            {children}
          </main>
          {person && <Menu person={person} />}
        </body>
      </html>
    </>
  )
}

function Menu({ person }: { person: Person }) {
  return (
    <nav id="menu" aria-label="Pages">
      <p>
        Signed in as <strong>{person.handle}</strong>
      </p>
      <ul>
        {MENU.map(({ href, label }) => (
          <li>
            <a href={href}>{label}</a>
          </li>
        ))}
        <li>
          <a href="/sign-out">Sign out</a>
        </li>
      </ul>
    </nav>
  )
}
