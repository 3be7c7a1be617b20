import type { Context } from '../context.ts'
import type { Source } from '../ids.ts'

/** What accounts are kept with, whoever acts: the database, time and randomness. */
export type Books = Pick<Context, 'db' | keyof Source>

/** This deployment, as passkeys and passwords know it. */
export interface Site {
  /** The public address, without a slash at its end: passkeys belong to its host name. */
  origin: string
  pepper: () => string
}
