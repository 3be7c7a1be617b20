import { defineOperation } from '../operation.ts'
import { Problem } from '../problem.ts'
import { loadAccount, loadOwnPrice } from './load.ts'
import { refOf, SLUG, type Holding, type Price } from './price.ts'
import { findHolding, putOffer } from './store.ts'

interface GrantOffer {
  slug: string
  handle: string
  runs?: number
  until?: string
}

export const grantOffer = defineOperation({
  name: 'grant_offer',
  title: 'Give an account the offer of a price',
  description:
    'Sets what an account is given of a price by hand: runs in all, or time until a moment. What it paid for is apart and stays.',
  scope: 'publish',
  hints: { readOnly: false, destructive: false, idempotent: true, openWorld: false },
  input: {
    type: 'object',
    properties: {
      slug: { type: 'string', pattern: SLUG },
      handle: { type: 'string', maxLength: 31 },
      runs: {
        type: 'integer',
        minimum: 0,
        maximum: 1_000_000,
        description: 'Runs given in all, used ones too',
      },
      until: { type: 'string', maxLength: 40, description: 'Like 2027-01-31T00:00:00Z' },
    },
    required: ['slug', 'handle'],
    additionalProperties: false,
  },
  output: { type: 'object', properties: {} },
  async run(ctx, { slug, handle, runs, until }: GrantOffer) {
    const price = await loadOwnPrice(ctx, slug)
    const given = givenOf(price, { runs, until })
    const { id: accountId } = await loadAccount(ctx, handle)
    const held = { priceId: price.id, accountId }
    await putOffer(ctx.db, { ...held, ...given, now: ctx.now() })
    return { price_ref: refOf(price), handle, ...holdingAnswer(price, await findHolding(ctx.db, held)) }
  },
  audit: { act: 'offer_granted', subject: ({ handle }, { price_ref }) => `${price_ref} ${handle}` },
})

/** A price by the run is given in runs, one by the month in time. */
function givenOf({ per }: Price, { runs, until }: Pick<GrantOffer, 'runs' | 'until'>) {
  if (per === 'run') {
    if (runs !== undefined && until === undefined) return { runs, until: null }
    throw new Problem('invalid_request', 'This price is by the run: say runs, and no until.', {
      field: 'runs',
    })
  }
  const moment =
    until !== undefined && /^\d{4}-\d\d-\d\dT.*(Z|[+-]\d\d:\d\d)$/.test(until) ? Date.parse(until) : NaN
  if (runs === undefined && !Number.isNaN(moment)) return { runs: 0, until: moment }
  throw new Problem('invalid_request', 'This price is by the month: say until, and no runs.', {
    field: 'until',
    hint: 'A moment with its offset, like 2027-01-31T00:00:00Z.',
  })
}

/** What an account has, as answers show it. */
export const holdingAnswer = ({ per }: Pick<Price, 'per'>, { runs, used, until }: Holding) =>
  per === 'run'
    ? { runs_left: Math.max(0, runs - used), runs_used: used }
    : { until: until === null ? null : new Date(until).toISOString() }
