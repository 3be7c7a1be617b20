import { describe, expect, test } from 'vitest'
import { addressFault, redirectTarget, type AddressRules } from '../../../src/core/net/address.ts'
import { SPELLINGS } from './addresses.ts'

const RULES: AddressRules = { ownHosts: ['workshop.example.com'], allowed: new Set(['127.0.0.1:4443']) }
const faultOf = (url: string) => addressFault(url, RULES)

test.each([
  'https://api.example.com/v1?q=a#b',
  'https://API.Example.com',
  'https://api.example.com:443/',
  'https://api.example.com:/',
  'https://xn--bcher-kva.example/',
  'https://8.8.8.8/',
  'https://[2606:4700:4700::1111]/',
  'https://[2606:4700:4700:0:0:0:0:1111]/',
  'https://127.0.0.1.example.com/',
  'https://localhost.example.com/',
  'https://notworkshop.example.com/',
  'https://127.0.0.1:4443/x',
])('%s may be called', (url) => {
  expect(faultOf(url)).toBe(null)
})

test.each(SPELLINGS)('%s may not', (url) => {
  expect(faultOf(url)).toMatch(/^it(s host)? (is|has|names) /)
})

test.each([
  ['https://workshop.example.com/v1', 'its host is this server'],
  ['https://WORKSHOP.example.com./', 'its host is a name with a dot at its end'],
  ['https://api.example.com:8443/', 'it has the port 8443, and only 443 may be called'],
  ['https://api.example.com:80/', 'it has the port 80, and only 443 may be called'],
  ['https://me@api.example.com/', 'it names a user'],
  ['https://@api.example.com/', 'it names a user'],
  ['https://0x08080808/', 'its host is spelled in an odd way'],
  ['https://8.8.2056/', 'its host is spelled in an odd way'],
  ['https://bücher.example/', 'its host is spelled in an odd way'],
  ['https://api%2eexample.com/', 'its host is spelled in an odd way'],
  ['https://api.example。com/', 'its host is spelled in an odd way'],
  ['https://127.0.0.1:4444/', 'its host is a loopback address'],
  ['https://user@127.0.0.1:4443/', 'it names a user'],
  ['http://127.0.0.1:4443/', 'it is not https'],
  ['https://[::1]:4443/', 'its host is a loopback address'],
  ['https://a b/', 'it is not a web address'],
  ['https://1.2.3.4.5/', 'it is not a web address'],
  ['file:///etc/passwd', 'it is not https'],
])('%s is refused: %s', (url, fault) => {
  expect(faultOf(url)).toBe(fault)
})

describe('a redirect', () => {
  const from = new URL('https://api.example.com/v1/a?b=c')

  test.each([
    ['/v2', 'https://api.example.com/v2'],
    ['next', 'https://api.example.com/v1/next'],
    ['?d', 'https://api.example.com/v1/a?d'],
    ['//other.example.com/x', 'https://other.example.com/x'],
    ['https://other.example.com/x', 'https://other.example.com/x'],
    ['https://API.example.com/x', 'https://api.example.com/x'],
  ])('to %s is followed', (location, url) => {
    expect(redirectTarget(location, from, RULES)).toEqual({ url: new URL(url), fault: null })
  })

  test.each([
    'http://api.example.com/v1',
    '//127.0.0.1/',
    '\\\\127.0.0.1\\',
    '/\\127.0.0.1/',
    ' https://127.0.0.1/',
    'https:\\\\other.example.com/',
    '\thttps://other.example.com',
    'https://user@other.example.com/',
    'https://other.example.com:8443/',
    'https://workshop.example.com/',
    'javascript:alert(1)',
    'data:application/json,{}',
    'https://',
    ...SPELLINGS,
  ])('to %j is not', (location) => {
    const target = redirectTarget(location, from, RULES)
    expect(target === null || target.fault !== null).toBe(true)
  })
})
