import { expect, test } from 'vitest'
import { CURRENCIES, moneyText } from '../../../src/core/prices/currencies.ts'
import { addMonths, covers, paidUntil, parsePriceRef } from '../../../src/core/prices/price.ts'
import { paidOf, stripeAmount } from '../../../src/core/prices/stripe.ts'

const at = (text: string) => Date.parse(`${text}T00:00:00Z`)

test.each([
  ['price:ann/vat', { maker: 'ann', slug: 'vat' }],
  ['price:ann/VAT-2', { maker: 'ann', slug: 'vat-2' }],
  ['price:ann', null],
  ['price:Ann/vat', null],
  ['tool:ann/vat', null],
  ['price:ann/vat/x', null],
])('%s is read', (text, read) => {
  expect(parsePriceRef(text)).toEqual(read)
})

test('currencies are those of ISO 4217, with their digits', () => {
  expect([...CURRENCIES.keys()].filter((code) => !/^[A-Z]{3}$/.test(code))).toEqual([])
  expect(['EUR', 'JPY', 'KWD', 'XXX'].map((code) => CURRENCIES.get(code))).toEqual([2, 0, 3, undefined])
  const known = new Set(Intl.supportedValuesOf('currency'))
  // Not in the table of this runtime.
  const isNew = new Set(['VED', 'XCG'])
  expect([...CURRENCIES.keys()].filter((code) => !known.has(code) && !isNew.has(code))).toEqual([])
})

test.each([
  [1250, 'EUR', '12.50 EUR'],
  [5, 'EUR', '0.05 EUR'],
  [500, 'JPY', '500 JPY'],
  [5, 'KWD', '0.005 KWD'],
])('%i of %s is %s', (amount, currency, text) => {
  expect(moneyText(amount, currency)).toBe(text)
})

test.each([
  ['2026-01-31', 1, '2026-02-28'],
  ['2027-12-31', 2, '2028-02-29'],
  ['2026-11-30', 12, '2027-11-30'],
])('%s and %i months is %s', (from, months, to) => {
  expect(addMonths(at(from), months)).toBe(at(to))
})

test('months follow on each other in whatever order their payments were told', () => {
  const january = { paidAt: at('2026-01-10'), quantity: 1 }
  const early = { paidAt: at('2026-01-20'), quantity: 2 }
  const late = { paidAt: at('2026-08-01'), quantity: 1 }
  for (const payments of [
    [january, early],
    [early, january],
  ]) {
    expect(paidUntil(payments, null)).toBe(at('2026-04-10'))
  }
  expect(paidUntil([late, january], null)).toBe(at('2026-09-01'))
  expect(paidUntil([january], at('2026-03-01'))).toBe(at('2026-03-01'))
  expect(paidUntil([], null)).toBeNull()
})

test('runs cover as many as there are, months until their last moment', () => {
  const time = { runs: 0, used: 0, until: 100 }
  expect([covers('month', time, 99), covers('month', time, 100)]).toEqual([true, false])
  expect([
    covers('run', { runs: 2, used: 1, until: null }, 0),
    covers('run', { runs: 2, used: 2, until: null }, 0),
  ]).toEqual([true, false])
})

test('Stripe is told amounts as it takes them', () => {
  expect([stripeAmount(5, 'EUR'), stripeAmount(5, 'ISK'), stripeAmount(50, 'KWD')]).toEqual([5, 500, 50])
  expect(() => stripeAmount(55, 'KWD')).toThrow('only in tens')
})

test.each([
  ['charge.succeeded', 'paid', { price_id: 'p', account_id: 'a', quantity: '2' }],
  ['checkout.session.completed', 'unpaid', { price_id: 'p', account_id: 'a', quantity: '2' }],
  ['checkout.session.completed', 'paid', {}],
])('%s, %s, %j is no payment of ours', (type, payment_status, metadata) => {
  const event = { type, created: 1, data: { object: { id: 'cs_1', payment_status, metadata } } }
  expect(paidOf(event as unknown as Parameters<typeof paidOf>[0])).toBeNull()
})
