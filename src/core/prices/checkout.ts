import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import { offerPage, priceText, refOf, type Price } from './price.ts'
import { findPriceById, insertPayment } from './store.ts'

/** Who takes the money. */
export interface Checkout {
  /** Where a person pays; they come back to `back`, with `?paid` once they did. */
  begin(order: Order): Promise<string>
  /** What a message of theirs says was paid; null for one that says something else. Throws when it is not theirs. */
  read(body: string, signature: string | null): Promise<Paid | null>
}

export interface Order {
  price: Price
  /** Runs or months. */
  quantity: number
  accountId: string
  back: string
}

export interface Paid {
  /** One checkout is one payment, however often it is told of. */
  checkoutId: string
  priceId: string
  accountId: string
  quantity: number
  amount: number
  currency: string
  paidAt: number
}

export interface StripeSettings {
  secretKey: string
  webhookSecret: string
  /** Where a test plays Stripe; null: Stripe itself. */
  base: string | null
}

/** Most runs or months that are bought at once. */
export const MOST_AT_ONCE = { run: 10_000, month: 12 }

/** Begins the payment of so many runs or months; the address where a person pays. */
export async function beginCheckout(
  ctx: Pick<Context, 'caller' | 'origin'>,
  checkout: Checkout | null,
  { price, quantity }: Pick<Order, 'price' | 'quantity'>,
): Promise<string> {
  if (!checkout) {
    throw new Problem('not_available', 'This Workshop takes no payments.', {
      hint: `Ask ${price.maker} to give you the offer by hand.`,
    })
  }
  if (price.withdrawnAt !== null) throw new Problem('not_found', 'Its maker withdrew this offer.')
  const most = MOST_AT_ONCE[price.per]
  if (!Number.isInteger(quantity) || quantity < 1 || quantity > most) {
    throw new Problem('invalid_request', `Take from 1 to ${most} ${price.per}s at once.`, {
      field: 'quantity',
    })
  }
  const back = offerPage(price, ctx.origin)
  return checkout.begin({ price, quantity, accountId: ctx.caller.accountId, back })
}

/** Keeps what a message says was paid. Messages that come twice, late or out of order change nothing more. */
export async function takeMessage(
  { db, log }: Pick<Context, 'db' | 'log'>,
  checkout: Checkout,
  message: { body: string; signature: string | null },
): Promise<void> {
  const paid = await checkout.read(message.body, message.signature)
  if (!paid) return
  const { paidAt: now, ...payment } = paid
  const price = await findPriceById(db, paid.priceId)
  if (!price) {
    log('payment_without_price', { checkoutId: paid.checkoutId, priceId: paid.priceId })
    return
  }
  await insertPayment(db, { ...payment, now })
}

/** What a person sees at the payment: `3 runs at 0.05 EUR a run (price:ann/vat)`. */
export const orderText = ({ price, quantity }: Pick<Order, 'price' | 'quantity'>): string =>
  `${quantity} ${price.per}${quantity === 1 ? '' : 's'} at ${priceText(price)} (${refOf(price)})`
