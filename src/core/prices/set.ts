import { newId } from '../ids.ts'
import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { CURRENCIES } from './currencies.ts'
import { priceAnswer, SLUG, type Per } from './price.ts'
import { loadOwnPrice } from './load.ts'
import { putPrice } from './store.ts'

interface SetPrice {
  slug: string
  amount: number
  currency: string
  per: Per
}

/** Most of an amount: what payment providers take at once, in any currency. */
const MOST = 99_999_999

export const setPrice = defineOperation({
  name: 'set_price',
  title: 'Make or change a price',
  description:
    'Makes a price that publish_tool can put on tools, or changes it for offers taken from now on. What was taken stays as it is.',
  scope: 'publish',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      slug: { type: 'string', pattern: SLUG },
      amount: {
        type: 'integer',
        minimum: 1,
        maximum: MOST,
        description: 'In the smallest unit: 1250 is 12.50 EUR',
      },
      currency: { type: 'string', description: 'A code of ISO 4217, like EUR' },
      per: { enum: ['run', 'month'] },
    },
    required: ['slug', 'amount', 'currency', 'per'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: {} },
  async run(ctx, { slug, amount, currency, per }: SetPrice) {
    if (!CURRENCIES.has(currency)) {
      const hint = 'Use three capital letters, like EUR, USD or JPY.'
      throw new Problem('invalid_request', 'currency must be a code of ISO 4217.', {
        field: 'currency',
        hint,
      })
    }
    const made = { id: newId('price', ctx), accountId: ctx.caller.accountId, slug: slug.toLowerCase() }
    if (!(await putPrice(ctx.db, { ...made, amount, currency, per, now: ctx.now() }))) {
      throw new Problem(
        'invalid_request',
        'This price is held by others, so it stays by the run or by the month.',
        {
          field: 'per',
          hint: 'Make another price and publish the tool with that one.',
        },
      )
    }
    return priceAnswer(await loadOwnPrice(ctx, slug), ctx.origin)
  },
  audit: { act: 'price_set', subject: (_input, { price_ref, text }) => `${price_ref} ${text}` },
})
