import { Stripe } from 'stripe'
import { Problem } from '../problem.ts'
import { orderText, type Checkout, type Order, type Paid, type StripeSettings } from './checkout.ts'
import { CURRENCIES } from './currencies.ts'

/** Stripe Checkout: one payment for so many runs or months. Nothing is renewed by itself. */
export function stripeCheckout({ secretKey, webhookSecret, base }: StripeSettings): Checkout {
  const address = base === null ? undefined : new URL(base)
  const stripe = new Stripe(secretKey, {
    httpClient: Stripe.createFetchHttpClient(),
    maxNetworkRetries: 1,
    timeout: 20_000,
    ...(address && { host: address.hostname, port: address.port, protocol: 'http' as const }),
  })
  const crypto = Stripe.createSubtleCryptoProvider()
  return {
    async begin(order) {
      const session = await stripe.checkout.sessions.create(sessionOf(order)).catch((error: Error) => {
        throw new Problem('unavailable', 'The payment could not be begun.', {
          hint: `Stripe said: ${error.message.slice(0, 200)}`,
        })
      })
      if (session.url) return session.url
      throw new Error(`the checkout ${session.id} has no page`)
    },
    async read(body, signature) {
      const event = await stripe.webhooks
        .constructEventAsync(body, signature ?? '', webhookSecret, undefined, crypto)
        .catch(() => {
          throw new Problem('unauthorized', 'This message is not signed by Stripe, or it is too old.')
        })
      return paidOf(event)
    },
  }
}

function sessionOf({ price, quantity, accountId, back }: Order): Stripe.Checkout.SessionCreateParams {
  return {
    mode: 'payment',
    line_items: [
      {
        quantity: 1,
        price_data: {
          currency: price.currency.toLowerCase(),
          unit_amount: stripeAmount(price.amount * quantity, price.currency),
          product_data: { name: orderText({ price, quantity }) },
        },
      },
    ],
    client_reference_id: accountId,
    metadata: { price_id: price.id, account_id: accountId, quantity: String(quantity) },
    success_url: `${back}?paid`,
    cancel_url: back,
  }
}

/** Stripe takes these two with two digits that are always 0, and tells of three digits only in tens. */
const WITH_TWO_ZEROS = new Set(['ISK', 'UGX'])

export function stripeAmount(amount: number, currency: string): number {
  if (WITH_TWO_ZEROS.has(currency)) return amount * 100
  if (CURRENCIES.get(currency) === 3 && amount % 10 !== 0) {
    throw new Problem('invalid_request', `Stripe takes ${currency} only in tens of its smallest unit.`, {
      field: 'quantity',
      hint: 'Take ten at once.',
    })
  }
  return amount
}

/** What an event says was paid. A checkout that is done but not yet paid is told of again once it is. */
export function paidOf({ type, data, created }: Stripe.Event): Paid | null {
  if (type !== 'checkout.session.completed' && type !== 'checkout.session.async_payment_succeeded')
    return null
  const session = data.object
  const { price_id, account_id, quantity } = session.metadata ?? {}
  // Whoever owns the Stripe account may sell other things with it.
  if (!price_id || !account_id || !quantity || session.payment_status !== 'paid') return null
  return {
    checkoutId: session.id,
    priceId: price_id,
    accountId: account_id,
    quantity: Number(quantity),
    amount: session.amount_total ?? 0,
    currency: (session.currency ?? '').toUpperCase(),
    paidAt: created * 1_000,
  }
}
