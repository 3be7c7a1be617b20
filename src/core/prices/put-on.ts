import type { Context } from '../context.ts'
import type { Fault } from '../problem.ts'
import type { ToolVersion } from '../tools/tool.ts'
import { parsePriceRef, type Price } from './price.ts'
import { findPrice, findPriceOfVersion, setToolPrice } from './store.ts'

/** The caller's own price that a publish names, or what is wrong with the name. */
export async function priceNamed(
  { db, caller }: Context,
  priceRef: string | undefined,
): Promise<Price | Fault | undefined> {
  if (priceRef === undefined) return undefined
  const path = 'price_ref'
  const ref = parsePriceRef(priceRef)
  const price = ref?.maker === caller.handle ? await findPrice(db, ref) : undefined
  if (!price) {
    const hint = 'make it with PUT /v1/prices/<slug> or on the page /prices, or leave price_ref out'
    return { path, message: 'names no price of this account', hint }
  }
  return price.withdrawnAt === null
    ? price
    : { path, message: 'names a price that was withdrawn', hint: 'make it anew, or leave price_ref out' }
}

/**
 * Publishes with a price on the tool. It is put on before, so that the tool is free for nobody meanwhile, and taken off
 * again when nothing is published.
 */
export async function withPrice<T>(
  { db }: Context,
  { version, price }: { version: ToolVersion; price: Price | Fault | undefined },
  publish: () => Promise<T>,
): Promise<T> {
  if (!price || !('id' in price)) return publish()
  const { toolRow } = version
  const earlier = await findPriceOfVersion(db, version.id)
  await setToolPrice(db, toolRow, price.id)
  try {
    return await publish()
  } catch (error) {
    await setToolPrice(db, toolRow, earlier?.id ?? null)
    throw error
  }
}
