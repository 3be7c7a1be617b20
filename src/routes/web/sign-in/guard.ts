import { Problem } from '../../../core/problem.ts'
import type { WebContext } from '../session.ts'

/** Holds one address to so many tries a minute, whatever it tries to sign in to. */
export async function guard(c: WebContext): Promise<void> {
  const { success } = await c.env.SIGN_IN_GUARD.limit({ key: c.req.header('cf-connecting-ip') ?? 'local' })
  if (success) return
  throw new Problem('rate_limited', 'There were too many tries from your address. Wait a minute.')
}
