import { Hono } from 'hono'
import { composeContext } from '../../../compose.ts'
import { perform } from '../../../core/operation.ts'
import { grantOffer } from '../../../core/prices/grant.ts'
import { listOwnPrices } from '../../../core/prices/list.ts'
import { setPrice } from '../../../core/prices/set.ts'
import { withdrawOwnPrice } from '../../../core/prices/withdraw.ts'
import { faultsOf, Field, Form, Submit, type Faults } from '../form.tsx'
import { Page } from '../page.tsx'
import { callerOf, readForm, requirePerson, type Person, type Web, type WebContext } from '../session.ts'

/** A maker's own prices. */
export const pricePages = new Hono<Web>()

interface ShownPrice {
  price_ref: string
  text: string
  per: 'run' | 'month'
  offer_page: string
  withdrawn?: boolean
  offers: { handle: string; runs_left?: number; until?: string | null }[]
}

pricePages.get('/', async (c) => show(c, await requirePerson(c)))

pricePages.post('/', (c) =>
  change(c, setPrice, (text) => ({
    slug: text('slug'),
    amount: Number(text('amount')),
    currency: text('currency').toUpperCase(),
    per: text('per'),
  })),
)

pricePages.post('/:slug/withdraw', (c) => change(c, withdrawOwnPrice, () => ({ slug: c.req.param('slug') })))

pricePages.post('/:slug/offers', (c) =>
  change(c, grantOffer, (text) => ({
    slug: c.req.param('slug'),
    handle: text('handle'),
    ...(text('runs') !== '' && { runs: Number(text('runs')) }),
    ...(text('until') !== '' && { until: `${text('until')}T00:00:00Z` }),
  })),
)

/** Does what a form asks and goes back to the list, or shows it with what is wrong. */
async function change(
  c: WebContext,
  operation: Parameters<typeof perform>[0],
  read: (text: (name: string) => string) => Record<string, unknown>,
) {
  const person = await requirePerson(c)
  const form = await readForm(c)
  try {
    await perform(
      operation,
      composeContext(c.env, callerOf(person)),
      read((name) => form.text(name)),
    )
    return c.redirect('/prices', 303)
  } catch (error) {
    return show(c, person, faultsOf(error))
  }
}

async function show(c: WebContext, person: Person, faults?: Faults) {
  const listed = await perform(listOwnPrices, composeContext(c.env, callerOf(person)), {})
  const prices = listed.prices as ShownPrice[]
  const said = Object.values(faults ?? {})
  return c.html(
    <Page title="Prices" person={person}>
      <p class="lead">
        A tool is free unless you publish it with a price. Your own runs are always free. A run is counted
        when it begins; nothing is renewed by itself.
      </p>
      {said.map((text) => (
        <p class="fault" role="alert">
          {text}
        </p>
      ))}
      <ul class="rows">
        {prices.map((price) => (
          <PriceRow c={c} price={price} />
        ))}
      </ul>
      <h2>Make a price, or change one</h2>
      <Form c={c} action="/prices">
        <Field label="Name" name="slug" maxlength={63} hint="publish_tool names it: price:<handle>/<name>" />
        <Field
          label="Amount"
          name="amount"
          type="number"
          min={1}
          hint="In the smallest unit: 1250 is 12.50 EUR."
        />
        <Field label="Currency" name="currency" maxlength={3} hint="Three letters, like EUR." />
        <div class="field">
          <label for="per">For one</label>
          <select id="per" name="per">
            <option value="run">run</option>
            <option value="month">month</option>
          </select>
        </div>
        <Submit>Save the price</Submit>
      </Form>
    </Page>,
    faults ? 400 : 200,
  )
}

function PriceRow({ c, price }: { c: WebContext; price: ShownPrice }) {
  const slug = price.price_ref.replace(/^.*\//, '')
  return (
    <li>
      <p>
        <code>{price.price_ref}</code> {price.text}
        {price.withdrawn && ', withdrawn'}
      </p>
      <p>
        <a href={price.offer_page}>Its offer</a>
      </p>
      {price.offers.map(({ handle, runs_left, until }) => (
        <p class="hint">
          {handle}:{' '}
          {price.per === 'run' ? `${runs_left} runs left` : `until ${until?.slice(0, 10) ?? 'never'}`}
        </p>
      ))}
      <Form c={c} action={`/prices/${slug}/offers`}>
        <Field
          label={`Give ${slug} to`}
          name="handle"
          id={`${slug}-handle`}
          hint="The handle of an account."
          maxlength={31}
        />
        {price.per === 'run' ? (
          <Field label="Runs in all" name="runs" id={`${slug}-runs`} type="number" min={0} />
        ) : (
          <Field label="Until" name="until" id={`${slug}-until`} type="date" />
        )}
        <Submit kind="quiet">Give it</Submit>
      </Form>
      {!price.withdrawn && (
        <Form c={c} action={`/prices/${slug}/withdraw`}>
          <Submit kind="danger">Withdraw</Submit>
        </Form>
      )}
    </li>
  )
}
