import type { Grant } from '@cloudflare/workers-oauth-provider'
import { SCOPES, type Scope } from '../../core/caller.ts'
import type { Db } from '../../db/client.ts'
import type { ConnectedApp } from './server.ts'
import { listGrants } from './store.ts'

/** An app as its person sees it: all grants of one name, domain and redirect host, for apps register again and again. */
export interface Connection extends ConnectedApp {
  redirectHost: string
  scopes: Scope[]
  grantIds: string[]
  firstAt: number
  lastUsedAt: number | null
}

/** The apps that are connected to an account, the one used last first. */
export async function connectionsOf(db: Db, accountId: string, now: number): Promise<Connection[]> {
  const grants = (await listGrants(db, accountId, now)).map(({ value, usedAt }) => ({
    // Written by the library alone.
    grant: JSON.parse(value) as Grant,
    usedAt,
  }))
  // Whose code waits to be redeemed is not connected yet.
  const redeemed = grants.filter(({ grant }) => grant.authCodeWrappedKey === undefined)
  const groups = Map.groupBy(redeemed, ({ grant }) => JSON.stringify([grant.metadata, hostOf(grant)]))
  const connected = [...groups.values()].map((group): Connection => {
    const allowed = new Set(group.flatMap(({ grant }) => grant.scope))
    const used = group.flatMap(({ usedAt }) => usedAt ?? [])
    const [first] = group
    return {
      ...(first?.grant.metadata as ConnectedApp),
      redirectHost: first ? hostOf(first.grant) : '',
      scopes: SCOPES.filter((scope) => allowed.has(scope)),
      grantIds: group.map(({ grant }) => grant.id),
      firstAt: Math.min(...group.map(({ grant }) => grant.createdAt * 1_000)),
      lastUsedAt: used.length > 0 ? Math.max(...used) : null,
    }
  })
  return connected.toSorted((a, b) => (b.lastUsedAt ?? b.firstAt) - (a.lastUsedAt ?? a.firstAt))
}

const hostOf = ({ redirectUri = '' }: Grant): string => URL.parse(redirectUri)?.host ?? redirectUri
