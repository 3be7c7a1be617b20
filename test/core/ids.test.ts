import { expect, test } from 'vitest'
import { newId, sha256Hex, toHex, type Source } from '../../src/core/ids.ts'

const at = (now: number, byte: number): Source => ({
  now: () => now,
  random: (count) => new Uint8Array(count).fill(byte),
})

test('an id is its prefix, then time, then chance', () => {
  expect(newId('task', at(0, 0))).toBe(`task_${'0'.repeat(26)}`)
  expect(newId('task', at(0, 255))).toBe('task_0000000000zzzzzzzzzzzzzzzz')
  expect(newId('t', at(2 ** 48 - 1, 255))).toBe(`t_7${'z'.repeat(25)}`)
})

test('ids sort by the time they were made', () => {
  const ids = [1, 31, 32, 1e3, 1.7e12, 1.8e12].map((now) => newId('task', at(now, 7)))
  expect(ids.toSorted()).toEqual(ids)
})

test('hashes are lower hex', async () => {
  expect(toHex(Uint8Array.of(0, 10, 255))).toBe('000aff')
  expect(await sha256Hex('abc')).toBe('ba7816bf8f01cfea414140de5dae2223b00361a396177a9cb410ff61f20015ad')
})
