import type { Via } from '../../caller.ts'
import type { Context } from '../../context.ts'
import { newId } from '../../ids.ts'
import { dropActsBefore, insertAct } from './store.ts'

/** Everything that an account's activity can hold. */
export const ACTS = [
  'signed_up',
  'signed_in',
  'sign_in_failed',
  'signed_out',
  'session_ended',
  'passkey_added',
  'passkey_removed',
  'password_changed',
  'recovery_codes_made',
  'recovery_code_used',
  'identity_linked',
  'identity_unlinked',
  'handle_changed',
  'token_made',
  'token_revoked',
  'app_connected',
  'app_revoked',
  'connection_set',
  'connection_removed',
  'tool_saved',
  'tool_published',
  'tool_unpublished',
  'tool_deleted',
  'file_deleted',
  'price_set',
  'price_withdrawn',
  'offer_granted',
] as const

export type Act = (typeof ACTS)[number]

export interface NewAct {
  accountId: string
  act: Act
  /** The tool, path or name that it is about; never a secret or an input. Null where the act says it all. */
  subject: string | null
  /** Through what it was done; null where nobody was signed in. */
  via: Via | null
}

/** Longest subject that is kept, in characters. */
const SUBJECT_CHARS = 300
const KEEP_MS = 365 * 86_400_000

/** Adds one act to what an account can read of itself. */
export async function noteAct(
  ctx: Pick<Context, 'db' | 'now' | 'random'>,
  { accountId, act, subject, via }: NewAct,
): Promise<void> {
  await insertAct(ctx.db, {
    id: newId('act', ctx),
    accountId,
    act,
    subject: subject === null ? null : subject.slice(0, SUBJECT_CHARS).toWellFormed(),
    via,
    at: ctx.now(),
  })
}

/** Drops acts that are older than a year. */
export async function pruneActs({ db, now }: Pick<Context, 'db' | 'now'>): Promise<void> {
  await dropActsBefore(db, now() - KEEP_MS)
}
