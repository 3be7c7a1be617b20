import type { Db } from '../db/client.ts'
import type { Invokes } from '../invokes/invoke.ts'
import type { Caller } from './caller.ts'
import type { Keyring } from './connections/keyring.ts'
import type { Links } from './files/link.ts'
import type { Web } from './net/web.ts'
import type { Quotas } from './limits.ts'
import type { Source } from './ids.ts'
import type { AccountTaskPort } from './tasks/port.ts'
import type { Outputs } from './tasks/work/wheel.ts'

/** What an operation gets: who calls, and the sockets it may use. Built in `compose.ts` alone. */
export interface Context extends Source {
  caller: Caller
  db: Db
  /** Bytes under content-hash keys. */
  bytes: R2Bucket
  /** The caller's own tasks. */
  tasks: AccountTaskPort
  outputs: Outputs
  links: Links
  quotas: Quotas
  /** What connections are encrypted with. Throws when the deployment has no keys. */
  keyring: () => Keyring
  /** Where a person sets connections. */
  connectionsPage: string
  invokes: Invokes
  /** The way to addresses that other people named. */
  web: Web
  /** Our public address, without a slash at its end. */
  origin: string
  log: Log
}

/** Structured lines for the operator; never a secret, never a person's input. */
export type Log = (event: string, details: Record<string, unknown>) => void
