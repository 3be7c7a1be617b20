import { expect, test } from 'vitest'
import { networkOf } from '../../../src/routes/web/sign-in/guard.ts'

test.each([
  ['203.0.113.9', '203.0.113.9'],
  ['2001:db8:1:2:3:4:5:6', '2001:db8:1:2'],
  ['2001:0DB8:0001:0002::9', '2001:db8:1:2'],
  ['2001:db8::1', '2001:db8:0:0'],
  ['::1', '0:0:0:0'],
  ['no: address', 'no: address'],
])('tries from %s count for %s', (address, network) => {
  expect(networkOf(address)).toBe(network)
})
