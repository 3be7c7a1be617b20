import { Hono } from 'hono'
import { composePlace } from '../../compose.ts'
import { takeMessage } from '../../core/prices/checkout.ts'
import { Problem } from '../../core/problem.ts'
import { checkoutOf } from '../web/prices/checkout.ts'
import { refusal } from './answer.ts'

const LONGEST_MESSAGE = 256 * 1024

/** What Stripe tells of payments. Whatever is not answered with 200 it tells again, for days. */
export const stripe = new Hono<{ Bindings: Env }>()

stripe.onError(refusal)

stripe.post('/webhook', async (c) => {
  const checkout = checkoutOf(c.env)
  if (!checkout) throw new Problem('not_available', 'This Workshop takes no payments.')
  if (Number(c.req.header('content-length') ?? 0) > LONGEST_MESSAGE) {
    throw new Problem('too_large', 'This message is longer than any of Stripe.')
  }
  const signature = c.req.header('stripe-signature') ?? null
  await takeMessage(composePlace(c.env), checkout, { body: await c.req.text(), signature })
  return c.json({ received: true })
})
