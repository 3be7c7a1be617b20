import { and, asc, eq, inArray, max, sql } from 'drizzle-orm'
import type { Db } from '../../db/client.ts'
import { account } from '../../db/schema/account.ts'
import { offer, paidRun, payment, price, toolPrice } from '../../db/schema/price.ts'
import { toolVersion } from '../../db/schema/tool.ts'
import { paidUntil, type Holding, type Price } from './price.ts'

const columns = {
  id: price.id,
  accountId: price.account_id,
  maker: account.handle,
  slug: price.slug,
  amount: price.amount,
  currency: price.currency,
  per: price.per,
  withdrawnAt: price.withdrawn_at,
}

const prices = (db: Db) => db.select(columns).from(price).innerJoin(account, eq(account.id, price.account_id))

/** A price by its reference, also a withdrawn one. */
export const findPrice = (
  db: Db,
  { maker, slug }: { maker: string; slug: string },
): Promise<Price | undefined> =>
  prices(db)
    .where(and(eq(account.handle, maker), eq(price.slug, slug)))
    .get()

export const findPriceById = (db: Db, id: string): Promise<Price | undefined> =>
  prices(db).where(eq(price.id, id)).get()

export const listPrices = (db: Db, accountId: string): Promise<Price[]> =>
  prices(db).where(eq(price.account_id, accountId)).orderBy(asc(price.slug))

export interface NewPrice extends Pick<Price, 'id' | 'accountId' | 'slug' | 'amount' | 'currency' | 'per'> {
  now: number
}

/**
 * Sets a price, or sets it anew. Whether it is by the run or by the month stays once anybody has it: what they hold
 * would mean nothing else. False when that is what stood against it.
 */
export async function putPrice(db: Db, { now, ...made }: NewPrice): Promise<boolean> {
  const { amount, currency, per } = made
  const isHeld = sql`(exists (select 1 from ${offer} where ${offer.price_id} = ${price.id})
    or exists (select 1 from ${payment} where ${payment.price_id} = ${price.id}))`
  const rows = await db
    .insert(price)
    .values({ ...made, account_id: made.accountId, created_at: now, withdrawn_at: null })
    .onConflictDoUpdate({
      target: [price.account_id, price.slug],
      set: { amount, currency, per, withdrawn_at: null },
      setWhere: sql`${price.per} = ${per} or not ${isHeld}`,
    })
    .returning({ id: price.id })
  return rows.length > 0
}

/** False when there is no such price, or it was withdrawn before. */
export async function withdrawPrice(
  db: Db,
  { accountId, slug, now }: { accountId: string; slug: string; now: number },
): Promise<boolean> {
  const rows = await db
    .update(price)
    .set({ withdrawn_at: now })
    .where(and(eq(price.account_id, accountId), eq(price.slug, slug), sql`${price.withdrawn_at} is null`))
    .returning({ id: price.id })
  return rows.length > 0
}

/** Who holds what of a price. */
interface Held {
  priceId: string
  accountId: string
}

const isHeldBy = ({ priceId, accountId }: Held) =>
  [
    and(eq(offer.price_id, priceId), eq(offer.account_id, accountId)),
    and(eq(payment.price_id, priceId), eq(payment.account_id, accountId)),
    and(eq(paidRun.price_id, priceId), eq(paidRun.account_id, accountId)),
  ] as const

export async function findHolding(db: Db, held: Held): Promise<Holding> {
  const [isGiven, isPaid, isUsed] = isHeldBy(held)
  const [given, payments, used] = await db.batch([
    db.select({ runs: offer.runs, until: offer.until }).from(offer).where(isGiven),
    db.select({ paidAt: payment.paid_at, quantity: payment.quantity }).from(payment).where(isPaid),
    db
      .select({ number: max(paidRun.number) })
      .from(paidRun)
      .where(isUsed),
  ])
  return {
    runs: payments.reduce((sum, { quantity }) => sum + quantity, given[0]?.runs ?? 0),
    used: used[0]?.number ?? 0,
    until: paidUntil(payments, given[0]?.until ?? null),
  }
}

export interface Grant extends Held {
  runs: number
  until: number | null
  now: number
}

/** Sets what is given by hand. Given runs are used up before paid ones, so what was used of them stays counted. */
export async function putOffer(db: Db, { priceId, accountId, runs, until, now }: Grant): Promise<void> {
  const [, , isUsed] = isHeldBy({ priceId, accountId })
  const used = sql`coalesce((select max(${paidRun.number}) from ${paidRun} where ${isUsed}), 0)`
  await db
    .insert(offer)
    .values({ price_id: priceId, account_id: accountId, runs, until, updated_at: now })
    .onConflictDoUpdate({
      target: [offer.price_id, offer.account_id],
      set: { runs: sql`max(${runs}, min(${offer.runs}, ${used}))`, until, updated_at: now },
    })
}

/** Everybody who was given or has paid for something of a price, by handle. */
export async function listHolders(db: Db, priceId: string): Promise<{ accountId: string; handle: string }[]> {
  return db
    .select({ accountId: account.id, handle: account.handle })
    .from(account)
    .where(
      sql`${account.id} in (select ${offer.account_id} from ${offer} where ${offer.price_id} = ${priceId}
        union select ${payment.account_id} from ${payment} where ${payment.price_id} = ${priceId})`,
    )
    .orderBy(asc(account.handle))
    .limit(500)
}

export interface NewPayment extends Held {
  checkoutId: string
  quantity: number
  amount: number
  currency: string
  now: number
}

/** Notes a payment; one that is told of again changes nothing. */
export async function insertPayment(db: Db, made: NewPayment): Promise<void> {
  const { checkoutId, priceId, accountId, quantity, amount, currency, now } = made
  await db
    .insert(payment)
    .values({
      checkout_id: checkoutId,
      price_id: priceId,
      account_id: accountId,
      quantity,
      amount,
      currency,
      paid_at: now,
    })
    .onConflictDoNothing()
}

/** Counts a run off an offer, once for each task, in one statement: of two that want the last run one gets it. */
export async function countRun(
  db: Db,
  { priceId, accountId, taskId, now }: Held & { taskId: string; now: number },
): Promise<boolean> {
  const [isGiven, isPaid, isUsed] = isHeldBy({ priceId, accountId })
  const used = sql`(select coalesce(max(${paidRun.number}), 0) from ${paidRun} where ${isUsed})`
  const runs = sql`(coalesce((select ${offer.runs} from ${offer} where ${isGiven}), 0)
    + coalesce((select sum(${payment.quantity}) from ${payment} where ${isPaid}), 0))`
  await db.run(sql`
    insert into ${paidRun} (price_id, account_id, number, task_id, counted_at)
    select ${priceId}, ${accountId}, ${used} + 1, ${taskId}, ${now} where ${used} < ${runs}
    on conflict do nothing`)
  const counted = await db
    .select({ number: paidRun.number })
    .from(paidRun)
    .where(eq(paidRun.task_id, taskId))
    .get()
  return counted !== undefined
}

/** Asks for the prices that stand on the tools of these versions. Not sent yet. */
export const pricesQuery = (db: Db, ids: number[]) =>
  db
    // Rows of a batch have names: another id would hide the price's own.
    .select({ ...columns, versionId: sql<number>`${toolVersion.id}`.as('version_id') })
    .from(toolVersion)
    .innerJoin(toolPrice, eq(toolPrice.tool_id, toolVersion.tool_id))
    .innerJoin(price, eq(price.id, toolPrice.price_id))
    .innerJoin(account, eq(account.id, price.account_id))
    .where(inArray(toolVersion.id, ids))

/** The price that stands on the tool of each of these versions, by the row of the version. */
export async function pricesOfVersions(db: Db, ids: number[]): Promise<Map<number, Price>> {
  const rows = ids.length === 0 ? [] : await pricesQuery(db, ids)
  return new Map(rows.map(({ versionId, ...found }) => [versionId, found]))
}

export const findPriceOfVersion = async (db: Db, id: number): Promise<Price | undefined> =>
  (await pricesOfVersions(db, [id])).get(id)

/** Puts a price on a tool, or takes it off. */
export async function setToolPrice(db: Db, toolRow: string, priceId: string | null): Promise<void> {
  if (priceId === null) {
    await db.delete(toolPrice).where(eq(toolPrice.tool_id, toolRow))
    return
  }
  await db
    .insert(toolPrice)
    .values({ tool_id: toolRow, price_id: priceId })
    .onConflictDoUpdate({ target: toolPrice.tool_id, set: { price_id: priceId } })
}
