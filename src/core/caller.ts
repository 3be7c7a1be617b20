export const SCOPES = ['read', 'write', 'publish'] as const
export type Scope = (typeof SCOPES)[number]

/** Who acts now, and with which rights. */
export interface Caller {
  accountId: string
  handle: string
  scopes: ReadonlySet<Scope>
}
