import { expect, test } from 'vitest'
import { notPublic, readIp } from '../../../src/core/net/ip.ts'
import { NOT_PUBLIC } from './addresses.ts'

const PUBLIC = [
  ['1.0.0.0', '9.255.255.255', '11.0.0.0', '100.63.255.255', '100.128.0.0', '126.255.255.255', '128.0.0.0'],
  ['169.253.255.255', '169.255.0.0', '172.15.255.255', '172.32.0.0', '191.255.255.255', '192.0.1.0'],
  ['192.0.1.255', '192.0.3.0', '192.88.98.255', '192.88.100.0', '192.167.255.255', '192.169.0.0'],
  ['198.17.255.255', '198.20.0.0', '198.51.99.255', '198.51.101.0', '203.0.112.255', '203.0.114.0'],
  ['223.255.255.255', '8.8.8.8', '2000::', '2001:200::', '2001:db7:ffff:ffff:ffff:ffff:ffff:ffff'],
  [
    '2001:db9::',
    '2001:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
    '2003::',
    '3ffe:ffff:ffff:ffff:ffff:ffff:ffff:ffff',
  ],
  ['3fff:1000::', '2606:4700:4700::1111'],
].flat()

test.each(NOT_PUBLIC)('%s is not public', (address) => {
  expect(notPublic(address)).toMatch(/^(an?|the) /)
})

test.each(PUBLIC)('%s is public', (address) => {
  expect(notPublic(address)).toBe(null)
})

test.each([
  '',
  '1',
  '1.2.3',
  '1.2.3.4.5',
  '256.1.1.1',
  '01.2.3.4x',
  '1.2.3.-4',
  ':',
  ':::',
  '1::2::3',
  '1:2:3:4:5:6:7',
  '1:2:3:4:5:6:7:8:9',
  '1:2:3:4:5:6:7::8',
  'g::',
  '12345::',
  '::1.2.3',
  '1.2.3.4::',
  '::1%eth0',
])('%j is no address, and so not public', (text) => {
  expect(readIp(text)).toBe(null)
  expect(notPublic(text)).toBe('no IP address')
})

test('an address has one meaning in all its spellings', () => {
  const spellings = ['::ffff:1.2.3.4', '0:0:0:0:0:FFFF:0102:0304', '::ffff:102:304', '0::ffff:1.2.3.4']
  expect(new Set(spellings.map((each) => String(readIp(each)))).size).toBe(1)
})
