export const SCOPES = ['read', 'write', 'publish'] as const
export type Scope = (typeof SCOPES)[number]

/** Who acts now, and with which rights. */
export interface Caller {
  accountId: string
  handle: string
  scopes: ReadonlySet<Scope>
  via: Via
}

/** How an account acts: by a personal access token, a connected app, or a person's sign-in. `name` is for people. */
export interface Via {
  kind: 'token' | 'app' | 'session'
  id: string
  name: string
}
