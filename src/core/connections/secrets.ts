import type { Db } from '../../db/client.ts'
import type { Keyring, Owner, Sealed } from './keyring.ts'
import { findConnections, findSealedByOther, listConnectionRows, resealConnection } from './store.ts'

/** A value as a task keeps it while it works: still sealed. */
export interface TakenSecret extends Sealed {
  name: string
}

/** Connections as the work on tasks uses them. */
export interface Secrets {
  /** What an account has under these names now, sealed; those that are not set or cannot be read are left out. */
  take(accountId: string, names: string[]): Promise<TakenSecret[]>
  open(accountId: string, taken: TakenSecret): Promise<string>
  /** Where a person sets connections. */
  page: string
}

interface Cabinet {
  db: Db
  keyring: () => Keyring
}

export const secretsIn = ({ db, keyring }: Cabinet, page: string): Secrets => ({
  async take(accountId, names) {
    const rows = await findConnections(db, accountId, names)
    const known = rows.filter(({ keyName }) => keyring().names.includes(keyName))
    return Promise.all(
      known.map(async ({ name, keyName, sealed }) => {
        const owner = { accountId, name }
        return { name, ...(await sealedAnew({ db, keyring }, owner, { keyName, sealed })) }
      }),
    )
  },
  open: (accountId, { name, ...sealed }) => keyring().open({ accountId, name }, sealed),
  page,
})

/** The values of all connections of an account that can be read, by their names: for scrubbing what is said of a run. */
export async function valuesOf({ db, keyring }: Cabinet, accountId: string): Promise<Map<string, string>> {
  const ring = keyring()
  const rows = await listConnectionRows(db, accountId)
  const known = rows.filter(({ keyName }) => ring.names.includes(keyName))
  return new Map(
    await Promise.all(
      known.map(async ({ name, ...sealed }) => [name, await ring.open({ accountId, name }, sealed)] as const),
    ),
  )
}

/** Values encrypted with an older key that one turn of the sweep encrypts anew. */
const SWEPT = 500

/** Encrypts with the current key what an older one encrypted, so that the older one can be dropped. */
export async function resealOld({ db, keyring }: Cabinet): Promise<number> {
  const { current, names } = keyring()
  const old = await findSealedByOther(db, { current, known: names }, SWEPT)
  for (const { accountId, name, ...sealed } of old) {
    await sealedAnew({ db, keyring }, { accountId, name }, sealed)
  }
  return old.length
}

/** The value under the current key; the row is put right on the way. */
async function sealedAnew({ db, keyring }: Cabinet, owner: Owner, sealed: Sealed): Promise<Sealed> {
  if (sealed.keyName === keyring().current) return sealed
  const anew = await keyring().seal(owner, await keyring().open(owner, sealed))
  await resealConnection(db, owner, { from: sealed, to: anew })
  return anew
}
