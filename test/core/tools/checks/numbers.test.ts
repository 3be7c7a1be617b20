import { expect, test } from 'vitest'
import { closeTo, within } from '../../../../src/core/tools/checks/numbers.ts'

const NOT = 'which is not a number or a list of numbers.'

test.each<[unknown, [number, number], string | undefined]>([
  [1, [1, 1], undefined],
  [-0, [0, 0], undefined],
  ['119.99', [100, 120], undefined],
  ['-1e2', [-100, 0], undefined],
  [[1, '2', 3], [1, 3], undefined],
  [[1, 4, 5], [1, 3], 'The output 4 is not from 1 to 3.'],
  [1.000001, [0, 1], 'The output 1.000001 is not from 0 to 1.'],
  ['12 px', [0, 20], `The output is "12 px", ${NOT}`],
  ['', [0, 20], `The output is "", ${NOT}`],
  ['0x10', [0, 20], `The output is "0x10", ${NOT}`],
  ['1e999', [0, 20], `The output is "1e999", ${NOT}`],
  [[], [0, 20], `The output is [], ${NOT}`],
  [true, [0, 20], `The output is true, ${NOT}`],
  [{ valueOf: 1 }, [0, 20], `The output is {"valueOf":1}, ${NOT}`],
  [[1, [2]], [0, 20], `The output is [1,[2]], ${NOT}`],
])('%j within %j', (value, [min, max], failing) => {
  expect(within(value, { min, max })).toBe(failing)
})

test.each<[unknown, { to: unknown; by: number }, string | undefined]>([
  [1.1, { to: 1, by: 0.1 }, undefined],
  [0.3, { to: 0.1, by: 0.2 }, undefined],
  [1e21, { to: 1e21, by: 0 }, undefined],
  [0.1 + 0.2, { to: 0.3, by: 0 }, 'The output 0.30000000000000004 is not within 0 of 0.3.'],
  [1.11, { to: 1, by: 0.1 }, 'The output 1.11 is not within 0.1 of 1.'],
  ['9.90', { to: '10', by: 0.1 }, undefined],
  [[1, 2, 3], { to: 2, by: 1 }, undefined],
  [[1, 2, 4], { to: 2, by: 1 }, 'The output 4 is not within 1 of 2.'],
  [[1, 2], { to: [1, 2.5], by: 0.5 }, undefined],
  [[1, 2], { to: [2, 1], by: 0.5 }, 'The output 1 is not within 0.5 of 2.'],
  [[1, 2, 3], { to: [1, 2], by: 1 }, 'The output has 3 numbers, where 2 are expected.'],
  [1, { to: [1, 2], by: 1 }, 'The output has 1 number, where 2 are expected.'],
  [null, { to: 1, by: 1 }, `The output is null, ${NOT}`],
  [1, { to: null, by: 1 }, `The value to compare with is null, ${NOT}`],
  [1, { to: [], by: 1 }, `The value to compare with is [], ${NOT}`],
])('%j is close to %j', (value, { to, by }, failing) => {
  expect(closeTo(value, to, by)).toBe(failing)
})
