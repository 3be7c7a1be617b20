import { findAccount } from '../accounts/store.ts'
import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Price } from './price.ts'
import { findPrice } from './store.ts'

/** The caller's own price of that name. Another maker's reads like one that there is none of. */
export async function loadOwnPrice({ db, caller }: Context, slug: string): Promise<Price> {
  const price = await findPrice(db, { maker: caller.handle, slug: slug.toLowerCase() })
  if (price) return price
  throw new Problem('not_found', 'This account has no price of that name.', {
    field: 'slug',
    hint: 'Make it with PUT /v1/prices/<slug> or on the page /prices.',
  })
}

/** The account that a handle names. */
export async function loadAccount({ db }: Context, handle: string): Promise<{ id: string }> {
  const found = await findAccount(db, handle)
  if (found) return found
  throw new Problem('not_found', 'There is no account of that handle.', { field: 'handle' })
}
