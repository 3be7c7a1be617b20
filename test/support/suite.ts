import { inject } from 'vitest'
import { APPS, type App, type Generation } from './clients.ts'
import { newAccount, newToken } from './workshop.ts'

let made = 0

/** An account of a suite's own on the shared Workshop, and AI apps signed in to it. */
export interface Account {
  handle: string
  token: string
  app(generation?: Generation): Promise<App>
  /** The same account through another token. */
  otherToken(): Promise<Account>
}

export async function makeAccount(prefix: string): Promise<Account> {
  made += 1
  const { data } = inject('workshop')
  const { handle, token } = await newAccount(data, `${prefix}-${process.pid}-${made}`)
  return accountOf(handle, token)
}

export function accountOf(handle: string, token: string): Account {
  const { data, mcpUrl } = inject('workshop')
  return {
    handle,
    token,
    app: (generation = 'v2 stateless') => APPS[generation](mcpUrl, token),
    otherToken: async () => accountOf(handle, (await newToken(data, handle)).token),
  }
}

let keys = 0

/** A request key that no other test uses. */
export function newKey(): string {
  keys += 1
  return `key-${process.pid}-${Date.now()}-${keys}`
}

export { toolOf } from './tools.ts'
