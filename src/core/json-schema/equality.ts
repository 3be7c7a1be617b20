import type { Run } from './frame.ts'
import { isRecord } from './path.ts'

/** Whether two values are equal as JSON: 1 and 1.0 are, keys have no order, and 1 is not true. */
export function isSame(a: unknown, b: unknown, run: Pick<Run, 'spend'>): boolean {
  if (a === b) return true
  if (Array.isArray(a) && Array.isArray(b)) {
    run.spend(1)
    return a.length === b.length && a.every((item, index) => isSame(item, b[index], run))
  }
  if (!isRecord(a) || !isRecord(b)) return false
  const keys = Object.keys(a)
  run.spend(1 + keys.length)
  if (keys.length !== Object.keys(b).length) return false
  return keys.every((key) => Object.hasOwn(b, key) && isSame(a[key], b[key], run))
}

/** The places of the first two items that are equal, in time linear in what they hold. */
export function repeated(items: readonly unknown[], run: Pick<Run, 'spend'>): [number, number] | undefined {
  const scalars = new Map<unknown, number>()
  const containers = new Map<string, number>()
  for (const [index, item] of items.entries()) {
    run.spend(1)
    const isScalar = typeof item !== 'object' || item === null
    const earlier = isScalar ? seen(scalars, item, index) : seen(containers, canonical(item, run), index)
    if (earlier !== undefined) return [earlier, index]
  }
  return undefined
}

function seen<K>(places: Map<K, number>, key: K, index: number): number | undefined {
  const earlier = places.get(key)
  if (earlier === undefined) places.set(key, index)
  return earlier
}

/** A text that equal values share and no others: compact JSON with sorted keys. */
function canonical(value: unknown, run: Pick<Run, 'spend'>): string {
  run.spend(1)
  if (Array.isArray(value)) return `[${value.map((item) => canonical(item, run)).join(',')}]`
  if (isRecord(value)) {
    const names = Object.keys(value).sort()
    return `{${names.map((name) => `${JSON.stringify(name)}:${canonical(value[name], run)}`).join(',')}}`
  }
  if (typeof value === 'string') run.spend(value.length / 64)
  return JSON.stringify(value) ?? ''
}

/** Whether a number is a whole multiple of another, in the decimals that they are written with (4.35 of 0.01). */
export function isMultiple(value: number, step: number): boolean {
  if (!Number.isFinite(value) || !Number.isFinite(step) || step <= 0) return false
  const [digits, exponent] = decimal(value)
  const [stepDigits, stepExponent] = decimal(step)
  const shift = BigInt(Math.abs(exponent - stepExponent))
  return exponent >= stepExponent
    ? (digits * 10n ** shift) % stepDigits === 0n
    : digits % (stepDigits * 10n ** shift) === 0n
}

/** A number as digits × 10^exponent, exactly as it is written. */
function decimal(value: number): [digits: bigint, exponent: number] {
  const [mantissa = '0', exponent = '0'] = String(value).split('e')
  const [whole = '0', fraction = ''] = mantissa.split('.')
  return [BigInt(whole + fraction), Number(exponent) - fraction.length]
}
