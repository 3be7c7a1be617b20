import { afterEach, beforeEach, expect, test, vi } from 'vitest'
import { Turnstile, type Place, type Room } from '../../containers/runner/jobs/turnstile.ts'

beforeEach(() => void vi.useFakeTimers())
afterEach(() => void vi.useRealTimers())

const never = new AbortController().signal

/** A turnstile, and those who came in, in that order. */
function scene(room: Partial<Room> = {}) {
  const turnstile = new Turnstile({ places: 2, young: 2, queue: 10, ...room })
  const inside: { account: string; place: Place }[] = []
  const come = async (account: string, signal = never) => {
    const place = await turnstile.enter(account, signal)
    if (place) inside.push({ account, place })
    return place !== null
  }
  return { turnstile, inside, come, names: () => inside.map(({ account }) => account).join('') }
}

test('so many come in, the others as they leave, in the order in which they came', async () => {
  const { turnstile, inside, come, names } = scene()
  const all = Promise.all(['a', 'a', 'a', 'a'].map((account) => come(account)))
  await vi.advanceTimersByTimeAsync(0)
  expect([names(), turnstile.inside]).toEqual(['aa', 2])
  inside[0]?.place.leave()
  inside[0]?.place.leave()
  await vi.advanceTimersByTimeAsync(0)
  expect([names(), turnstile.inside]).toEqual(['aaa', 2])
  inside[1]?.place.leave()
  expect(await all).toEqual([true, true, true, true])
})

test('the account with fewest inside is next, then the one that came in longest ago', async () => {
  const { inside, come, names } = scene()
  for (const account of ['a', 'a', 'a', 'a', 'b', 'b', 'c']) void come(account)
  await vi.advanceTimersByTimeAsync(0)
  for (let i = 0; i < 5; i += 1) {
    inside[i]?.place.leave()
    await vi.advanceTimersByTimeAsync(0)
  }
  expect(names()).toBe('aabacba')
})

test('those who came in lately are few; who stays longer keeps a place and lets another in', async () => {
  const { turnstile, come, names } = scene({ places: 3, young: 1 })
  for (const account of ['a', 'a', 'a', 'a']) void come(account)
  await vi.advanceTimersByTimeAsync(249)
  expect(turnstile.inside).toBe(1)
  await vi.advanceTimersByTimeAsync(1)
  expect(turnstile.inside).toBe(2)
  await vi.advanceTimersByTimeAsync(500)
  expect([names(), turnstile.inside]).toEqual(['aaa', 3])
})

test('an account that has nobody inside finds a place for one more, and is told that it is alone', async () => {
  const { inside, come, names } = scene({ places: 5, young: 1 })
  for (const account of ['a', 'a', 'b', 'b']) void come(account)
  await vi.advanceTimersByTimeAsync(0)
  expect(names()).toBe('ab')
  await vi.advanceTimersByTimeAsync(600)
  expect(inside.map(({ place }) => place.isOnly)).toEqual([true, true, false, false])
})

test('who only clears away does not count for its account', async () => {
  const { inside, come } = scene()
  await come('a')
  inside[0]?.place.done()
  await come('a')
  expect(inside[1]?.place.isOnly).toBe(true)
})

test('who gives up in line never comes in, and leaves its place in line', async () => {
  const { turnstile, inside, come, names } = scene({ places: 1, queue: 1 })
  const stop = new AbortController()
  void come('a')
  const given = come('b', stop.signal)
  await vi.advanceTimersByTimeAsync(0)
  expect(turnstile.isFull).toBe(true)
  stop.abort()
  expect(await given).toBe(false)
  expect(turnstile.isFull).toBe(false)
  const later = come('c')
  inside[0]?.place.leave()
  expect(await later).toBe(true)
  expect(names()).toBe('ac')
  expect(await come('d', stop.signal)).toBe(false)
})
