import type { PropsWithChildren } from 'hono/jsx'
import { PROVIDERS, type Provider } from '../../../core/accounts/sign-in/providers/provider.ts'
import { readSettings } from '../../../env.ts'
import type { WebContext } from '../session.ts'

type OtherWaysProps = PropsWithChildren<{ c: WebContext; next: string; only?: Provider[] }>

/** Buttons of the ways in that need no form here: those given, and the providers that this deployment knows. */
export function OtherWays({ c, next, only, children }: OtherWaysProps) {
  const offered = providersOf(c).filter((provider) => !only || only.includes(provider))
  return (
    <>
      <p class="or">or</p>
      <p class="buttons">
        {children}
        {offered.map((provider) => (
          <a class="button quiet" href={`/sign-in/with/${provider}?next=${encodeURIComponent(next)}`}>
            {PROVIDERS[provider].label}
          </a>
        ))}
      </p>
    </>
  )
}

/** The providers whose secrets are set. */
export function providersOf(c: WebContext): Provider[] {
  const { providers } = readSettings(c.env)
  return (Object.keys(PROVIDERS) as Provider[]).filter((provider) => providers[provider])
}
