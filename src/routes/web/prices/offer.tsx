import { Hono } from 'hono'
import { composeContext } from '../../../compose.ts'
import { beginCheckout, MOST_AT_ONCE } from '../../../core/prices/checkout.ts'
import { holdingAnswer } from '../../../core/prices/grant.ts'
import { priceText, refOf, type Price } from '../../../core/prices/price.ts'
import { findHolding, findPrice } from '../../../core/prices/store.ts'
import { Problem } from '../../../core/problem.ts'
import { openDb } from '../../../db/client.ts'
import { faultsOf, Field, Form, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { callerOf, readForm, readSession, requirePerson, type Web, type WebContext } from '../session.ts'
import { checkoutOf } from './checkout.ts'

/** Where a person sees what a price buys, and takes it. */
export const offerPages = new Hono<Web>()

offerPages.get('/:handle/:slug', async (c) => show(c, await load(c)))

offerPages.post('/:handle/:slug', async (c) => {
  const person = await requirePerson(c)
  const form = await readForm(c)
  const price = await load(c)
  try {
    const ctx = composeContext(c.env, callerOf(person))
    return c.redirect(
      await beginCheckout(ctx, checkoutOf(c.env), { price, quantity: Number(form.text('quantity')) }),
      303,
    )
  } catch (error) {
    return show(c, price, faultsOf(error))
  }
})

async function load(c: WebContext): Promise<Price> {
  const { handle = '', slug = '' } = c.req.param()
  const price = await findPrice(openDb(c.env.DB), { maker: handle, slug: slug.toLowerCase() })
  if (price) return price
  throw new Problem('not_found', 'There is no such offer.')
}

async function show(c: WebContext, price: Price, faults?: Faults) {
  const person = await readSession(c)
  const holding =
    person && (await findHolding(openDb(c.env.DB), { priceId: price.id, accountId: person.accountId }))
  const isOpen = checkoutOf(c.env) !== null && price.withdrawnAt === null
  c.set('formTarget', 'https://checkout.stripe.com')
  return c.html(
    <Page title={priceText(price)} person={person}>
      <p class="lead">
        <strong>{price.maker}</strong> asks this for tools with the price <code>{refOf(price)}</code>.
      </p>
      {c.req.query('paid') !== undefined && (
        <p class="note" role="status">
          Thank you. What you paid for shows below as soon as Stripe has told us, mostly within seconds.
        </p>
      )}
      {holding && person.accountId !== price.accountId && <p>{holdingText(holdingAnswer(price, holding))}</p>}
      {person?.accountId === price.accountId && <p>It is your own: your runs are free.</p>}
      {price.withdrawnAt !== null && <p>Its maker withdrew the offer. What was taken of it stays good.</p>}
      {!isOpen && price.withdrawnAt === null && (
        <p>No payments are taken here: ask {price.maker} to give you the offer.</p>
      )}
      {isOpen && person?.accountId !== price.accountId && <Take c={c} price={price} faults={faults} />}
    </Page>,
    faults ? 400 : 200,
  )
}

function Take({ c, price, faults }: { c: WebContext; price: Price; faults?: Faults }) {
  const path = `/offers/${price.maker}/${price.slug}`
  const hint =
    price.per === 'run'
      ? 'A run is counted when it begins. Runs do not expire.'
      : 'They follow on each other. Nothing is renewed by itself.'
  return (
    <Form c={c} action={path} faults={faults}>
      <Field
        label={price.per === 'run' ? 'Runs' : 'Months'}
        name="quantity"
        type="number"
        value={price.per === 'run' ? '100' : '1'}
        min={1}
        max={MOST_AT_ONCE[price.per]}
        hint={hint}
        faults={faults}
      />
      <Submit>Go to the payment</Submit>
    </Form>
  )
}

const holdingText = (held: ReturnType<typeof holdingAnswer>): string =>
  'runs_left' in held
    ? `You have ${held.runs_left} runs left.`
    : held.until === null
      ? 'You have no time of it yet.'
      : `You have it until ${held.until.slice(0, 10)}.`
