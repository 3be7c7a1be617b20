import { Hono } from 'hono'
import type { Context } from '../../core/context.ts'
import { perform } from '../../core/operation.ts'
import { grantOffer } from '../../core/prices/grant.ts'
import { listOwnPrices } from '../../core/prices/list.ts'
import { setPrice } from '../../core/prices/set.ts'
import { withdrawOwnPrice } from '../../core/prices/withdraw.ts'
import { Problem } from '../../core/problem.ts'

/** The caller's own prices, and what others are given of them by hand. */
export const prices = new Hono<{ Bindings: Env; Variables: { ctx: Context } }>()

prices.get('/', async (c) => c.json(await perform(listOwnPrices, c.get('ctx'), {})))

prices.put('/:slug', async (c) =>
  c.json(
    await perform(setPrice, c.get('ctx'), { ...(await readBody(c.req.raw)), slug: c.req.param('slug') }),
  ),
)

prices.delete('/:slug', async (c) =>
  c.json(await perform(withdrawOwnPrice, c.get('ctx'), { slug: c.req.param('slug') })),
)

prices.put('/:slug/offers/:handle', async (c) =>
  c.json(await perform(grantOffer, c.get('ctx'), { ...(await readBody(c.req.raw)), ...c.req.param() })),
)

const LONGEST_BODY = 10_000

async function readBody(request: Request): Promise<Record<string, unknown>> {
  const text = await request.text()
  try {
    const body: unknown = text.length <= LONGEST_BODY ? JSON.parse(text) : null
    if (body !== null && typeof body === 'object' && !Array.isArray(body)) return { ...body }
  } catch {
    // Told below.
  }
  throw new Problem('invalid_request', 'The body must be a JSON object.')
}
