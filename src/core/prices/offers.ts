import type { Context } from '../context.ts'
import { Problem } from '../problem.ts'
import type { Task, TaskSpec } from '../tasks/task.ts'
import type { ToolVersion } from '../tools/tool.ts'
import { covers, offerPage, priceAnswer, priceText, type Price } from './price.ts'
import { countRun, findHolding, findPriceOfVersion } from './store.ts'

type Needs = Pick<Context, 'db' | 'now' | 'origin'>

/** Refuses a run of another maker's tool that the caller has no offer for. Nothing is counted yet. */
export async function needOffer(ctx: Needs & Pick<Context, 'caller'>, version: ToolVersion): Promise<void> {
  if (version.isOwn) return
  const price = await findPriceOfVersion(ctx.db, version.id)
  if (!price) return
  const holding = await findHolding(ctx.db, { priceId: price.id, accountId: ctx.caller.accountId })
  if (!covers(price.per, holding, ctx.now())) throw paymentRequired(price, ctx.origin)
}

/**
 * Has a run begin on what its account holds of the price, if its tool has one. A run is counted once, when it begins;
 * null means that it may. The maker's own runs are free.
 */
export async function payForRun(
  { db, now, origin }: Needs,
  { id: taskId, accountId }: Pick<Task, 'id' | 'accountId'>,
  { toolId, versionId }: Pick<TaskSpec, 'toolId' | 'versionId'>,
): Promise<Problem | null> {
  // The account's own tools are named without their maker.
  if (!toolId.includes('/')) return null
  const price = await findPriceOfVersion(db, versionId)
  if (!price || price.accountId === accountId) return null
  const held = { priceId: price.id, accountId }
  const isPaid =
    price.per === 'run'
      ? await countRun(db, { ...held, taskId, now: now() })
      : covers(price.per, await findHolding(db, held), now())
  return isPaid ? null : paymentRequired(price, origin)
}

/** The refusal of a run without an offer: what it costs, and where the offer is taken. */
export function paymentRequired(price: Price, origin: string): Problem {
  const page = offerPage(price, origin)
  const hint =
    price.withdrawnAt === null
      ? `Ask the person to take the offer at ${page}, then send the same call again.`
      : 'Its maker withdrew the offer, so nobody can take it any more. Look for another tool.'
  return new Problem(
    'payment_required',
    `This tool costs ${priceText(price)}, and this account has no run left.`,
    {
      hint,
      price: priceAnswer(price, origin),
    },
  )
}
