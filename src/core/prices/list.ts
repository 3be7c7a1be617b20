import { defineOperation } from '../operation.ts'
import { holdingAnswer } from './grant.ts'
import { priceAnswer } from './price.ts'
import { findHolding, listHolders, listPrices } from './store.ts'

export const listOwnPrices = defineOperation({
  name: 'list_prices',
  title: 'List own prices',
  description: "Lists the account's own prices and who holds what of each.",
  scope: 'read',
  hints: { readOnly: true, destructive: false, idempotent: true, openWorld: false },
  input: { type: 'object', properties: {}, additionalProperties: false },
  output: { type: 'object', properties: {} },
  async run({ db, caller, origin }) {
    const prices = await listPrices(db, caller.accountId)
    return {
      prices: await Promise.all(
        prices.map(async (price) => {
          const holders = await listHolders(db, price.id)
          const offers = holders.map(async ({ accountId, handle }) => {
            const holding = await findHolding(db, { priceId: price.id, accountId })
            return { handle, ...holdingAnswer(price, holding) }
          })
          return { ...priceAnswer(price, origin), offers: await Promise.all(offers) }
        }),
      ),
    }
  },
})
