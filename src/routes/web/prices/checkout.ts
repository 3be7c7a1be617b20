import type { Checkout } from '../../../core/prices/checkout.ts'
import { stripeCheckout } from '../../../core/prices/stripe.ts'
import { readSettings } from '../../../env.ts'

/** How payments are taken here; null: not at all. */
export function checkoutOf(env: Env): Checkout | null {
  const { stripe } = readSettings(env)
  return stripe && stripeCheckout(stripe)
}
