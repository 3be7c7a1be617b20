import { moneyText } from './currencies.ts'

export type Per = 'run' | 'month'

/** A price as the catalogue holds it. `amount` is in the smallest unit of its currency, for one run or one month. */
export interface Price {
  id: string
  accountId: string
  maker: string
  slug: string
  amount: number
  currency: string
  per: Per
  /** When it was withdrawn: nobody can take its offer any more. */
  withdrawnAt: number | null
}

/** What an account has of a price. */
export interface Holding {
  /** Runs given by hand and paid for, in all. */
  runs: number
  /** Runs that were counted. */
  used: number
  /** Until when it may run, for a price by the month. */
  until: number | null
}

export const SLUG = '^[A-Za-z][A-Za-z0-9_-]{0,62}$'
const REF = /^price:([a-z][a-z0-9-]{1,30})\/([A-Za-z][A-Za-z0-9_-]{0,62})$/

export const refOf = ({ maker, slug }: Pick<Price, 'maker' | 'slug'>): string => `price:${maker}/${slug}`

/** Reads `price:<handle>/<slug>`; null when it is none. */
export function parsePriceRef(text: string): { maker: string; slug: string } | null {
  const [, maker, slug] = REF.exec(text) ?? []
  return maker === undefined || slug === undefined ? null : { maker, slug: slug.toLowerCase() }
}

/** `12.50 EUR a month` */
export const priceText = ({ amount, currency, per }: Pick<Price, 'amount' | 'currency' | 'per'>): string =>
  `${moneyText(amount, currency)} a ${per}`

/** A price as answers show it. `offer` is the page where the offer is taken. */
export function priceAnswer(price: Price, origin: string) {
  const { amount, currency, per, withdrawnAt } = price
  return {
    price_ref: refOf(price),
    amount,
    currency,
    per,
    text: priceText(price),
    offer_page: offerPage(price, origin),
    ...(withdrawnAt !== null && { withdrawn: true }),
  }
}

/** The price of a tool as a field of answers; none for a free one. */
export const shownPrice = (price: Price | undefined, origin: string) =>
  price && { price: priceAnswer(price, origin) }

export const offerPage = ({ maker, slug }: Pick<Price, 'maker' | 'slug'>, origin: string): string =>
  `${origin}/offers/${maker}/${slug}`

/** Whether a run may begin now. */
export const covers = (per: Per, { runs, used, until }: Holding, now: number): boolean =>
  per === 'run' ? used < runs : until !== null && now < until

/**
 * Until when months are paid, whatever order their payments were told in: each adds to what is still running when it
 * is paid, else it begins then. `given` is time that the maker gave.
 */
export function paidUntil(
  payments: { paidAt: number; quantity: number }[],
  given: number | null,
): number | null {
  const inOrder = payments.toSorted((a, b) => a.paidAt - b.paidAt)
  const paid = inOrder.reduce<number | null>(
    (until, { paidAt, quantity }) => addMonths(Math.max(until ?? 0, paidAt), quantity),
    null,
  )
  return paid === null || given === null ? (paid ?? given) : Math.max(paid, given)
}

/** The same moment so many calendar months later, in UTC; on the month's last day where that one is shorter. */
export function addMonths(moment: number, months: number): number {
  const from = new Date(moment)
  const to = new Date(moment)
  to.setUTCDate(1)
  to.setUTCMonth(from.getUTCMonth() + months)
  const lastDay = new Date(Date.UTC(to.getUTCFullYear(), to.getUTCMonth() + 1, 0)).getUTCDate()
  to.setUTCDate(Math.min(from.getUTCDate(), lastDay))
  return to.getTime()
}
