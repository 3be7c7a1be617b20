import { sha256Hex } from '../../../ids.ts'
import { Problem } from '../../../problem.ts'
import type { Books } from '../../books.ts'
import { insertCeremony, takeCeremony } from './store.ts'

/** What is kept of a ceremony from its begin to its end. `browser` is who began it, and alone may finish it. */
export type CeremonyData = Record<string, string | null> & { browser: string }

const CEREMONY_MS = 600_000

/** Notes that something was begun. `secret` is what the browser comes back with, once and within 10 minutes. */
export async function begin(
  { db, now }: Books,
  secret: string,
  { kind, data }: { kind: string; data: CeremonyData },
): Promise<void> {
  const id = await sha256Hex(`${kind} ${secret}`)
  await insertCeremony(db, { id, kind, data, expiresAt: now() + CEREMONY_MS })
}

/** What was begun with a secret; it cannot be finished again. Throws when it was not, or by another browser. */
export async function finish(
  { db, now }: Books,
  secret: string,
  { kind, browser }: { kind: string; browser: string },
): Promise<CeremonyData> {
  const data = await takeCeremony(db, await sha256Hex(`${kind} ${secret}`), now())
  if (data?.browser === browser) return data
  throw new Problem('invalid_request', 'This was begun too long ago, or was finished already.', {
    hint: 'Begin again.',
  })
}
