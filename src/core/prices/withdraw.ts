import { defineOperation } from '../operation.ts'
import { loadOwnPrice } from './load.ts'
import { priceAnswer, SLUG } from './price.ts'
import { withdrawPrice } from './store.ts'

export const withdrawOwnPrice = defineOperation({
  name: 'withdraw_price',
  title: 'Withdraw a price',
  description:
    'Ends the offer of a price: nobody can take it any more, and tools that have it run for those alone who hold it.',
  scope: 'publish',
  hints: { readOnly: false, destructive: true, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: { slug: { type: 'string', pattern: SLUG } },
    required: ['slug'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: {} },
  async run(ctx, { slug }: { slug: string }) {
    const price = await loadOwnPrice(ctx, slug)
    const { accountId } = ctx.caller
    const isNew = await withdrawPrice(ctx.db, { accountId, slug: price.slug, now: ctx.now() })
    return { ...priceAnswer(price, ctx.origin), withdrawn: true, ...(!isNew && { is_unchanged: true }) }
  },
  audit: {
    act: 'price_withdrawn',
    subject: (_input, answer) => ('is_unchanged' in answer ? null : answer.price_ref),
  },
})
